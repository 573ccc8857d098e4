// The page's modules that need no browser: permalinks, files, examples against the engine.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { EXAMPLES } from "../examples.js";
import { readBatch, toCsv } from "../files.js";
import { readGlosses } from "../glosses.js";
import { joinMetric, splitMetric, withoutSynonyms } from "../metric.js";
import { fromFragment, toFragment } from "../permalink.js";
import { DIST, loadEngine } from "./setup.mjs";

const file = (name, content) => new File([content], name);

test("a permalink brings back what went in", async () => {
  const long = "Überlänge 🙂 ".repeat(4000);
  for (const state of [
    { hypothesis: "a b", references: ["c", "d & e = f # g + h"], metric: "meteor:classic|match:exact+stem" },
    { hypothesis: "<script>alert(1)</script>", references: ["مرحبا \u0000 \n\t"], metric: "bleu" },
    { hypothesis: "", references: [""], metric: "meteor:nltk", step: 7 },
    { hypothesis: long, references: [long, "short"], metric: "meteor:hf|alpha:0.85" },
  ]) {
    const fragment = await toFragment(state);
    assert.deepEqual(await fromFragment(`#${fragment}`), { step: 0, ...state });
    assert.ok(fragment.length < 4000, `${fragment.length} characters`);
  }
  assert.equal(await fromFragment(""), null);
  assert.equal(await fromFragment("#result"), null);
  assert.equal(await fromFragment("#m="), null);
  assert.deepEqual(await fromFragment("#m=meteor:2026"), { metric: "meteor:2026", step: 0 });
  assert.deepEqual(await fromFragment("#m=meteor%3A2026&s=3"), { metric: "meteor:2026", step: 3 });
  await assert.rejects(fromFragment("#z=AAAA"), /damaged/);
  await assert.rejects(fromFragment("#z=%%%"), /damaged/);
});

test("a synset has its gloss, and a damaged table none", () => {
  const text = readFileSync(join(DIST, "pkg/wordnet-3.0-glosses.txt"), "utf8");
  const look = readGlosses(text);
  assert.equal(look("large.a (big)"), "above average in size or number or quantity or magnitude or extent");
  assert.equal(look("big.s (enceinte, expectant, gravid, great, large, heavy, with_child)"), "in an advanced stage of pregnancy");
  assert.equal(look("cow.n (moo-cow)"), "female of domestic cattle");
  // A name of irregular forms, without others beside it.
  assert.match(look("mouse.n"), /^any of numerous small rodents/);
  // Of two synsets with these names, the more frequent one.
  assert.equal(look("decision.n (determination, conclusion)"), "the act of making up your mind about something");
  for (const other of ["", "large.a", "large.a (big) ", "no such synset", "constructor", "\ud800", "👋".repeat(1000)]) assert.equal(look(other), null, other);
  const lines = text.split("\n");
  assert.equal(lines.length, 29_757);
  assert.equal(lines.slice(2, -1).filter((line) => line === "" || /; "|^[\s;"]|[\s;]$/.test(line)).length, 0);
  for (const damaged of [
    "", "\n", "<!doctype html>\n<p>not found</p>", text.slice(1), text.slice(0, 100), text.slice(0, 200_000), text.slice(0, -200), text.slice(0, -1),
    `${text}one more line\n`, text.replace("format 1", "format 2"), text.replace(/synsets: \d+/, "synsets: 3"), text.replace(/synsets: \d+/, "synsets: -1"), lines.toReversed().join("\n"),
  ]) assert.equal(readGlosses(damaged), null, damaged.slice(0, 40));
});

test("a partial signature splits and joins", () => {
  const { name, keys } = splitMetric("meteor:classic|match:exact+stem|alpha:0.8");
  assert.equal(name, "meteor:classic");
  assert.deepEqual([...keys], [["match", "exact+stem"], ["alpha", "0.8"]]);
  assert.equal(joinMetric(name, keys), "meteor:classic|match:exact+stem|alpha:0.8");
});

test("a metric without synonyms keeps its other stages and keys", () => {
  const dialect = { keys: [{ name: "match", words: ["exact", "exact+stem", "exact+synonym", "exact+stem+synonym"] }] };
  assert.equal(withoutSynonyms("meteor:classic|alpha:0.8", dialect), "meteor:classic|alpha:0.8|match:exact+stem");
  assert.equal(withoutSynonyms("meteor:classic|match:exact+synonym", dialect), "meteor:classic|match:exact");
  assert.equal(withoutSynonyms("meteor:2026", { keys: [] }), null);
});

test("batches from two files, whichever comes first, and from a table", async () => {
  const two = await readBatch([file("reference.txt", "x\r\ny\r\n"), file("system.txt", "a\nb\n")]);
  assert.deepEqual(two.segments, [{ hypothesis: "a", references: ["x"] }, { hypothesis: "b", references: ["y"] }]);
  const swapped = await readBatch([file("one.txt", "a\n"), file("two.txt", "x\n")], true);
  assert.deepEqual(swapped.segments, [{ hypothesis: "x", references: ["a"] }]);
  const table = await readBatch([file("t.tsv", "id\tref\thyp\n1\tx\ta\n2\ty\tb")]);
  assert.deepEqual(table.segments, two.segments);
  const csv = await readBatch([file("t.csv", 'id,ref,hyp\r\n1,x,a\r\n2,"y",b')]);
  assert.deepEqual(csv.segments, two.segments);
  const quoted = await readBatch([file("t.csv", '"a, ""b""\nc",x\n\nd,"",e\n')]);
  assert.deepEqual(quoted.segments, [{ hypothesis: 'a, "b"\nc', references: ["x"] }, { hypothesis: "d", references: [""] }]);
  const json = await readBatch([file("t.jsonl", '{"hypothesis":"a","references":["x"]}\n\n{"hyp":"b","ref":"y","id":2}\n')]);
  assert.deepEqual(json.segments, two.segments);
  const plain = await readBatch([file("t.tsv", "a\tx\tz\nb\ty\tw\n")]);
  assert.deepEqual(plain.segments[1], { hypothesis: "b", references: ["y", "w"] });
});

test("errors in files name the file and the line", async () => {
  const wrong = async (message, ...files) => assert.rejects(readBatch(files), { message });
  await wrong("a.txt has 1 lines and b.txt has 2: they must have one line for each segment", file("a.txt", "x\n"), file("b.txt", "x\ny\n"));
  await wrong("t.tsv, line 2: expected a hypothesis and a reference with a tab between, got 1 column", file("t.tsv", "a\tb\nc\n"));
  await wrong("n.txt has no tabs. Drop two text files, or a table with hypotheses and references in columns", file("n.txt", "a\nb\n"));
  await wrong("t.csv, line 3: expected a hypothesis and a reference with a comma between, got 1 column", file("t.csv", '"a\nb",c\nd\n'));
  await wrong("t.csv, line 2: a quotation mark is not closed", file("t.csv", 'a,b\n"c,d\n'));
  await wrong("t.jsonl, line 2: not JSON", file("t.jsonl", '{"hyp":"a","ref":"b"}\n{\n'));
  await wrong("t.jsonl, line 1: expected “hypothesis” and “reference” (or “references”) with texts", file("t.jsonl", '{"hyp":"a"}\n'));
  await wrong("No files were given");
});

test("a file that is not UTF-8 is refused with its line, and a mark at its beginning is no text", async () => {
  const bytes = (text, encoding) => Buffer.from(text, encoding);
  const wrong = async (message, ...files) => assert.rejects(readBatch(files), { message });
  const reference = file("ref.txt", "x\ny\n");
  await wrong("latin.txt, line 2: not UTF-8. Save the file as UTF-8 and drop it again", file("latin.txt", bytes("a\ncafé\n", "latin1")), reference);
  await wrong("t.tsv, line 1: not UTF-8. Save the file as UTF-8 and drop it again", file("t.tsv", bytes("caf\xe9\tb\n", "latin1")));
  // Cut in the middle of a character, on the last line.
  await wrong("cut.txt, line 2: not UTF-8. Save the file as UTF-8 and drop it again", file("cut.txt", bytes("é\né").subarray(0, -1)), reference);
  const wide = Buffer.from("\ufeffa\nb\n", "utf16le");
  await wrong("wide.txt is UTF-16: save it as UTF-8 and drop it again", file("wide.txt", wide), reference);
  await wrong("wide.txt is UTF-16: save it as UTF-8 and drop it again", file("wide.txt", Buffer.from(wide).swap16()), reference);
  for (const bare of [wide.subarray(2), Buffer.from(wide).swap16().subarray(2)]) {
    await wrong("wide.txt is UTF-16: save it as UTF-8 and drop it again", file("wide.txt", bare), reference);
  }
  const marked = await readBatch([file("h.txt", "\ufeffé\n\ufffd\n"), reference]);
  assert.deepEqual(marked.segments.map(({ hypothesis }) => hypothesis), ["é", "\ufffd"]);
});

test("CSV as the command writes it", () => {
  const csv = toCsv("sys,1.txt", "meteor", [{ score: 0.5, components: { precision: NaN, matches: 3 } }]);
  assert.equal(csv, 'system,segment,metric,score,precision,matches\n"sys,1.txt",1,meteor,0.5,,3\n');
});

test("the worked examples have the scores that they state", async () => {
  const engine = await loadEngine(join(DIST, "pkg"));
  for (const example of EXAMPLES) {
    for (const { name, score, hypothesis, references, metric } of [example, { ...example, ...example.solution }]) {
      assert.equal(engine.score(metric, hypothesis, references).score.toFixed(4), score, `${name}: ${hypothesis}`);
    }
  }
});

test("errors have a kind", async () => {
  const engine = await loadEngine(join(DIST, "pkg"));
  const kind = (call) => {
    try {
      call();
    } catch (problem) {
      assert.ok(problem instanceof Error);
      return problem.name;
    }
    return null;
  };
  assert.equal(kind(() => engine.score("meteor:x", "a", ["a"])), "UnknownDialect");
  assert.equal(kind(() => engine.score("meteor|alpha:x", "a", ["a"])), "InvalidSignature");
  assert.equal(kind(() => engine.score("meteor", "a", [])), "InvalidSegment");
  assert.equal(kind(() => engine.loadLexicon(new Uint8Array([1, 2, 3]))), "InvalidTable");
  assert.equal(kind(() => engine.score("meteor", "a", ["a"])), null);
});
