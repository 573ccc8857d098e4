// The golden cases for the doors that JavaScript opens, and the comparison to the last bit.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

// All cases: `hypotheses` and `references` are lists also for a single segment; a `score` of null is no number.
export function cases() {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl.gz")).sort();
  if (files.length === 0) throw new Error(`${FOLDER} has no cases`);
  return files.flatMap((name) => {
    const lines = gunzipSync(readFileSync(join(FOLDER, name))).toString("utf8").split("\n").slice(0, -1);
    return lines.map((line) => read(line));
  });
}

export function read(line) {
  const { hypothesis, ...row } = JSON.parse(line);
  const single = { hypotheses: [hypothesis], references: [row.references], segments: null };
  const texts = hypothesis === undefined ? {} : single;
  return { statistics: {}, tables: [], ...row, ...texts, dialect: row.metric.split("|")[0] };
}

// Equal bits: Object.is tells 0 from -0. No number is only the same as NaN.
export const same = (found, expected) => (expected === null ? Number.isNaN(found) : Object.is(found, expected));

// How many cases and numbers of each dialect a door has compared, and what differed.
export class Tally {
  counts = new Map();
  differences = [];

  case(golden, score, segments) {
    this.count(golden.dialect)[0]++;
    this.number(golden, "score", score, golden.score);
    if (golden.segments === null) return;
    if (segments.length !== golden.segments.length) throw new Error(`${golden.metric}, ${golden.name}: ${segments.length} segments`);
    golden.segments.forEach((expected, at) => this.number(golden, `segment ${at + 1}`, segments[at], expected));
  }

  statistics(golden, components) {
    for (const [name, expected] of Object.entries(golden.statistics)) this.number(golden, name, components[name], expected);
  }

  number(golden, what, found, expected) {
    this.count(golden.dialect)[1]++;
    if (same(found, expected)) return;
    this.differences.push(`${golden.metric}, ${golden.name}, ${what}: ${found}, expected ${expected} (${golden.source})`);
  }

  count(dialect) {
    if (!this.counts.has(dialect)) this.counts.set(dialect, [0, 0]);
    return this.counts.get(dialect);
  }

  // Prints what was compared and throws on a difference, or if nothing was compared.
  finish(door) {
    console.log(`golden cases through ${door}:`);
    const line = (name, [cases, numbers]) => console.log(`  ${name.padEnd(20)} ${String(cases).padStart(6)} cases ${String(numbers).padStart(7)} numbers`);
    const total = [0, 0];
    for (const [dialect, counts] of [...this.counts].sort()) {
      line(dialect, counts);
      counts.forEach((count, at) => (total[at] += count));
    }
    line("all", total);
    if (total[1] === 0) throw new Error("no number was compared");
    if (this.differences.length > 0) throw new Error(`${this.differences.length} numbers differ:\n${this.differences.slice(0, 20).join("\n")}`);
  }
}
