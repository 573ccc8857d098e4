// Times belong to a quiet machine: everywhere the tests print them, and with BOLIDE_TIMES=1 they are
// held to their limits too.
import assert from "node:assert/strict";

export function withinTime(fine, told) {
  if (process.env.BOLIDE_TIMES === "1") assert.ok(fine, told);
}
