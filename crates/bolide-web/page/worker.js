// The engine in a separate thread, so that typing never waits for it.
//
// Receives { id, call, ...arguments } and responds with { id, result } or { id, error }. If a table is
// missing, the page decides what to do (engine.js).

import init, * as module from "./pkg/bolide_wasm.js";

// The first message is the compiled module, which all workers share.
let start;
const ready = new Promise((resolve) => { start = resolve; })
  .then((compiled) => init({ module_or_path: compiled })).then(() => new module.Engine());
const encoder = new TextEncoder();
const decoder = new TextDecoder();
let corpus = null;
const MOST_SHOWN = 400;

const CALLS = {
  hello: (engine) => ({ version: engine.version, dialects: titled(engine) }),

  lexicon(engine, { bytes }) {
    engine.loadLexicon(bytes);
    return { dialects: titled(engine) };
  },

  // The user's paraphrases, compiled.
  async paraphrases(engine, { table }) {
    engine.loadParaphrases(new Uint8Array(await table.arrayBuffer()));
  },

  // Compiles a paraphrase table from the file of METEOR 1.5. The digest of the file is part of signatures.
  async compileParaphrases(engine, { file, language }) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
    const table = new module.Paraphrases();
    for (const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      table.read(value);
    }
    const bytes = table.finish(language, digest);
    return { table: bytes, n: engine.loadParaphrases(bytes) };
  },

  // The whole result for one segment: the alignment if the metric has one, and the scores of other
  // metrics. Only the metric itself is timed.
  result(engine, { metric, hypothesis, references, beside }) {
    const since = performance.now();
    const explanation = engine.explain(metric, hypothesis, references);
    const score = explanation ? null : engine.score(metric, hypothesis, references);
    const milliseconds = performance.now() - since;
    const evidence = shortened(engine.evidence(metric, hypothesis, references));
    if (explanation) {
      addSurfaces(explanation.tokens.hypothesis, hypothesis);
      addSurfaces(explanation.tokens.reference, references[explanation.reference_idx]);
    }
    const signature = engine.signature(metric);
    const others = beside.map((name) => ({ name, score: engine.score(name, hypothesis, references) }));
    return { metric, signature, explanation, evidence, score, beside: others, milliseconds };
  },

  score(engine, { metric, hypothesis, references }) {
    return engine.score(metric, hypothesis, references);
  },

  corpusStart(engine, { metric }) {
    corpus?.free();
    corpus = engine.corpus(metric);
  },
  corpusAdd: (_, { hypotheses, references }) => corpus.add(hypotheses, references),
  corpusFinish: () => corpus.finish(),
};

// Nobody reads thousands of n-grams or edits: the lists of long texts are cut, their counts are not.
function shortened(evidence) {
  if (!evidence) return null;
  for (const order of evidence.orders) order.ngrams = order.ngrams.slice(0, MOST_SHOWN);
  evidence.edits?.path.splice(MOST_SHOWN);
  evidence.words.references = evidence.words.references.map((words) => words.slice(0, MOST_SHOWN));
  return evidence;
}

// The registry; each dialect has the title of its family.
function titled(engine) {
  const titles = new Map(engine.families().map(({ name, title }) => [name, title]));
  return engine.dialects().map((dialect) => ({ ...dialect, title: titles.get(dialect.family) }));
}

// The engine's spans count UTF-8 bytes; the page needs the words as they were written.
function addSurfaces(tokens, text) {
  const bytes = encoder.encode(text);
  const isPlain = bytes.length === text.length;
  for (const token of tokens) {
    const { start, end } = token;
    const surface = isPlain ? text.slice(start, end) : decoder.decode(bytes.subarray(start, end));
    if (surface && surface !== token.text) token.surface = surface;
  }
}

addEventListener("message", async ({ data: { id, call, module: compiled, ...args } }) => {
  if (compiled) return start(compiled);
  try {
    const engine = await ready;
    postMessage({ id, result: await CALLS[call](engine, args) });
  } catch (problem) {
    const { name, message } = problem instanceof Error ? problem : { name: "Error", message: String(problem) };
    postMessage({ id, error: { name, message } });
  }
  return undefined;
});
