// The golden cases of testdata/ through the page's module.
//
// The page has WordNet and the sentence model. Cases that it cannot score are counted by reason. There are three:
// paraphrases, which come from the user's own files, stemmers for languages other than English, and the keys of those.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Tally, cases, same } from "../../../../testdata/reader.mjs";
import { ROOT, loadEngine } from "./setup.mjs";

const engine = await loadEngine(process.env.PKG ?? join(ROOT, "crates/bolide-web/page/pkg"));

// The score of a case, its components and the scores of its segments. Only this function calls the module.
function score({ metric, hypotheses, references, segments }) {
  if (segments === null) return { ...engine.score(metric, hypotheses[0], references[0]), segments: [] };
  const corpus = engine.corpus(metric);
  const reports = corpus.add(hypotheses, references);
  return { ...corpus.finish(), segments: reports.map((report) => report.score) };
}

// Why the page cannot have a metric, or null.
function absence({ metric, tables, dialect }) {
  if (tables.length > 0) return "needs paraphrases";
  if (dialect === "meteor:1.5-optimal") return "needs paraphrases";
  const language = /\|language:([^|]*)/.exec(metric)?.[1] ?? "en";
  if (language !== "en") return "needs the stemmers of other languages";
  if (/\|(normal|synonyms):/.test(metric)) return "needs the keys of other languages";
  return null;
}

test("every golden case", () => {
  const tally = new Tally();
  const absent = new Map();
  for (const golden of cases()) {
    const reason = absence(golden);
    if (reason !== null) {
      absent.set(reason, (absent.get(reason) ?? 0) + 1);
      continue;
    }
    const found = score(golden);
    tally.case(golden, found.score, found.segments);
    if (golden.score !== null) tally.statistics(golden, found.components);
  }
  for (const [reason, count] of absent) console.log(`${count} cases are not for the page: ${reason}`);
  tally.finish("the page's module");
  const known = engine.dialects().filter(({ needs }) => needs === null).map(({ name }) => name);
  assert.deepEqual(known.filter((name) => !tally.counts.has(name)), [], "dialects without a golden case");
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
