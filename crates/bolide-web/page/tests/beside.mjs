// Compares the module with the program: both score the same texts, bit by bit.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bolide } from "./setup.mjs";

export const registry = JSON.parse(bolide("dialects", "--format", "json")).dialects;
const folder = mkdtempSync(join(tmpdir(), "bolide-bits-"));

export const same = Object.is;
// The command leaves a cell empty if a number is not finite.
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

// How many numbers were compared.
export function compare(engine, metric, hypotheses, references) {
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

// Needs a table that a browser does not have, so the module leaves it out.
const ABSENT = "meteor:1.5-optimal";

// The dialects that an engine can build.
export const ready = (engine) => engine.dialects().filter(({ needs }) => needs === null).map(({ name }) => name);

export function usable(engine) {
  const here = registry.map(({ name }) => name).filter((name) => name !== ABSENT);
  assert.deepEqual(engine.dialects().map(({ name }) => name), here, "the registries differ");
  return ready(engine);
}
