// What the score would be with one word of the hypothesis left out, moved or replaced. The engine scores each edit.

import { surface } from "./alignment.js";
import { byId, h } from "./dom.js";
import { around, t } from "./strings.js";

// At most this many missing words of the reference are tried in the place of a word.
const SUGGESTIONS = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// The text with the tokens `at` and `at + 1` exchanged, or with one token left out or replaced. Offsets count bytes.
export function edited(text, tokens, at, { swap = false, word = "" }) {
  const bytes = encoder.encode(text);
  const part = (start, end) => decoder.decode(bytes.subarray(start, end));
  const [from, to] = [tokens[at], tokens[at + 1]];
  if (swap) return part(0, from.start) + part(to.start, to.end) + part(from.end, to.start) + part(from.start, from.end) + part(to.end);
  const [before, after] = [part(0, from.start), part(from.end)];
  if (word !== "") return before + word + after;
  // With a word goes one of the blanks around it.
  return /\s$/u.test(before) || before === "" ? before + after.replace(/^\s/u, "") : before + after;
}

// The edits that are offered for a word: what each does, in words, and the text it makes.
export function edits(text, { tokens, pairs }, at) {
  const list = [];
  const add = (what, change, place = at) => list.push({ what, text: edited(text, tokens.hypothesis, place, change) });
  if (tokens.hypothesis.length > 1) add(t("left out"), {});
  if (at > 0) add(t("one word earlier"), { swap: true }, at - 1);
  if (at + 1 < tokens.hypothesis.length) add(t("one word later"), { swap: true });
  const taken = new Set();
  for (const link of pairs) for (let i = 0; i < link.reference_tokens; i++) taken.add(link.reference + i);
  const missing = tokens.reference.filter((_, place) => !taken.has(place)).map(surface);
  for (const word of new Set(missing.slice(0, SUGGESTIONS))) add(t("replaced by “{word}”", { word }), { word });
  return list;
}

// The panel below the drawing.
export class WhatIf {
  #panel = h("div", { class: "whatif", role: "group", "aria-label": t("What if") });
  #context;
  #turn = 0;

  // `context` has the current `result()`, `dialect()`, `score(text)` for another hypothesis, and `apply(text)`.
  constructor(context) {
    this.#context = context;
    byId("legend").after(this.#panel);
    const choose = ({ target }) => {
      const word = target.closest?.('.al-token[data-side="hypothesis"]');
      if (word) this.#show(Number(word.dataset.at));
    };
    byId("drawing").addEventListener("click", choose);
    byId("drawing").addEventListener("focusin", choose);
    this.clear();
  }

  clear() {
    this.#turn++;
    this.#panel.replaceChildren(h("p", { class: "hint" }, t("What if? Choose a word of the hypothesis to see the score without it, elsewhere, or with another word.")));
  }

  async #show(at) {
    const turn = ++this.#turn;
    const { explanation, hypothesis, value } = this.#context.result() ?? {};
    if (!explanation) return;
    const { decimals } = this.#context.dialect();
    const buttons = edits(hypothesis, explanation, at).map(({ what, text }) => {
      const button = h("button", { type: "button", class: "quiet", onclick: () => this.#context.apply(text) }, what, " ", h("b", {}, "…"));
      return { button, text };
    });
    const other = h("input", { type: "text", size: 12, "aria-label": t("Another word"), autocapitalize: "off", autocomplete: "off", spellcheck: false });
    const form = h("form", {
      onsubmit: (event) => {
        event.preventDefault();
        const word = other.value.trim();
        if (word !== "") this.#context.apply(edited(hypothesis, explanation.tokens.hypothesis, at, { word }));
      },
    }, other, h("button", { class: "quiet" }, t("replace")));
    this.#panel.replaceChildren(
      h("p", {}, around("What if {word} were …", { word: h("b", {}, h("bdi", {}, surface(explanation.tokens.hypothesis[at]))) })),
      h("div", { class: "row" }, buttons.map(({ button }) => button), form));
    for (const { button, text } of buttons) {
      const score = await this.#context.score(text);
      if (turn !== this.#turn) return;
      const gain = (score - value).toFixed(decimals);
      const sign = Number(gain) > 0 ? "+" : Number(gain) < 0 ? "−" : "±";
      button.querySelector("b").textContent = `${score.toFixed(decimals)} (${sign}${Math.abs(gain).toFixed(decimals)})`;
    }
  }
}
