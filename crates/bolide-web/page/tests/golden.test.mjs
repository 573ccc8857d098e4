// The golden cases of testdata/ through the page's modules: the small one, and the one with all languages, which takes what the
// small one lacks.
//
// Both have WordNet and the sentence model. Cases that need paraphrases, which come from the user's own files, are counted.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Tally, cases, same } from "../../../../testdata/reader.mjs";
import { ROOT, loadEngine, loadLargeEngine } from "./setup.mjs";

const PKG = process.env.PKG ?? join(ROOT, "crates/bolide-web/page/pkg");
const engine = await loadEngine(PKG);
const large = await loadLargeEngine(PKG);

// The score of a case, its components and the scores of its segments. Only this function calls a module.
function score(module, { metric, hypotheses, references, segments }) {
  if (segments === null) return { ...module.score(metric, hypotheses[0], references[0]), segments: [] };
  const corpus = module.corpus(metric);
  const reports = corpus.add(hypotheses, references);
  return { ...corpus.finish(), segments: reports.map((report) => report.score) };
}

// Why the page cannot have a metric, or null.
function absence({ tables, dialect }) {
  if (tables.length > 0 || dialect === "meteor:1.5-optimal") return "needs tables of the user";
  return null;
}

// Whether a metric is for the larger module.
const isLarge = ({ metric }) => (/\|language:([^|]*)/.exec(metric)?.[1] ?? "en") !== "en" || /\|(normal|synonyms):/.test(metric);

test("every golden case", () => {
  const tallies = { small: new Tally(), large: new Tally() };
  const absent = new Map();
  for (const golden of cases()) {
    const reason = absence(golden);
    if (reason !== null) {
      absent.set(reason, (absent.get(reason) ?? 0) + 1);
      continue;
    }
    const [name, module] = isLarge(golden) ? ["large", large] : ["small", engine];
    const found = score(module, golden);
    tallies[name].case(golden, found.score, found.segments);
    if (golden.score !== null) tallies[name].statistics(golden, found.components);
  }
  for (const [reason, count] of absent) console.log(`${count} cases are not for the page: ${reason}`);
  tallies.small.finish("the page's small module");
  tallies.large.finish("the page's large module");
  const known = engine.dialects().filter(({ needs }) => needs === null).map(({ name }) => name);
  assert.deepEqual(known.filter((name) => !tallies.small.counts.has(name)), [], "dialects without a golden case");
});

test("a difference of one bit is found", () => {
  const [golden] = cases();
  assert.ok(same(0.1, 0.1) && same(NaN, null));
  for (const found of [0.1 + 2 ** -56, NaN, undefined, -0.1]) assert.ok(!same(found, 0.1), `${found}`);
  assert.ok(!same(0, -0) && !same(0.1, null));
  const tally = new Tally();
  tally.case({ ...golden, score: 0.1, segments: null }, 0.1 + 2 ** -56);
  assert.throws(() => tally.finish("a test"), /1 numbers differ/);
});
