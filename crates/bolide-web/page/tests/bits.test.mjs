// The module gives the same bits as the program: on pairs made from a seed, for every dialect of
// the registry, one reference and two; and on the stored results of the real programs where they are
// present.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { pairs } from "./pairs.mjs";
import { DIST, ROOT, bolide, loadEngine } from "./setup.mjs";

const fresh = await loadEngine(join(DIST, "pkg"));
const registry = JSON.parse(bolide("dialects", "--format", "json")).dialects;
const folder = mkdtempSync(join(tmpdir(), "bolide-bits-"));

const same = Object.is;
// The command leaves a cell empty where there is no finite number.
const isIn = (cell, value) => (Number.isFinite(value) ? cell !== "" && same(Number(cell), value) : cell === "");

// Scores with the program: one object for each segment, from its CSV.
function native(metric, hypotheses, references) {
  const write = (name, lines) => {
    const path = join(folder, name);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
    return path;
  };
  const input = write("hypotheses", hypotheses);
  const files = references.map((lines, at) => write(`references-${at}`, lines));
  const text = bolide("score", "-q", "-i", input, "-r", ...files, "-m", metric, "--segments", "--format", "csv");
  const [head, ...rows] = text.trimEnd().split("\n").map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])));
}

function compare(engine, metric, hypotheses, references) {
  const corpus = engine.corpus(metric);
  const lists = hypotheses.map((_, at) => references.map((lines) => lines[at]));
  const reports = corpus.add(hypotheses, lists);
  const rows = native(metric, hypotheses, references);
  assert.equal(rows.length, reports.length);
  let numbers = 0;
  rows.forEach((row, at) => {
    const { score, components } = reports[at];
    const where = `${metric}, segment ${at + 1}: ${JSON.stringify(hypotheses[at])} / ${JSON.stringify(lists[at])}`;
    assert.ok(isIn(row.score, score), `${where}: ${row.score} is not ${score}`);
    numbers++;
    for (const [name, value] of Object.entries(components)) {
      if (row[name] === undefined || typeof value === "boolean") continue;
      assert.ok(isIn(row[name], value), `${where}, ${name}: ${row[name]} is not ${value}`);
      numbers++;
    }
    if (at % 97 === 0) {
      const again = engine.explain(metric, hypotheses[at], lists[at]);
      if (again) assert.ok(same(again.score, score), `${where}: the explanation has ${again.score}, not ${score}`);
    }
  });
  return numbers;
}

// Needs a table that a browser does not have, and is left out of the module.
const ABSENT = "meteor:1.5-optimal";

// The dialects that an engine can build.
const ready = (engine) => engine.dialects().filter(({ needs }) => needs === null).map(({ name }) => name);

function usable(engine) {
  const here = registry.map(({ name }) => name).filter((name) => name !== ABSENT);
  assert.deepEqual(engine.dialects().map(({ name }) => name), here, "the registries differ");
  return ready(engine);
}

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
    // The committed module may not know the newest dialects yet; what it knows it must have right.
    const known = ready(engine).filter((name) => registry.some((dialect) => dialect.name === name));
    assert.ok(known.length > 10, `only ${known.length} dialects`);
    for (const metric of known) {
      compare(engine, metric, made.map(({ hypothesis }) => hypothesis), [made.map(({ reference }) => reference)]);
    }
  });
});

test("NLTK's stored results", (t) => {
  const golden = join(ROOT, "../shared/golden/nltk");
  if (!existsSync(golden)) {
    t.skip("../shared is absent");
    return;
  }
  const rows = (name) => gunzipSync(readFileSync(join(golden, name))).toString("utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
  // The page takes text: rows whose tokens hold white space cannot be typed into it.
  const text = (tokens) => tokens.join(" ");
  const isPlain = (tokens) => tokens.every((token) => token !== "" && !/[\s\u001c-\u001f\u0085]/u.test(token));
  let count = 0;
  for (const name of ["meteor_ted.jsonl.gz", "meteor_xray.jsonl.gz", "meteor_synth.jsonl.gz"]) {
    for (const { id, ref, hyp, score } of rows(name)) {
      if (!isPlain(ref) || !isPlain(hyp)) continue;
      const report = fresh.score("meteor:nltk", text(hyp), [text(ref)]);
      assert.ok(same(report.score, Number(score)), `${name} ${id}: ${report.score} is not ${score}`);
      count++;
    }
  }
  const ted = rows("meteor_ted.jsonl.gz");
  for (const { row, alpha, beta, gamma, score } of rows("meteor_params.jsonl.gz")) {
    const { ref, hyp } = ted[row];
    if (!isPlain(ref) || !isPlain(hyp)) continue;
    const report = fresh.score(`meteor:nltk|alpha:${alpha}|beta:${beta}|gamma:${gamma}`, text(hyp), [text(ref)]);
    assert.ok(same(report.score, Number(score)), `row ${row} ${alpha} ${beta} ${gamma}: ${report.score} is not ${score}`);
    count++;
  }
  for (const { id, refs, hyp, score } of rows("meteor_multi.jsonl.gz")) {
    if (![hyp, ...refs].every(isPlain)) continue;
    const report = fresh.score("meteor:nltk", text(hyp), refs.map(text));
    assert.ok(same(report.score, Number(score)), `multi ${id}: ${report.score} is not ${score}`);
    count++;
  }
  assert.ok(count > 5000, `only ${count} rows were compared`);
  console.log(`${count} stored results, all the same`);
});

// The texts of every stored case, whichever program it is of, under every dialect.
test("the texts of the stored results give the program's bits", (t) => {
  const golden = join(ROOT, "../shared/golden");
  if (!existsSync(golden)) {
    t.skip("../shared is absent");
    return;
  }
  const open = (path) => (path.endsWith(".gz") ? gunzipSync(readFileSync(path)) : readFileSync(path)).toString("utf8");
  const lines = (path) => open(path).split("\n").slice(0, -1);
  const rows = (path) => lines(path).filter(Boolean).map((line) => JSON.parse(line));
  const cases = new Map();
  // A file of the command has one segment to a line, and what it reads is valid Unicode. sacreBLEU's
  // segments may lack a reference.
  const add = (hypothesis, reference) => {
    if (reference === null) return;
    const texts = [hypothesis, reference].map((text) => (Array.isArray(text) ? text.join(" ") : text));
    if (texts.every((text) => text.isWellFormed() && !/[\n\r]/.test(text))) cases.set(JSON.stringify(texts), texts);
  };
  for (const name of ["meteor_ted", "meteor_xray", "meteor_synth", "meteor_edge", "meteor_multi", "bleu_sentence"]) {
    for (const { ref, refs, hyp } of rows(join(golden, "nltk", `${name}.jsonl.gz`))) {
      for (const one of refs ?? [ref]) add(hyp, one);
    }
  }
  for (const name of ["edge.jsonl", "ter_limits.jsonl.gz"]) {
    for (const { ref, refs, hyp } of rows(join(golden, "sacrebleu", name))) for (const one of refs ?? [ref]) add(hyp, one);
  }
  const inputs = join(golden, "sacrebleu/inputs");
  const files = new Map(readdirSync(inputs).map((name) => [name.replace(/\.(txt|gz|txt\.gz)$/, ""), lines(join(inputs, name))]));
  for (const [name, text] of files) {
    const reference = files.get(`${name.split(".")[0]}.ref`);
    if (reference?.length === text.length) text.forEach((line, at) => add(line, reference[at]));
  }
  for (const name of readdirSync(join(golden, "meteor-1.5"))) {
    const [hyp, ref] = ["hyp", "ref"].map((side) => join(golden, "meteor-1.5", name, `${side}.txt.gz`));
    if (!existsSync(hyp)) continue;
    const references = lines(ref);
    lines(hyp).forEach((line, at) => add(line, references[at]));
  }
  const made = [...cases.values()];
  assert.ok(made.length > 10_000, `only ${made.length} texts were found`);
  let numbers = 0;
  for (const metric of usable(fresh)) {
    numbers += compare(fresh, metric, made.map(([hypothesis]) => hypothesis), [made.map(([, reference]) => reference)]);
  }
  console.log(`${made.length} pairs of stored results, ${numbers} numbers, all the same`);
});
