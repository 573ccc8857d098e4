// The page: connects inputs, options, engine and views.
//
// One request is under way at a time. Edits that come while the engine works wait, and only the
// last of them is sent, so that typing is never slower than the engine.

import { Batch } from "./batch.js";
import { Compare } from "./compare.js";
import { breathe, byId, copy, debounce, h } from "./dom.js";
import { Client, lexicon } from "./engine.js";
import { BESIDE, EXAMPLES } from "./examples.js";
import { formula } from "./formula.js";
import { Inputs } from "./inputs.js";
import { Options } from "./options.js";
import { fromFragment, joinMetric, splitMetric, toFragment } from "./permalink.js";
import { AlignmentCard, scoreCard } from "./result.js";

const PAUSE = 120;

const engine = new Client();
const card = new AlignmentCard();
const inputs = new Inputs(() => soon());
const options = new Options(() => soon());
const compare = new Compare((name) => {
  options.metric = name;
  update();
  byId("result").focus({ preventScroll: true });
  byId("result").scrollIntoView({ block: "start" });
});
new Batch(
  () => ({ metric: options.metric, dialect: options.dialect }),
  (segment) => {
    inputs.value = segment;
    update();
    byId("result").scrollIntoView({ block: "start" });
  },
);

let dialects = [];
let result = null;
let isWorking = false;
let isStale = false;
let nShown = 0;

const soon = debounce(() => update(), PAUSE);
const compareSoon = debounce((input) => compare.run(input), 250);

async function update() {
  if (isWorking) {
    isStale = true;
    return;
  }
  isWorking = true;
  try {
    do {
      isStale = false;
      await score();
    } while (isStale);
  } finally {
    isWorking = false;
  }
}

async function score() {
  const { hypothesis, references } = inputs.value;
  if (!inputs.isWithinLimit) {
    return refuse("A text is longer than the limit, so nothing is scored.");
  }
  // An empty box is a reference still to be typed, unless it is the only one.
  const given = references.filter((text) => text.trim() !== "");
  const used = given.length > 0 ? given : [references[0] ?? ""];
  const { metric, dialect } = options;
  byId("score-body").setAttribute("aria-busy", "true");
  try {
    const beside = BESIDE.map(({ name }) => name);
    const answer = await engine.call("result", { metric, hypothesis, references: used, beside });
    if (isStale) return undefined;
    answer.beside = answer.beside.map((other) => ({
      ...other,
      ...BESIDE.find(({ name }) => name === other.name),
      decimals: dialects.find(({ name }) => name === other.name)?.decimals ?? 4,
    }));
    result = { ...answer, hypothesis, references: used };
    await show(dialect, used.length);
    remember({ hypothesis, references, metric });
    compareSoon({
      hypothesis, references: used, chosen: dialect.name, family: answer.explanation ? dialect.family : null,
      score: answer.explanation?.score ?? 0,
    });
    return undefined;
  } catch (problem) {
    if (isStale) return undefined;
    return refuse(problem.message, problem.name);
  }
}

// Shows the result in three steps with a pause after each: an alignment of tens of thousands of
// words takes a while to draw, and keys that are pressed meanwhile should not wait for all of it.
async function show(dialect, nReferences) {
  const shown = result;
  const { explanation, signature } = shown;
  await breathe();
  if (shown !== result) return;
  const { body, spoken } = scoreCard(result, dialect, nReferences);
  byId("score-name").textContent = dialect.title;
  byId("score-body").replaceChildren(body);
  byId("score-body").setAttribute("aria-busy", "false");
  byId("spoken").textContent = spoken;
  byId("signature").textContent = signature;
  await breathe();
  if (shown !== result) return;
  byId("formula").replaceChildren(explanation ? formula(explanation)
    : h("p", { class: "hint" }, "The steps are shown for metrics with an alignment; the parts of this one stand beside its score."));
  options.showEffect(signature);
  for (const id of ["copy-json", "copy-signature"]) byId(id).disabled = false;
  await breathe();
  if (shown !== result) return;
  card.explanation = explanation ?? null;
  byId("score-body").dataset.shown = String(++nShown);
}

function refuse(message, name = "") {
  result = null;
  const actions = [];
  if (name === "LexiconFailed") {
    const withoutSynonyms = () => {
      const { name: dialect, keys } = splitMetric(options.metric);
      options.metric = joinMetric(dialect, new Map([...keys, ["match", "exact+stem"]]));
      update();
    };
    actions.push(
      h("button", { type: "button", class: "quiet", onclick: () => update() }, "Try again"),
      h("button", { type: "button", class: "quiet", onclick: withoutSynonyms }, "Score without synonyms"),
    );
  }
  byId("score-body").replaceChildren(h("p", { class: "notice" }, message), h("div", { class: "row" }, actions));
  byId("score-body").setAttribute("aria-busy", "false");
  byId("spoken").textContent = message;
  byId("signature").textContent = "";
  byId("formula").replaceChildren();
  card.explanation = null;
  for (const id of ["copy-json", "copy-signature"]) byId(id).disabled = true;
}

// The address always holds the inputs, so that it can be kept; a long text only on request.
let ours = "";
async function remember(state) {
  if (state.hypothesis.length + state.references.join().length > 10_000) return;
  const fragment = await toFragment(state);
  if (fragment.length > 4000 || isStale) return;
  ours = `#${fragment}`;
  history.replaceState(null, "", ours);
}

async function openFragment() {
  const state = await fromFragment(location.hash);
  if (!state) return false;
  inputs.value = state;
  options.metric = state.metric;
  return true;
}

addEventListener("hashchange", async () => {
  if (location.hash === ours) return;
  try {
    if (await openFragment()) await update();
  } catch (problem) {
    refuse(problem.message);
  }
});

byId("copy-link").addEventListener("click", async () => {
  const { hypothesis, references } = inputs.value;
  const fragment = await toFragment({ hypothesis, references, metric: options.metric });
  await copy(`${location.href.split("#")[0]}#${fragment}`, "Link");
});
byId("copy-signature").addEventListener("click", () => copy(result.signature, "Signature"));
byId("copy-json").addEventListener("click", () => {
  const { metric, signature, hypothesis, references, explanation, report, beside } = result;
  const others = Object.fromEntries(beside.map((other) => [other.name, other.report]));
  const whole = { metric, signature, hypothesis, references, ...(explanation ? { explanation } : { report }), beside: others };
  copy(JSON.stringify(whole, null, 2), "JSON");
});

byId("examples").append(...EXAMPLES.map((example) => h("button", {
  type: "button", class: "chip", onclick: () => {
    inputs.value = example;
    options.metric = example.metric;
    update();
  },
}, example.name, " ", h("b", {}, example.score))));

lexicon.addEventListener("change", () => {
  if (lexicon.state !== "loading" || !isWorking) return;
  const body = byId("score-body");
  const size = lexicon.total > 0 ? `${(lexicon.total / 1e6).toFixed(1)} MB, once` : "once";
  if (!body.querySelector("progress.table")) {
    body.replaceChildren(h("p", {}, `Loading the synonym table (${size})…`),
      h("progress", { class: "table", "aria-label": "Loading the synonym table" }));
  }
  if (lexicon.total > 0) {
    Object.assign(body.querySelector("progress.table"), { max: lexicon.total, value: lexicon.loaded });
  }
});

// Colours: as the system has them, or as chosen. Only the choice is kept, in this browser.
const THEMES = { auto: "as the system has them", light: "light", dark: "dark" };
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId("theme").setAttribute("aria-label", `Colours: ${THEMES[theme]}`);
  byId("theme").querySelector("span").textContent = theme[0].toUpperCase() + theme.slice(1);
}
let theme = "auto";
try {
  theme = localStorage.getItem("theme") ?? "auto";
} catch {
  // Storage may be forbidden; then nothing is kept.
}
setTheme(theme in THEMES ? theme : "auto");
byId("theme").addEventListener("click", () => {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length];
  setTheme(next);
  try {
    localStorage.setItem("theme", next);
  } catch {
    // As above.
  }
});

async function start() {
  try {
    const hello = await engine.call("hello");
    dialects = hello.dialects;
    options.dialects = dialects;
    compare.dialects = dialects;
    byId("version").textContent = `bolide ${hello.version}`;
    let hasLink = false;
    try {
      hasLink = await openFragment();
    } catch (problem) {
      byId("failure").textContent = problem.message;
      byId("failure").hidden = false;
    }
    if (!hasLink) {
      inputs.value = EXAMPLES[0];
      options.metric = EXAMPLES[0].metric;
    }
    await update();
  } catch (problem) {
    byId("failure").textContent = `The engine could not be started: ${problem.message}`;
    byId("failure").hidden = false;
    byId("score-body").replaceChildren();
  }
}

start();
