// The module on the stored results in ../shared, which is not part of the repository: scripts/test shared runs
// this. A missing file is a failure.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { compare, same, usable } from "../beside.mjs";
import { DIST, ROOT, loadEngine } from "../setup.mjs";

const fresh = await loadEngine(join(DIST, "pkg"));

test("NLTK's stored results", () => {
  const golden = join(ROOT, "../shared/golden/nltk");
  const rows = (name) => gunzipSync(readFileSync(join(golden, name))).toString("utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
  // The page takes text, so rows with white space inside tokens cannot be entered.
  const text = (tokens) => tokens.join(" ");
  const isPlain = (tokens) => tokens.every((token) => token !== "" && !/[\s\u001c-\u001f\u0085]/u.test(token));
  let [count, refused] = [0, 0];
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
    const metric = `meteor:nltk|alpha:${alpha}|beta:${beta}|gamma:${gamma}`;
    // NLTK computes these too, but they are no METEOR: a name refuses them.
    if (!(Number(beta) > 0 && Number(gamma) <= 1)) {
      assert.throws(() => fresh.score(metric, text(hyp), [text(ref)]), { name: "InvalidSignature", message: /(beta|gamma) is a number/ });
      refused++;
      continue;
    }
    const report = fresh.score(metric, text(hyp), [text(ref)]);
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
  assert.equal(refused, 450);
  console.log(`${count} stored results, all the same`);
});

// The texts of all stored cases, of whatever program, with every dialect.
test("the texts of the stored results give the program's bits", () => {
  const golden = join(ROOT, "../shared/golden");
  const open = (path) => (path.endsWith(".gz") ? gunzipSync(readFileSync(path)) : readFileSync(path)).toString("utf8");
  const lines = (path) => open(path).split("\n").slice(0, -1);
  const rows = (path) => lines(path).filter(Boolean).map((line) => JSON.parse(line));
  const cases = new Map();
  // The command reads one segment per line, and only valid Unicode. sacreBLEU's segments may lack a
  // reference.
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
