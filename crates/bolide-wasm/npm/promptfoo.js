// An assertion for promptfoo: `type: javascript`, `value: file://node_modules/bolide/promptfoo.js`.
//
// Its `config` has `reference` (a text or a list; the variable `reference` unless set), `metric` and `threshold`,
// in the metric's own range. An error rate passes if it is not above the threshold. The reason is the alignment.

import { defaultMetric, lowerIsBetter, reason, score } from "./node.js";

export default function assertion(output, context) {
  const { metric = defaultMetric(), threshold = 0, reference = context.vars?.reference } = context.config ?? {};
  if (reference === undefined) throw new Error("bolide: set `reference` in the assertion's config or in the vars");
  const value = score(output, reference, metric).score;
  const pass = lowerIsBetter(metric) ? value <= threshold : value >= threshold;
  return { pass, score: value, reason: `${metric} ${value}, threshold ${threshold}\n${reason(output, reference, metric)}` };
}
