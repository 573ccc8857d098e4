// The engine in a separate thread, so that typing never waits for it.
//
// Receives { id, call, ...arguments } and responds with { id, result } or { id, error }. If a table is
// missing, the page decides what to do (engine.js).

// The first message is the compiled module, which all workers share. The page's first worker fetches it itself, beside
// everything that the page does meanwhile, and hands it on. Its name may have the first request (early.js).
let start;
const given = new Promise((resolve) => { start = resolve; });
const [, isFirst, asked] = name.match(/^(first) (.*)$/s) ?? [];
if (isFirst) {
  fetch("pkg/bolide_wasm_bg.wasm").then((response) => WebAssembly.compileStreaming(response)).then((module) => {
    start({ module });
    // The page has more urgent things to do than to take it: an answer comes first.
    ready.then(() => setTimeout(() => postMessage({ module })));
  }, () => postMessage({ module: null }));
}

// Imported here, so that the module does not wait for them. The larger module has its own bindings.
const imports = Promise.all([import("./pkg/bolide_wasm.js"), import("./metric.js")]);
let bindings;
let withoutSynonyms;
const ready = given.then(async (first) => {
  const [small, metric] = await imports;
  ({ withoutSynonyms } = metric);
  bindings = first.bindings ? await import(first.bindings) : small;
  await bindings.default({ module_or_path: first.module });
  return new bindings.Engine();
});
// An error that nobody catches tells the page that this worker is of no use.
ready.catch((problem) => setTimeout(() => { throw problem; }));
const encoder = new TextEncoder();
const decoder = new TextDecoder();
let corpus = null;
const MOST_SHOWN = 400;

const CALLS = {
  // What the engine has. Listing it takes longer than a score, so the page asks for its first score before.
  hello: (engine) => ({ version: engine.version, dialects: titled(engine, engine.dialects()), languages: engine.languages?.() ?? null }),

  lexicon(engine, { bytes }) {
    engine.loadLexicon(bytes);
  },

  // The synonyms of another language.
  synonyms(engine, { bytes }) {
    engine.loadSynonyms(bytes);
  },

  // The dictionaries of words.
  words(engine, { bytes }) {
    engine.loadWords(bytes);
  },

  // The user's paraphrases, compiled.
  async paraphrases(engine, { table }) {
    engine.loadParaphrases(new Uint8Array(await table.arrayBuffer()));
  },

  // Compiles a paraphrase table from the file of METEOR 1.5. The digest of the file is part of signatures.
  async compileParaphrases(engine, { file, language }) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
    const table = new bindings.Paraphrases();
    for (const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      table.read(value);
    }
    const bytes = table.finish(language, digest);
    return { table: bytes, n: engine.loadParaphrases(bytes) };
  },

  // The result for one segment: the alignment if the metric has one, otherwise the score. Only the metric itself is timed. If
  // WordNet is missing and the page need not wait for it, the result is that of the same metric without synonyms.
  result(engine, { metric: asked, hypothesis, references, mayLack = false }) {
    const metric = mayLack ? possible(engine, asked) : asked;
    const since = performance.now();
    const explanation = engine.explain(metric, hypothesis, references);
    const score = explanation ? null : engine.score(metric, hypothesis, references);
    const milliseconds = performance.now() - since;
    if (explanation) {
      addSurfaces(explanation.tokens.hypothesis, hypothesis);
      addSurfaces(explanation.tokens.reference, references[explanation.reference_idx]);
    }
    return { metric, signature: engine.signature(metric), explanation, score, milliseconds, dialect: dialectOf(engine, metric), isProvisional: metric !== asked };
  },

  // What stands beside a result: what it was counted from, the scores of other metrics, and a hint about the texts. The functions
  // that this takes are many, and a browser compiles each at its first call: the page shows the score meanwhile.
  details(engine, { metric, hypothesis, references, beside }) {
    const evidence = shortened(engine.evidence(metric, hypothesis, references));
    const others = beside.map((name) => ({ name, score: engine.score(name, hypothesis, references), decimals: dialectOf(engine, name).decimals }));
    return { evidence, beside: others, hint: engine.hint(metric, hypothesis, references) };
  },

  signature: (engine, { metric }) => engine.signature(metric),

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

// The metric, or the same without synonyms if WordNet is missing.
function possible(engine, metric) {
  try {
    engine.signature(metric);
    return metric;
  } catch (problem) {
    const other = problem.name === "Unavailable" && problem.message.includes("WordNet") ? withoutSynonyms(metric, dialectOf(engine, metric)) : null;
    if (other === null) throw problem;
    return other;
  }
}

// Nobody reads thousands of n-grams or edits: the lists of long texts are cut, their counts are not.
function shortened(evidence) {
  if (!evidence) return null;
  for (const order of evidence.orders) order.ngrams = order.ngrams.slice(0, MOST_SHOWN);
  evidence.edits?.path.splice(MOST_SHOWN);
  evidence.words.references = evidence.words.references.map((words) => words.slice(0, MOST_SHOWN));
  return evidence;
}

// Dialects with the title of their family.
function titled(engine, dialects) {
  const titles = new Map(engine.families().map(({ name, title }) => [name, title]));
  return dialects.map((dialect) => ({ ...dialect, title: titles.get(dialect.family) }));
}

// The dialect of a metric.
const known = new Map();
function dialectOf(engine, metric) {
  const [name] = metric.split("|");
  if (!known.has(name)) known.set(name, titled(engine, [engine.dialect(name)])[0]);
  return known.get(name);
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

async function answer({ id, call, ...args }) {
  try {
    const engine = await ready;
    const result = await CALLS[call](engine, args);
    // A compiled table is large: it is handed over, not copied.
    postMessage({ id, result }, result?.table ? [result.table.buffer] : []);
  } catch (problem) {
    const { name: kind, message } = problem instanceof Error ? problem : { name: "Error", message: String(problem) };
    postMessage({ id, error: { name: kind, message } });
  }
}

addEventListener("message", ({ data }) => (data.module ? start(data) : answer(data)));
if (asked) answer({ id: 0, call: "result", ...JSON.parse(asked) });
