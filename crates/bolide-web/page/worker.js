// The engine in a separate thread, so that typing never waits for it.
//
// Receives { id, call, ...arguments } and responds with { id, result } or { id, error }. If a table is
// missing, the page decides what to do (engine.js).

import init, { Engine } from "./pkg/bolide_wasm.js";

// The first message is the compiled module, which all workers share.
let start;
const ready = new Promise((resolve) => { start = resolve; })
  .then((module) => init({ module_or_path: module })).then(() => new Engine());
const encoder = new TextEncoder();
const decoder = new TextDecoder();
let corpus = null;

const CALLS = {
  hello: (engine) => ({ version: engine.version, dialects: titled(engine) }),

  lexicon(engine, { bytes }) {
    engine.loadLexicon(bytes);
    return { dialects: titled(engine) };
  },

  // The whole result for one segment: the alignment if the metric has one, and the scores of other
  // metrics. Only the metric itself is timed.
  result(engine, { metric, hypothesis, references, beside }) {
    const since = performance.now();
    const explanation = engine.explain(metric, hypothesis, references);
    const score = explanation ? null : engine.score(metric, hypothesis, references);
    const milliseconds = performance.now() - since;
    if (explanation) {
      addSurfaces(explanation.tokens.hypothesis, hypothesis);
      addSurfaces(explanation.tokens.reference, references[explanation.reference_idx]);
    }
    const signature = engine.signature(metric);
    const others = beside.map((name) => ({ name, score: engine.score(name, hypothesis, references) }));
    return { metric, signature, explanation, score, beside: others, milliseconds };
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

addEventListener("message", async ({ data: { id, call, module, ...args } }) => {
  if (module) return start(module);
  try {
    const engine = await ready;
    postMessage({ id, result: CALLS[call](engine, args) });
  } catch (problem) {
    const { name, message } = problem instanceof Error ? problem : { name: "Error", message: String(problem) };
    postMessage({ id, error: { name, message } });
  }
  return undefined;
});
