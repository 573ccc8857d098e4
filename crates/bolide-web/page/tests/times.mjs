// Times mean something only on a quiet machine: the tests print them everywhere, and check their limits
// only with BOLIDE_TIMES=1.
import assert from "node:assert/strict";

export function withinTime(fine, told) {
  if (process.env.BOLIDE_TIMES === "1") assert.ok(fine, told);
}
