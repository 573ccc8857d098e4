// The text boxes: hypothesis and references, their counts and their limit.

import { byId, h } from "./dom.js";
import { t } from "./strings.js";

// The most characters in a box. Longer texts need the command line.
export const LIMIT = 50_000;

// This many characters fit in one line of a box beside another.
const SHORT = 64;

const WORD = /\S+/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]{5}/u;

export class Inputs {
  #changed;
  #references = byId("references");
  #hypothesis = byId("hypothesis");
  #removed;

  // `changed` is called after every edit. `replaced` is called before a button replaces the text, with a description and
  // the text.
  constructor(changed, replaced) {
    this.#changed = changed;
    this.#attach(this.#hypothesis, byId("hypothesis-count"), byId("hypothesis-limit"));
    // The first box is already in the page, perhaps with text that was typed while the page loaded.
    this.#adopt(this.#references.firstElementChild);
    byId("add-reference").addEventListener("click", () => {
      this.#add("").focus();
      this.#edited();
    });
    byId("swap").addEventListener("click", () => {
      const { hypothesis, references } = this.value;
      replaced(t("Swapped"), this.value);
      this.value = { hypothesis: references[0], references: [hypothesis, ...references.slice(1)] };
      this.#edited();
    });
    byId("clear").addEventListener("click", () => {
      replaced(t("Cleared"), this.value);
      this.value = { hypothesis: "", references: [""] };
      this.#hypothesis.focus();
      this.#edited();
    });
    this.#removed = (before) => replaced(t("Reference removed"), before);
    this.#count();
  }

  get value() {
    const boxes = [...this.#references.querySelectorAll("textarea")];
    return { hypothesis: this.#hypothesis.value, references: boxes.map((box) => box.value) };
  }

  set value({ hypothesis, references }) {
    this.#hypothesis.value = hypothesis;
    this.#references.replaceChildren();
    for (const reference of references) this.#add(reference);
    this.#count();
  }

  // Whether the boxes still hold the page's first example.
  get isUntouched() {
    const boxes = [this.#hypothesis, ...this.#references.querySelectorAll("textarea")];
    return boxes.every((box) => box.value === box.defaultValue);
  }

  // Whether every box is within the limit.
  get isWithinLimit() {
    const { hypothesis, references } = this.value;
    return [hypothesis, ...references].every((text) => characters(text) <= LIMIT);
  }

  #edited() {
    this.#count();
    this.#changed();
  }

  #attach(box, count, limit) {
    box.counts = { count, limit };
    box.addEventListener("input", () => this.#edited());
  }

  #add(text) {
    const n = ++Inputs.#made;
    const ids = [`reference-${n}`, `reference-${n}-count`, `reference-${n}-limit`];
    const box = h("textarea", {
      id: ids[0], rows: 2, dir: "auto", spellcheck: false, autocomplete: "off", value: text,
      "aria-describedby": `${ids[1]} ${ids[2]}`, autocapitalize: "off",
    });
    const count = h("span", { class: "count", id: ids[1] });
    const limit = h("p", { class: "limit", id: ids[2], role: "alert", hidden: true });
    const remove = h("button", { type: "button", class: "quiet remove", title: t("Remove this reference") }, "×");
    const field = h("div", { class: "field reference" },
      h("div", { class: "field-head" }, h("label", { htmlFor: ids[0] }, t("Reference")), count, remove), box, limit);
    this.#references.append(field);
    this.#adopt(field);
    return box;
  }

  #adopt(field) {
    this.#attach(field.querySelector("textarea"), field.querySelector(".count"), field.querySelector(".limit"));
    field.querySelector(".remove").addEventListener("click", () => {
      this.#removed(this.value);
      field.remove();
      this.#references.querySelector("textarea").focus();
      this.#edited();
    });
  }

  #count() {
    const fields = [...this.#references.children];
    fields.forEach((field, at) => {
      const name = fields.length === 1 ? t("Reference") : t("Reference {at}", { at: at + 1 });
      field.querySelector("label").textContent = name;
      const remove = field.querySelector(".remove");
      remove.hidden = fields.length === 1;
      remove.setAttribute("aria-label", t("Remove: {name}", { name }));
    });
    const boxes = [this.#hypothesis, ...this.#references.querySelectorAll("textarea")];
    for (const box of boxes) {
      const { count, limit } = box.counts;
      const size = characters(box.value);
      const words = box.value.match(WORD)?.length ?? 0;
      const length = t("{n} character|{n} characters", { n: size });
      // Spaces do not count the words of a text that has none between them.
      count.textContent = UNSPACED.test(box.value) ? length : `${t("{n} word|{n} words", { n: words })} · ${length}`;
      const warning = advice(box.value, boxes.filter((other) => other !== box).map(({ value }) => value));
      const isOver = size > LIMIT;
      // Several short texts leave room for the picture.
      const rows = fields.length > 1 && size <= SHORT && !box.value.includes("\n") ? 1 : 2;
      if (box.rows !== rows) box.rows = rows;
      box.setAttribute("aria-invalid", String(isOver));
      count.classList.toggle("is-over", isOver);
      const isQuiet = !isOver && warning === "";
      if (limit.hidden !== isQuiet) limit.hidden = isQuiet;
      limit.classList.toggle("advice", !isOver && !isQuiet);
      limit.textContent = isOver
        ? t("{n} character over the limit of {limit}. Shorten the text, or use the command line: bolide score takes files of any size.|{n} characters over the limit of {limit}. Shorten the text, or use the command line: bolide score takes files of any size.", { n: size - LIMIT, limit: LIMIT })
        : warning;
    }
  }

  // The box in the page has the number 1.
  static #made = 1;
}

// Advice about what a metric sees and a reader does not: invisible characters, and letters that are composed in one text but
// not in the other. The engine has its own about scripts.
export function advice(text, others) {
  const hidden = text.match(/[\u200b-\u200d\u2060\ufeff\u00ad]/gu);
  // Emoji and some scripts need joiners.
  const isPlain = !/\p{Extended_Pictographic}|[\u0600-\u0dff]/u.test(text);
  if (hidden && isPlain) {
    const codes = [...new Set(hidden)].map((letter) => `U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
    return t("There is {n} invisible character in this text ({codes}); words with and without it do not match.|There are {n} invisible characters in this text ({codes}); words with and without them do not match.", { n: hidden.length, codes: codes.join(", ") });
  }
  const isComposed = text === text.normalize("NFC");
  if (!isComposed && others.some((other) => other !== "" && other === other.normalize("NFC") && /[^\p{ASCII}]/u.test(other))) {
    return t("Accents in this text are separate characters (NFD), but in the other text they are part of the letter (NFC): such words do not match.");
  }
  return "";
}

// The number of characters: code points, not JavaScript's UTF-16 units.
function characters(text) {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit < 0xdc00) {
      const next = text.charCodeAt(at + 1);
      if (next >= 0xdc00 && next < 0xe000) pairs++;
    }
  }
  return text.length - pairs;
}
