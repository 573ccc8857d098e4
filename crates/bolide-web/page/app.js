// The page: connects inputs, options, engine and views.
//
// There is one request at a time. While the engine works, edits wait, and only the last one is sent,
// so that typing never waits for a queue. What is below the first screen is loaded after the first
// score is shown.

import { breathe, byId, copy, debounce, h, toast } from "./dom.js";
import { Client, lexicon } from "./engine.js";
import { BESIDE, EXAMPLES, RIVAL } from "./examples.js";
import { formula } from "./formula.js";
import { Inputs } from "./inputs.js";
import { offerLanguages, stringsFile, translate } from "./language.js";
import { withoutSynonyms } from "./metric.js";
import { Options } from "./options.js";
import { fromFragment, toFragment } from "./permalink.js";
import { AlignmentCard, components, emptyCard, glance, scoreCard } from "./result.js";
import { mark, t } from "./strings.js";

// Before anything else is written.
await translate();

const PAUSE = 120;

const engine = new Client();
const card = new AlignmentCard((step) => {
  chosenStep = step;
  remember();
});
const inputs = new Inputs(() => edited(), offerUndo);
const options = new Options(() => edited(), moreLanguages);

let compare = null;
let whatIf = null;
let lesson = null;
let dialects = [];
let result = null;
// The score before the last edit, under the same metric.
let before = null;
let isWorking = false;
let isStale = false;
let isOpen = false;
let nShown = 0;
let chosenStep = 0;

const soon = debounce(() => update(), PAUSE);
const compareSoon = debounce((input) => compare?.run(input), 250);

function edited() {
  byId("score-body").classList.add("is-stale");
  forgetUndo();
  soon();
}

async function update() {
  // Until the text of the address is there, nothing is scored.
  if (!isOpen) return;
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
  remember();
  if (!inputs.isWithinLimit) {
    return refuse(t("A text is longer than the limit, so nothing is scored."));
  }
  // An empty box is a reference that the user has not typed yet.
  const used = references.filter((text) => text.trim() !== "");
  if (hypothesis.trim() === "" || used.length === 0) return empty(hypothesis.trim() === "", used.length === 0);
  const metric = wantedMetric();
  byId("score-body").setAttribute("aria-busy", "true");
  try {
    const texts = { hypothesis, references: used };
    const answer = await engine.call("result", { metric, ...texts, mayLack: lexicon.state !== "ready" });
    if (isStale) return undefined;
    const value = (answer.explanation ?? answer.score).score;
    before = result && result.signature === answer.signature && result.value !== value ? result.value : null;
    const { dialect } = answer;
    result = { ...answer, ...texts, value, details: null };
    await show(dialect, used.length);
    compareSoon({
      hypothesis, references: used, chosen: dialect.name, family: answer.explanation ? dialect.family : null,
      score: answer.explanation?.score ?? 0,
    });
    return undefined;
  } catch (problem) {
    if (isStale) return undefined;
    if (problem.name === "Unavailable" && problem.message.includes("paraphrase")) {
      const { request } = await import("./paraphrases.js");
      return blank([request(takeTable)], t("needs the paraphrase table"));
    }
    return refuse(problem.message);
  }
}

// What the engine says beside the score: it is asked when the score is shown, once.
function detailsOf(shown) {
  const { metric, hypothesis, references } = shown;
  shown.details ??= engine.call("details", { metric, hypothesis, references, beside: BESIDE.map(({ name }) => name) }).then((answer) => ({
    ...answer, beside: answer.beside.map((other) => ({ ...other, ...BESIDE.find(({ name }) => name === other.name) })),
  }));
  return shown.details;
}

// Shows the result in three steps with a pause after each: an alignment of tens of thousands of
// words takes a while to draw, and keys that are pressed meanwhile should not wait for all of it.
async function show(dialect, nReferences) {
  const shown = result;
  const { explanation, signature, isProvisional, milliseconds } = shown;
  // The first score is drawn at once: the browser then lays out the page once for it and for what the scripts have written.
  if (nShown > 0) await breathe();
  if (shown !== result) return;
  const { body, spoken } = scoreCard(result, dialect, nReferences, before);
  byId("score-name").textContent = t("{metric} score", { metric: dialect.title });
  byId("score-body").replaceChildren(...body);
  settle();
  byId("score-body").dataset.scored = signature;
  byId("score-body").toggleAttribute("data-provisional", Boolean(isProvisional));
  byId("glance").replaceChildren(...glance(result, dialect, before));
  noteResult();
  byId("spoken").textContent = spoken;
  byId("signature").textContent = signature;
  byId("time").textContent = milliseconds < 1 ? t("Scored in under a millisecond.") : t("Scored in {time} ms.", { time: milliseconds.toFixed(milliseconds < 10 ? 1 : 0) });
  // While the synonym table is loading, or if it cannot be loaded, the result is that of the same metric without synonyms, and
  // the page says so. The events of the lexicon report the outcome.
  if (isProvisional && lexicon.state === "absent") lexicon.load().catch(() => {});
  Object.assign(shown, await detailsOf(shown));
  await breathe();
  if (shown !== result) return;
  noteHint();
  const written = !explanation || shown.evidence ? await import("./evidence.js") : null;
  const steps = explanation ? formula(explanation, written?.weighted(shown)) : written.steps(shown, dialect);
  if (shown !== result) return;
  byId("parts").replaceChildren(...components(result, dialect));
  byId("formula").replaceChildren(steps);
  if (!isProvisional) options.showEffect(signature);
  allowCopies(true);
  await breathe();
  if (shown !== result) return;
  byId("alignment").hidden = !explanation;
  card.explanation = explanation ?? null;
  whatIf?.clear();
  lesson?.follow(result);
  byId("score-body").dataset.shown = String(++nShown);
  showBeside();
}

function settle() {
  byId("score-body").setAttribute("aria-busy", "false");
  byId("score-body").classList.remove("is-stale");
  document.documentElement.classList.remove("has-own-text", "is-opening");
}

const COPIES = ["copy-json", "copy-signature", "copy-markdown", "copy-latex"];
function allowCopies(are) {
  for (const id of COPIES) byId(id).disabled = !are;
}

// Clears everything about a score.
function blank(body, spoken) {
  result = null;
  byId("score-body").replaceChildren(...body);
  byId("score-body").removeAttribute("data-provisional");
  settle();
  byId("score-note").replaceChildren();
  byId("text-hint").replaceChildren();
  byId("glance").replaceChildren();
  byId("spoken").textContent = spoken;
  byId("signature").textContent = "";
  byId("time").textContent = "";
  byId("parts").replaceChildren();
  byId("formula").replaceChildren();
  // An error or a request stands alone; an empty box keeps the place of the picture.
  byId("alignment").hidden = !body.some((part) => part.matches(".invitation"));
  byId("beside").hidden = true;
  card.explanation = null;
  allowCopies(false);
}

function empty(lacksHypothesis, lacksReference) {
  blank(emptyCard(lacksHypothesis, lacksReference), "");
  compare?.clear();
  showSettings();
}

// The settings that are in effect, if there is no result that would say so.
async function showSettings() {
  try {
    const metric = wantedMetric();
    const signature = await engine.call("signature", { metric });
    if (result === null && metric === wantedMetric()) options.showEffect(signature);
  } catch {
    // The metric lacks a table or is unknown; scoring says so.
  }
}

// The engine may say which key would do instead.
function refuse(message) {
  const [, key, value] = message.match(/; (\w+):(\w+) takes/) ?? [];
  const act = () => {
    options.set(key, value);
    edited();
  };
  blank([h("p", { class: "notice" }, message), key ? h("div", { class: "row" }, h("button", { type: "button", class: "quiet", onclick: act }, `${key}:${value}`)) : null].filter(Boolean), message);
}

// What the engine says about the texts, such as letters of another language, with a button for what it advises. It stands under
// their boxes.
function hintNote({ hint }) {
  const [metric] = hint.match(/\S+\|language:[a-z]+/) ?? [];
  const label = metric ? metric : hint.includes("the key 'language'") ? t("Choose the language") : null;
  const act = () => {
    if (!metric) return options.hasLanguages ? options.showLanguages() : moreLanguages();
    options.metric = metric;
    return edited();
  };
  return [h("p", { class: "advice", lang: "en" }, `${hint[0].toUpperCase()}${hint.slice(1)}.`),
    ...(label ? [h("div", { class: "row" }, h("button", { type: "button", class: "quiet", onclick: act }, label))] : [])];
}

function noteHint() {
  byId("text-hint").replaceChildren(...(result.hint ? hintNote(result) : []));
}

// The note under a score: how much of the synonyms' table is loaded, or what to do if it cannot be loaded.
function noteResult() {
  const note = byId("score-note");
  if (!result?.isProvisional) return note.replaceChildren();
  if (lexicon.state === "failed") {
    return note.replaceChildren(
      h("p", { class: "notice" }, t("The synonym table could not be loaded, so this score does not use synonyms.")),
      h("div", { class: "row" },
        h("button", {
          type: "button", class: "quiet", onclick: () => {
            lexicon.load().catch(() => {});
            noteResult();
          },
        }, t("Try again")),
        h("button", {
          type: "button", class: "quiet", onclick: () => {
            options.metric = withoutSynonyms(options.metric, options.dialect);
            update();
          },
        }, t("Score without synonyms"))));
  }
  if (!note.querySelector("progress")) {
    note.replaceChildren(h("p", { class: "hint loading" }, h("span", {}), " ", h("progress", { "aria-label": t("Loading the synonym table") })));
  }
  note.querySelector("span").textContent = lexicon.total > 0
    ? t("Without synonyms so far: their table is loading ({size} MB, once).", { size: (lexicon.total / 1e6).toFixed(1) }) : t("Without synonyms so far: their table is loading.");
  if (lexicon.total > 0) Object.assign(note.querySelector("progress"), { max: lexicon.total, value: lexicon.loaded });
  return undefined;
}

lexicon.addEventListener("change", () => {
  if (lexicon.state === "ready") update();
  else noteResult();
});

// ---------------------------------------------------------------------------------------------
// The alignment of another dialect for the same texts.

let nBeside = 0;
async function showBeside() {
  const turn = ++nBeside;
  const metric = byId("beside-dialect").value;
  byId("beside").hidden = !result?.explanation;
  if (!result?.explanation || metric === "") return byId("beside-body").replaceChildren();
  const { explanation, hypothesis, references } = result;
  try {
    const [{ drawBeside }, other] = await Promise.all([
      import("./beside.js"), engine.call("result", { metric, hypothesis, references }),
    ]);
    if (turn !== nBeside) return undefined;
    drawBeside(explanation, other.explanation, [result.dialect.name, metric], (text, target) => card.say(text, target));
  } catch (problem) {
    if (turn === nBeside) byId("beside-body").replaceChildren(h("p", { class: "hint" }, problem.message));
  }
  return undefined;
}
byId("beside-dialect").addEventListener("change", showBeside);
byId("beside-rival").textContent = t("What {name} does", { name: RIVAL.label });
byId("beside-rival").addEventListener("click", () => {
  byId("beside-dialect").value = RIVAL.name;
  showBeside();
});

function offerBeside() {
  const [none] = byId("beside-dialect").options;
  const chosen = byId("beside-dialect").value;
  const list = dialects.filter(({ alignment }) => alignment).map(({ name }) => h("option", { value: name }, name));
  byId("beside-dialect").replaceChildren(none, ...list);
  byId("beside-dialect").value = chosen;
}

// ---------------------------------------------------------------------------------------------
// The address, and keeping the user's text.

// The entry of the browser's history holds the whole text, so that a reload and Back restore it. The address also holds
// it unless it is long; then the link is made on request.
let nOpened = 0;
async function keepState() {
  const opened = nOpened;
  const state = { ...inputs.value, metric: wantedMetric(), step: chosenStep };
  const isLong = state.hypothesis.length + state.references.join().length > 10_000;
  const fragment = isLong ? "" : await toFragment(state);
  // Another text was opened meanwhile, with its own entry.
  if (opened !== nOpened) return;
  const address = fragment && fragment.length <= 4000 ? `#${fragment}` : location.pathname + location.search;
  try {
    history.replaceState(state, "", address);
  } catch {
    // Too large for the history of this browser: the boxes still hold it.
  }
}
// Browsers refuse an address that changes too often.
const remember = debounce(keepState, 250);
// A reload may happen earlier. The history can no longer be changed then, so the storage of this tab passes on the text.
addEventListener("pagehide", () => {
  try {
    sessionStorage.setItem("draft", JSON.stringify({ ...inputs.value, metric: wantedMetric(), step: chosenStep }));
  } catch {
    // Storage is forbidden or full: only the text in the history is kept.
  }
});

// The text from before a reload, or null. It can be read once. Other visits do not wait for the storage.
function draft() {
  if (performance.getEntriesByType("navigation")[0]?.type !== "reload") return null;
  try {
    const text = sessionStorage.getItem("draft");
    sessionStorage.removeItem("draft");
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// Until the engine is loaded, no metric can be chosen.
let pending = null;
const wantedMetric = () => pending ?? options.metric;

function open({ hypothesis, references, metric, step = 0 }) {
  nOpened++;
  // A link with a metric alone leaves the texts as they are.
  if (hypothesis !== undefined) inputs.value = { hypothesis, references };
  chosenStep = step;
  card.step = step;
  if (dialects.length === 0) pending = metric;
  else options.metric = metric;
}

// Opens what the entry of the history, or otherwise the address, holds.
async function openAddress(state) {
  const given = state?.hypothesis !== undefined ? state : await fromFragment(location.hash);
  if (!given) return false;
  open(given);
  return true;
}

addEventListener("popstate", async ({ state }) => {
  try {
    if (await openAddress(state)) await update();
  } catch (problem) {
    refuse(problem.message);
  }
});

byId("skip").addEventListener("click", (event) => {
  // Following the link would replace the text in the address.
  event.preventDefault();
  byId("result").focus();
  byId("result").scrollIntoView({ block: "start" });
});

// Called before a button replaces the text: Back, Ctrl+Z and a button in the message undo it.
let undo = null;
function offerUndo(what, text) {
  const kept = { ...text, metric: wantedMetric(), step: chosenStep };
  history.replaceState(kept, "");
  history.pushState(kept, "");
  const run = () => {
    undo = null;
    history.back();
  };
  // The replacement itself does not withdraw the offer to undo; the next edit does.
  queueMicrotask(() => { undo = run; });
  toast(what, { label: t("Undo"), run });
}
function forgetUndo() {
  undo = null;
}
addEventListener("keydown", (event) => {
  if (undo === null || event.key.toLowerCase() !== "z" || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  byId("toast").classList.remove("is-shown");
  undo();
});

// ---------------------------------------------------------------------------------------------
// Copying and saving.

byId("copy-link").addEventListener("click", async () => {
  const fragment = await toFragment({ ...inputs.value, metric: options.metric, step: chosenStep });
  await copy(`${location.href.split("#")[0]}#${fragment}`, t("Link"));
});
byId("copy-signature").addEventListener("click", () => copy(result.signature, t("Signature")));
byId("copy-json").addEventListener("click", async () => {
  const { metric, signature, hypothesis, references, explanation, score: plain } = result;
  const { beside } = await detailsOf(result);
  const others = Object.fromEntries(beside.map((other) => [other.name, other.score]));
  const whole = { metric, signature, hypothesis, references, ...(explanation ? { explanation } : { score: plain }), beside: others };
  copy(JSON.stringify(whole, null, 2), "JSON");
});
for (const [id, name, label] of [["copy-markdown", "toMarkdown", "Markdown"], ["copy-latex", "toLatex", "LaTeX"]]) {
  byId(id).addEventListener("click", async () => {
    const { [name]: write } = await import("./takeaway.js");
    await copy(write(result, result.dialect), label);
  });
}

function offerExamples() {
  byId("examples").append(...EXAMPLES.map((example) => h("button", {
    type: "button", class: "chip", title: t(example.point), onclick: () => {
      openExample(example, example);
      teach(example);
    },
  }, t(example.name), " ", h("b", {}, example.score))));
}

function openExample(example, texts) {
  offerUndo(t("Example: {name}", { name: t(example.name) }), inputs.value);
  open(texts);
  update();
}

// The lesson of an example.
async function teach(example) {
  const { Lesson } = await import("./lesson.js");
  lesson ??= new Lesson();
  lesson.show(example, () => openExample(example, { ...example, ...example.solution }));
  if (result && !isWorking) lesson.follow(result);
}

// Colours: the system's, or those that the user chose. Only the choice is stored, in this browser.
const THEMES = ["auto", "light", "dark"];
const THEME_NAMES = { auto: mark("Auto"), light: mark("Light"), dark: mark("Dark") };
function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId("theme-name").textContent = t(THEME_NAMES[theme]);
}
const themeNow = () => document.documentElement.dataset.theme ?? "auto";
setTheme(themeNow());
byId("theme").addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(themeNow()) + 1) % THEMES.length];
  setTheme(next);
  try {
    localStorage.setItem("theme", next);
  } catch {
    // Storage may be forbidden; then the choice is not stored.
  }
});

// ---------------------------------------------------------------------------------------------

async function start() {
  try {
    let problem = null;
    const opened = (inputs.isUntouched ? openAddress(draft() ?? history.state) : Promise.resolve(false)).catch((error) => {
      problem = error;
      return false;
    });
    if (!(await opened)) pending = EXAMPLES[0].metric;
    isOpen = true;
    await update();
    offerExamples();
    const hello = await engine.call("hello");
    if (problem) {
      byId("failure").textContent = problem.message;
      byId("failure").hidden = false;
    }
    takeRegistry(hello);
    byId("version").textContent = `bolide ${hello.version}`;
    await rest();
  } catch (problem) {
    byId("failure").textContent = t("The engine could not be started: {problem}", { problem: problem.message });
    byId("failure").hidden = false;
    byId("score-body").replaceChildren();
    settle();
  }
}

// What the engine has: again when the larger module has come. An answer of the small one may be late.
function takeRegistry({ dialects: list, languages }) {
  if (options.hasLanguages && languages === null) return;
  const metric = wantedMetric();
  dialects = list;
  options.take(dialects, languages);
  offerBeside();
  options.metric = metric;
  pending = null;
  if (result === null) showSettings();
  else if (!result.isProvisional) options.showEffect(result.signature);
  if (compare) compare.dialects = dialects;
}

engine.onLanguages = async () => takeRegistry(await engine.call("hello"));

// The user wants to choose a language that only the larger module knows.
async function moreLanguages() {
  try {
    byId("score-note").replaceChildren(h("p", { class: "hint" }, t("Loading the languages…")));
    await engine.useLanguages();
    takeRegistry(await engine.call("hello"));
    options.showLanguages();
  } catch (problem) {
    toast(t("The languages could not be loaded: {problem}", { problem: problem.message }));
    options.metric = options.metric;
  } finally {
    noteResult();
  }
}

// Loads what is below the first screen, and the service worker.
async function rest() {
  const [{ Compare }, { Batch }, { WhatIf }, { explainTerms }] = await Promise.all([
    import("./compare.js"), import("./batch.js"), import("./whatif.js"), import("./glossary.js"),
  ]);
  explainTerms((text, target) => card.say(text, target));
  offerLanguages();
  document.documentElement.classList.add("is-whole");
  const toResult = () => byId("result").scrollIntoView({ block: "start" });
  compare = new Compare((name) => {
    options.metric = name;
    update();
    byId("result").focus({ preventScroll: true });
    toResult();
  });
  compare.dialects = dialects;
  if (result) update();
  new Batch(
    () => ({ metric: options.metric, dialect: options.dialect }),
    (segment) => {
      offerUndo(t("Segment opened"), inputs.value);
      inputs.value = segment;
      update();
      toResult();
    },
    takeTable,
  );
  whatIf = new WhatIf({
    result: () => result,
    dialect: () => options.dialect,
    score: async (hypothesis) => {
      const { metric, references } = result;
      return (await engine.call("score", { metric, hypothesis, references })).score;
    },
    apply: (hypothesis) => {
      offerUndo(t("Word changed"), inputs.value);
      inputs.value = { ...inputs.value, hypothesis };
      update();
    },
  });
  card.loadMatrix();
  const isSecure = "serviceWorker" in navigator;
  if (isSecure) {
    // A browser that stores nothing, as in a private window, still shows the page.
    setTimeout(() => navigator.serviceWorker.register("sw.js").catch(() => {}), 1500);
    const own = stringsFile();
    // Texts of other languages than the reader's are not stored.
    if (own) caches.open("bolide").then((kept) => kept.add(own)).catch(() => {});
  }
}

// The user's own paraphrase table, chosen or dropped.
async function takeTable(file) {
  const paraphrases = await import("./paraphrases.js");
  await paraphrases.takeTable(file, () => {
    engine.forgetOwnTable();
    compare?.forgetOwnTable();
    update();
  });
}

start();
