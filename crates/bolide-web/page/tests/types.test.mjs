// TypeScript's types (crates/bolide-wasm/src/types.d.ts) describe the module's objects: every object has
// exactly the fields of its interface, each with its type.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DIST, ROOT, loadEngine, loadLargeEngine } from "./setup.mjs";

const source = readFileSync(join(ROOT, "crates/bolide-wasm/src/types.d.ts"), "utf8").replace(/\/\*\*.*?\*\//gs, "");

// The fields of each interface: name, type, and whether it may be left out.
const interfaces = new Map([...source.matchAll(/export interface (\w+)[^{]*\{(.*?)\n\}/gs)].map(([, name, body]) => {
  const fields = [...body.matchAll(/^ {2}(\w+)(\??): (.*);$/gm)].map(([, field, optional, type]) => [field, { type, isOptional: optional === "?" }]);
  return [name, new Map(fields)];
}));

// Splits a union at the bars that are outside brackets.
const members = (type) => type.match(/(?:\([^)]*\)|<[^>]*>|[^|])+/g).map((part) => part.trim());

// Why a value does not have a type, or undefined.
function problem(value, type, path) {
  const options = members(type);
  if (options.length > 1) {
    const problems = options.map((option) => problem(value, option, path));
    return problems.includes(null) ? null : problems.join("; ");
  }
  const list = /^(.*)\[\]$/.exec(type);
  if (list) {
    if (!Array.isArray(value)) return `${path} is no list`;
    return first(value.map((item, at) => problem(item, list[1].replace(/^\((.*)\)$/, "$1"), `${path}[${at}]`)));
  }
  const record = /^Record<string, (.*)>$/.exec(type);
  if (record) return first(Object.entries(value).map(([key, item]) => problem(item, record[1], `${path}.${key}`)));
  if (interfaces.has(type)) return problemOfObject(value, interfaces.get(type), path);
  const fits = type === "null" ? value === null : type.startsWith('"') ? JSON.stringify(value) === type : typeof value === type;
  return fits ? null : `${path} is ${JSON.stringify(value)}, not ${type}`;
}

function problemOfObject(value, fields, path) {
  if (value === null || typeof value !== "object") return `${path} is no object`;
  const unknown = Object.keys(value).find((key) => !fields.has(key));
  if (unknown) return `${path}.${unknown} is not in types.d.ts`;
  return first([...fields].map(([field, { type, isOptional }]) => {
    if (value[field] === undefined) return isOptional ? null : `${path}.${field} is missing`;
    return problem(value[field], type, `${path}.${field}`);
  }));
}

const first = (problems) => problems.find((found) => found !== null) ?? null;
const check = (value, type) => assert.equal(problem(value, type, type), null);

test("what the module gives has the types that TypeScript sees", async () => {
  assert.ok(interfaces.size > 8, [...interfaces.keys()].join(" "));
  const engine = await loadEngine(join(DIST, "pkg"));
  check(engine.families(), "Family[]");
  check((await loadLargeEngine(join(DIST, "pkg"))).languages(), "Language[]");
  const dialects = engine.dialects();
  const shown = new Set();
  check(dialects, "Dialect[]");
  for (const { name, alignment, needs } of dialects) {
    if (needs !== null) continue;
    check(engine.score(name, "the cats sat on a mat", ["the cat sat on the mat", "a cat"]), "Score");
    const explanation = engine.explain(name, "the cats sat on a mat", ["the cat sat on the mat", "a cat"]);
    if (alignment) check(explanation, "Explanation");
    else assert.equal(explanation, undefined, name);
    const evidence = engine.evidence(name, "the cats sat on a mat", ["the cat sat on the mat", "a cat"]);
    if (evidence !== undefined) check(evidence, "Evidence");
    if (!alignment && evidence) shown.add(Object.keys(evidence).filter((key) => evidence[key]?.length > 0 || evidence[key]?.path).join());
    const corpus = engine.corpus(name);
    check(corpus.add(["a cat", "a dog"], [["the cat"], ["a dog"]]), "Score[]");
    check(corpus.finish(), "Score");
    assert.match(corpus.finish().signature, /\|nrefs:1\|/);
  }
  // n-grams, edits and common words are all among them.
  for (const part of ["orders", "edits", "subsequence"]) assert.ok([...shown].some((keys) => keys.includes(part)), part);
});

test("a field that is missing, unknown or of another type is found", () => {
  const key = { name: "alpha", expects: "number" };
  assert.equal(problem(key, "Key", "Key"), null);
  assert.match(problem({ ...key, words: [1] }, "Key", "Key"), /words\[0\] is 1, not string/);
  assert.match(problem({ expects: "number" }, "Key", "Key"), /name is missing/);
  assert.match(problem({ ...key, other: 1 }, "Key", "Key"), /other is not in/);
  assert.match(problem({ ...key, expects: "letters" }, "Key", "Key"), /not "word"/);
  assert.equal(problem([0, null], "(number | null)[]", "range"), null);
  assert.match(problem([0, "1"], "(number | null)[]", "range"), /not number/);
});
