// The words that are most often unmatched, and n-grams that one system has more often than the other.

import { byId, h, scroller } from "../dom.js";
import { count, percent, systemName } from "./format.js";
import { touches } from "./state.js";

const FEW = 15;

function choices(name, label, options, chosen, change) {
  return h("div", { class: "segmented", role: "radiogroup", "aria-label": label }, options.map(([value, text]) => (
    h("label", {}, h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => change(value) }), h("span", {}, text)))));
}

export class Words {
  #app;
  #side = "missing";
  #order = "a";
  #most = FEW;

  constructor(app) {
    this.#app = app;
    const many = app.summary.systems.length > 1;
    const orders = [["a", "A most"], ["b", "B most"], ["difference", "Difference"], ["rate", "Share"]].filter(([key]) => many || key === "a" || key === "rate");
    byId("words-tools").append(
      choices("word-side", "Which words", [["missing", "Missing from the hypothesis"], ["extra", "Not in the reference"]], "missing", (side) => {
        this.#side = side;
        this.draw();
      }),
      choices("word-order", "Order", orders, "a", (order) => {
        this.#order = order;
        this.draw();
      }));
    app.state.subscribe((changed) => {
      if (touches(changed, "a", "b")) this.draw();
    });
    this.draw();
  }

  draw() {
    const { tables, names } = this.#app;
    const table = tables[this.#side];
    const systems = this.#systems;
    const lone = (at, side) => table.lone[at][systems[side]] ?? 0;
    const all = (at, side) => table.all[at][systems[side]] ?? 0;
    const keys = {
      a: (at) => lone(at, 0),
      b: (at) => lone(at, 1),
      difference: (at) => Math.abs(lone(at, 1) - lone(at, 0)),
      // The share of a rare word says nothing.
      rate: (at) => (all(at, 0) >= 5 ? lone(at, 0) / all(at, 0) + lone(at, 0) * 1e-9 : -1),
    };
    const key = keys[this.#order];
    // Punctuation comes after the words, however frequent it is.
    const mark = (at) => (/[\p{L}\p{N}]/u.test(table.words[at]) ? 0 : 1);
    const order = table.words.map((_, at) => at).filter((at) => key(at) > 0).sort((x, y) => mark(x) - mark(y) || key(y) - key(x) || x - y);
    const shown = order.slice(0, this.#most);
    const most = Math.max(1, ...shown.flatMap((at) => systems.map((_, side) => lone(at, side))));
    const cells = (at) => systems.map((_, side) => {
      const bar = h("span", { class: `bar-fill side-${side === 0 ? "a" : "b"}` });
      bar.style.setProperty("inline-size", `${(100 * lone(at, side)) / most}%`);
      return [h("td", { class: "number" }, count(lone(at, side))), h("td", { class: "number share" }, `${percent(lone(at, side), all(at, side))} of ${count(all(at, side))}`),
        h("td", { class: "bar-cell", "aria-hidden": "true" }, bar)];
    }).flat();
    const head = systems.map((system, side) => [h("th", { scope: "col", class: "number", colspan: 3 }, systemName(names[system], side === 0 ? "a" : "b"))]).flat();
    const rows = shown.map((at) => h("tr", {}, h("th", { scope: "row" }, this.#word(table.words[at])), cells(at)));
    const about = this.#side === "missing"
      ? "Words of the reference that the hypotheses lack, with their share of all occurrences."
      : "Words of the hypotheses that the reference lacks, with their share of all occurrences.";
    byId("words-body").replaceChildren(h("p", { class: "hint" }, about, " Click a word to see these segments."),
      scroller("Words and how often they have no partner", h("table", { class: "data word-table" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Word"), head)), h("tbody", {}, rows))),
      order.length > FEW ? h("button", { type: "button", class: "quiet more-button", onclick: () => {
        this.#most = this.#most === FEW ? 100 : FEW;
        this.draw();
      } }, this.#most === FEW ? `Show ${Math.min(100, order.length)}` : "Show fewer") : "");
  }

  get #systems() {
    return [this.#app.state.a, this.#app.state.b].filter((system) => system !== null);
  }

  #word(text) {
    return h("button", { type: "button", class: "link", onclick: () => this.#app.find(text, this.#side, this.#systems) }, h("bdi", {}, text));
  }
}

export class Ngrams {
  #app;
  #n = "2";
  #kind = "right";

  constructor(app) {
    this.#app = app;
    byId("ngrams").hidden = app.state.b === null;
    if (app.state.b === null) return;
    byId("ngrams-tools").append(
      choices("ngram-kind", "Which n-grams", [["right", "Right: in the reference"], ["wrong", "Wrong: not in the reference"]], "right", (kind) => {
        this.#kind = kind;
        this.draw();
      }),
      choices("ngram-length", "Words in an n-gram", ["1", "2", "3", "4"].map((n) => [n, n]), "2", (n) => {
        this.#n = n;
        this.draw();
      }));
    app.state.subscribe((changed) => {
      if (touches(changed, "a", "b")) this.draw();
    });
    this.draw();
  }

  draw() {
    const { state } = this.#app;
    byId("ngrams-body").replaceChildren(
      h("p", { class: "hint" }, this.#kind === "right"
        ? "N-grams of the reference that one system has more often than the other."
        : "N-grams outside the reference that one system has more often than the other."),
      h("div", { class: "pair even" }, this.#table(state.a, state.b, "a", "b"), this.#table(state.b, state.a, "b", "a")));
  }

  #table(ours, theirs, key, other) {
    const { tables, names } = this.#app;
    const table = tables.ngrams[Number(this.#n) - 1];
    const counts = table[this.#kind];
    const more = (at) => counts[at][ours] - counts[at][theirs];
    const order = table.ngrams.map((_, at) => at).filter((at) => more(at) > 0)
      .sort((x, y) => more(y) - more(x) || counts[x][theirs] - counts[y][theirs] || x - y).slice(0, FEW);
    const row = (at) => h("tr", { class: counts[at][theirs] === 0 ? "never" : "" },
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => this.#app.find(table.ngrams[at], "said", [ours]) }, h("bdi", {}, table.ngrams[at]))),
      h("td", { class: "number" }, count(counts[at][ours])), h("td", { class: "number" }, count(counts[at][theirs])),
      h("td", { class: "number" }, `+${count(more(at))}`));
    return scroller(`N-grams that ${names[ours]} has more often`, h("table", { class: "data ngram-table" },
      h("caption", {}, systemName(names[ours], key), " has more"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "N-gram"), h("th", { scope: "col", class: "number" }, h("span", { class: `key-${key}` }, key.toUpperCase())),
        h("th", { scope: "col", class: "number" }, h("span", { class: `key-${other}` }, other.toUpperCase())), h("th", { scope: "col", class: "number" }, "more"))),
      h("tbody", {}, order.length > 0 ? order.map(row) : h("tr", {}, h("td", { colspan: 4 }, "None")))));
  }
}
