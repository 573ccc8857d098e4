// Matchers for Vitest: `import "bolide/vitest"` adds them to `expect`. A failure shows the alignment.

import { expect } from "vitest";
import { defaultMetric, reason, score } from "./node.js";

const matcher = (side, holds) => (received, references, limit, metric = defaultMetric()) => {
  if (typeof received !== "string" || typeof limit !== "number") throw new TypeError("expected a text, its references and a limit");
  const value = score(received, references, metric).score;
  return {
    pass: holds(value, limit),
    actual: value,
    expected: limit,
    message: () => `${metric}: ${value} is ${holds(value, limit) ? "not " : ""}${side} ${limit}\n${reason(received, references, metric)}`,
  };
};

export const matchers = {
  toScoreAtLeast: matcher("below", (value, limit) => value >= limit),
  toScoreAtMost: matcher("above", (value, limit) => value <= limit),
};

expect.extend(matchers);
