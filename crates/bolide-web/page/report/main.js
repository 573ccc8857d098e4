// The report: reads the data, creates the views and connects them.

import { byId, debounce, h, plural } from "../dom.js";
import { hasWords } from "./alignments.js";
import { Buckets } from "./buckets.js";
import { readBlock, readSummary, toNumbers } from "./data.js";
import { Detail } from "./detail.js";
import { Histograms } from "./histograms.js";
import { Human } from "./human.js";
import { Leaderboard } from "./leaderboard.js";
import { Segments } from "./segments.js";
import { State } from "./state.js";
import { Ngrams, Words } from "./words.js";

const summary = readSummary();
const many = summary.systems.length > 1;
const app = {
  summary,
  names: summary.systems,
  state: new State({ metric: 0, a: 0, b: many ? 1 : null, baseline: 0, query: "", order: many ? "gain" : "segment", segment: null, rows: null, width: 0 }),
  columns: null,
  texts: null,
  alignments: null,
  tables: null,
  mask: new Uint8Array(summary.segments).fill(1),
  step: () => {},
  // Filters to segments in which one of the systems has these words: as unmatched reference words
  // ("missing"), as unmatched hypothesis words ("extra"), or anywhere in the hypothesis ("said").
  find(words, how, systems) {
    const label = `“${words}” ${{ missing: "missing from", extra: "extra in", said: "in" }[how]} ${systems.map((system) => app.names[system]).join(" or ")}`;
    const test = (segment) => systems.some((system) => hasWords(app, segment, system, words.toLowerCase().split(" "), how));
    app.state.toggleFilter("words", { id: `${how} ${systems} ${words}`, label, test });
    byId("segments").scrollIntoView({ block: "start" });
  },
  // Shows a segment.
  open(segment) {
    app.state.set({ segment });
    byId("detail").scrollIntoView({ block: "nearest" });
  },
};

const asked = fromAddress();
const { segment: askedSegment = null, ...askedSystems } = asked;
Object.assign(app.state, askedSystems);
heading();
choose();
theme();
about();
new Leaderboard(app);
new Buckets(app);
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => load());
else load();

function heading() {
  document.title = summary.title;
  byId("title").textContent = summary.title;
  const references = summary.references === "var" ? "a varying number of references" : plural(Number(summary.references), "reference");
  byId("subtitle").textContent = `${plural(summary.systems.length, "system")}, ${plural(summary.segments, "segment")} with ${references} each`;
  byId("version").textContent = `bolide ${summary.version} · one file, no network: your text stays in it`;
  byId("print").addEventListener("click", () => window.print());
  const parts = [["leaderboard", "Leaderboard"], ["histograms", "Distributions"], ["segments", "Segments"], ["buckets", "Buckets"], ["words", "Words"],
    ...(many ? [["ngrams", "N-grams"]] : []), ...(summary.human ? [["human", "People"]] : [])];
  byId("nav").append(...parts.map(([id, label]) => h("a", { href: `#${id}` }, label)));
  // The address holds the choices: following a link within the page must not replace it.
  for (const link of document.querySelectorAll('#nav a, a.skip')) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const part = document.querySelector(link.getAttribute("href"));
      part.scrollIntoView({ block: "start" });
      if (link.classList.contains("skip")) part.focus({ preventScroll: true });
    });
  }
}

// A, B, the metric and the segment in the address, counted from 1: a link shows what its sender saw.
function fromAddress() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const number = (key, most) => {
    const n = Number(fields.get(key));
    return Number.isInteger(n) && n >= 1 && n <= most ? n - 1 : null;
  };
  const given = { a: number("a", summary.systems.length), b: number("b", summary.systems.length), metric: number("m", summary.metrics.length), segment: number("segment", summary.segments) };
  if (given.b === (given.a ?? app.state.a)) given.b = null;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function address() {
  const { a, b, metric, segment } = app.state;
  const fields = new URLSearchParams({ a: a + 1, ...(b === null ? {} : { b: b + 1 }), m: metric + 1, ...(segment === null ? {} : { segment: segment + 1 }) });
  return `#${fields}`;
}

function followAddress() {
  const tell = debounce(() => {
    try {
      history.replaceState(null, "", address());
    } catch {
      // Some file hosts do not allow a change of the address.
    }
  }, 200);
  app.state.subscribe((changed) => {
    if (["a", "b", "metric", "segment"].some((name) => changed.has(name))) tell();
  });
  window.addEventListener("hashchange", () => app.state.set(fromAddress()));
}

// The systems and the metric that every part shows.
function choose() {
  const { state, names } = app;
  const select = (id, label, options, change) => {
    const element = h("select", { id, onchange: (event) => change(Number(event.target.value)) }, options.map((text, at) => h("option", { value: at }, text)));
    return h("label", { class: `field-inline ${id}` }, label, element);
  };
  const exchange = { a: (at) => (at === state.b ? { a: at, b: state.a } : { a: at }), b: (at) => (at === state.a ? { b: at, a: state.b } : { b: at }) };
  byId("choose").append(
    select("choose-a", h("span", { class: "key-a" }, many ? "A" : "System"), names, (at) => state.set(exchange.a(at))),
    ...(many ? [
      h("button", { type: "button", class: "quiet swap", title: "Exchange A and B", "aria-label": "Exchange A and B", onclick: () => state.set({ a: state.b, b: state.a }) }, "⇄"),
      select("choose-b", h("span", { class: "key-b" }, "B"), names, (at) => state.set(exchange.b(at))),
    ] : []),
    ...(summary.metrics.length > 1 ? [select("choose-metric", h("span", {}, "by"), summary.metrics.map(({ name }) => name), (at) => state.set({ metric: at }))] : []));
  const show = (id, system) => Object.assign(byId(id), { value: String(system), title: names[system] });
  const showAll = () => {
    show("choose-a", state.a);
    if (many) show("choose-b", state.b);
    if (summary.metrics.length > 1) byId("choose-metric").value = String(state.metric);
  };
  showAll();
  state.subscribe(showAll);
}

// Colours: the system's, light, dark.
function theme() {
  const names = ["Auto", "Light", "Dark"];
  let at = 0;
  const show = () => {
    if (at === 0) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = names[at].toLowerCase();
    byId("theme-name").textContent = names[at];
    app.state.set({ width: app.state.width + 1 });
  };
  byId("theme").addEventListener("click", () => {
    at = (at + 1) % names.length;
    show();
  });
}

function about() {
  const line = (name, signature) => h("li", {}, h("b", {}, name), " ", h("code", {}, signature));
  byId("about").append(
    h("p", { class: "hint" }, "A signature names every setting that affects a score; ", h("code", {}, "bolide score -m"), " accepts it as it stands."),
    h("ul", { class: "signatures" }, summary.metrics.map(({ name, signature }) => line(name, signature)),
      summary.metrics.some(({ signature }) => signature === summary.aligner.signature) ? null : line("alignments", summary.aligner.signature)),
    h("p", { class: "hint" }, `Alignments, precision, recall, fragmentation, words and n-grams are those of ${summary.aligner.name}.`));
}

// Numbers first, then texts, then the rest: each part is shown as soon as possible.
async function load() {
  try {
    const columns = await readBlock("columns");
    columns.scores = columns.scores.map((systems) => systems.map(toNumbers));
    for (const name of ["precision", "recall", "fragmentation"]) columns[name] = columns[name].map(toNumbers);
    columns.human = columns.human?.map(toNumbers) ?? null;
    app.columns = columns;
    new Segments(app);
    new Histograms(app);
    new Detail(app);
    if (summary.human) new Human(app);
    app.state.set({ columns });
    if (askedSegment !== null) app.state.set({ segment: askedSegment });
    followAddress();
    app.texts = await readBlock("texts");
    app.state.set({ texts: app.texts });
    app.alignments = await readBlock("alignments");
    app.state.set({ alignments: app.alignments });
    app.tables = await readBlock("words");
    new Words(app);
    new Ngrams(app);
    let last = document.documentElement.clientWidth;
    window.addEventListener("resize", debounce(() => {
      if (document.documentElement.clientWidth === last) return;
      last = document.documentElement.clientWidth;
      app.state.set({ width: app.state.width + 1 });
    }, 120));
    document.documentElement.dataset.ready = "yes";
  } catch (problem) {
    byId("failure").hidden = false;
    byId("failure").textContent = `This report could not be read: ${problem.message}`;
  }
}
