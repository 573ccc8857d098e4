// The engine in node, with WordNet: what the adapters for test frameworks share.

import { readFileSync } from "node:fs";
import { Engine, initSync } from "./bolide_wasm.js";

let engine;

// Built on the first call, because a test run may not need it.
export function loadEngine() {
  if (!engine) {
    const file = (name) => readFileSync(new URL(name, import.meta.url));
    initSync({ module: file("bolide_wasm_bg.wasm") });
    engine = new Engine();
    engine.loadLexicon(file("wordnet-3.0.dat"));
  }
  return engine;
}

// The metric that is meant if none is named.
export const defaultMetric = () => loadEngine().families()[0].default;

const list = (references) => (Array.isArray(references) ? references : [references]);

// Scores a text: { signature, score, components }.
export function score(hypothesis, references, metric = defaultMetric()) {
  return loadEngine().score(metric, hypothesis, list(references));
}

// Whether a smaller score is better, as in an error rate.
export function lowerIsBetter(metric) {
  const [name] = loadEngine().signature(metric).split("|");
  return loadEngine().dialects().find((dialect) => dialect.name === name).lower_is_better;
}

const MARKS = { exact: "~", case: "~c~", stem: "~s~", synonym: "~w~", near: "~n~", paraphrase: "~p~" };
const short = (number) => String(Number(number.toPrecision(6)));
const words = (tokens, from = 0, count = tokens.length) => tokens.slice(from, from + count).map((token) => token.text);

// Why a score is what it is: the alignment, or the components of a metric without one.
export function reason(hypothesis, references, metric = defaultMetric()) {
  const explanation = explained(hypothesis, references, metric);
  if (!explanation) {
    const { components } = score(hypothesis, references, metric);
    return Object.entries(components).map(([name, value]) => `${name} ${short(Number(value))}`).join(", ");
  }
  const { tokens, pairs } = explanation;
  const chunks = new Map();
  for (const pair of pairs) {
    const ours = words(tokens.hypothesis, pair.hypothesis, pair.hypothesis_tokens).join("_");
    const theirs = words(tokens.reference, pair.reference, pair.reference_tokens).join("_");
    chunks.set(pair.chunk, [...(chunks.get(pair.chunk) ?? []), ours + MARKS[pair.stage] + theirs]);
  }
  const steps = ["precision", "recall", "fmean", "penalty", "score"].map((name) => `${name} ${short(explanation[name])}`);
  const matches = [...chunks.values()].map((chunk) => chunk.join(" ")).join(" | ") || "(no match)";
  return [words(tokens.hypothesis).join(" "), words(tokens.reference).join(" "), matches, steps.join(", ")].join("\n");
}

function explained(hypothesis, references, metric) {
  try {
    return loadEngine().explain(metric, hypothesis, list(references));
  } catch (error) {
    if (error.name === "NoAlignment") return undefined;
    throw error;
  }
}
