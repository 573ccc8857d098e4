// The module gives the same bits as the program: on pairs made from a seed, for every dialect of
// the registry, with one reference and with two. golden.test.mjs has the golden cases.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { compare, ready, registry, usable } from "./beside.mjs";
import { longPairs, pairs } from "./pairs.mjs";
import { DIST, ROOT, loadEngine } from "./setup.mjs";

const fresh = await loadEngine(join(DIST, "pkg"));

const VARIANTS = [
  "meteor|match:exact", "meteor|match:exact+stem", "meteor|tok:space|case:mixed", "meteor|alpha:0.5|beta:1|gamma:0.3",
  "meteor:nltk|stemmer:snowball", "bleu|tok:intl", "bleu|tok:zh|smooth:floor", "bleu|tok:char", "chrf|nw:2|beta:3",
];

test("every dialect gives the program's bits", () => {
  const made = pairs(2000, 20261115);
  const hypotheses = made.map(({ hypothesis }) => hypothesis);
  const references = made.map(({ reference }) => reference);
  let numbers = 0;
  for (const metric of usable(fresh)) numbers += compare(fresh, metric, hypotheses, [references]);
  for (const metric of VARIANTS) numbers += compare(fresh, metric, hypotheses.slice(0, 500), [references.slice(0, 500)]);
  console.log(`${numbers} numbers, all the same`);
});

test("long texts of few words give the program's bits", async () => {
  const made = longPairs(72, 3);
  const committed = await loadEngine(join(ROOT, "crates/bolide-web/page/pkg"));
  for (const engine of [fresh, committed]) {
    for (const metric of ["meteor", "meteor:2026", "meteor|match:exact", "meteor:nltk", "bleu", "chrf", "ter", "rougeL"]) {
      compare(engine, metric, made.map(({ hypothesis }) => hypothesis), [made.map(({ reference }) => reference)]);
    }
  }
});

test("two references give the program's bits", () => {
  const made = pairs(600, 7).slice(3);
  const other = pairs(600, 8).slice(3);
  // An empty line in one of several files means that a segment has no reference there.
  const used = made.map((pair, at) => ({ ...pair, second: other[at].reference })).filter(({ reference, second }) => reference && second);
  for (const metric of usable(fresh)) {
    compare(fresh, metric, used.map(({ hypothesis }) => hypothesis),
      [used.map(({ reference }) => reference), used.map(({ second }) => second)]);
  }
});

test("the committed module agrees with the program", () => {
  const committed = join(ROOT, "crates/bolide-web/page/pkg");
  return loadEngine(committed).then((engine) => {
    const made = pairs(300, 5);
    // The committed module may lack the newest dialects; those that it has must be right.
    const known = ready(engine).filter((name) => registry.some((dialect) => dialect.name === name));
    assert.ok(known.length > 10, `only ${known.length} dialects`);
    for (const metric of known) {
      compare(engine, metric, made.map(({ hypothesis }) => hypothesis), [made.map(({ reference }) => reference)]);
    }
  });
});
