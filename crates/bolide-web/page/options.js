// The choice of metric: dialect, matching, parameters and the other keys of a dialect.
//
// The list of dialects and their keys come from the engine; this file only has labels. A key that
// the user did not change is not set, so that the partial signature contains only the differences
// from the dialect's defaults; the values in effect are read from the signature of the result.

import { byId, h } from "./dom.js";
import { joinMetric, splitMetric } from "./metric.js";
import { mark, t } from "./strings.js";

const WORDS = {
  match: {
    exact: mark("exact words"), "exact+stem": mark("+ stems"), "exact+stem+synonym": mark("+ synonyms"),
    "exact+stem+synonym+paraphrase": mark("+ paraphrases"), "exact+synonym": mark("synonyms, no stems"),
  },
  tok: {
    space: mark("split at white space"), nltk: "word_tokenize (NLTK)", "13a": "13a (mteval)", intl: mark("international"),
    char: mark("characters"), zh: mark("Chinese"), none: mark("none"),
    unspaced: mark("characters of scripts without spaces"), "icu4x-2.4.0": mark("words by dictionaries"), words: mark("words by dictionaries"),
  },
  case: { lower: mark("ignore case"), lc: mark("ignore case"), mixed: mark("case matters") },
  stemmer: { porter: "Porter", snowball: "Snowball" },
};

const LABELS = {
  language: mark("Language of the texts"), match: mark("Matching"), tok: mark("Tokens"), case: mark("Upper and lower case"), stemmer: mark("Stemmer"), smooth: mark("Smoothing"),
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", order: mark("Longest n-gram"),
};

const SLIDERS = {
  alpha: { max: 1, step: 0.01, about: mark("weight of recall: 1 counts only recall, 0 only precision") },
  beta: { max: 10, step: 0.1, about: mark("how sharply the penalty rises with the number of chunks") },
  gamma: { max: 1, step: 0.01, about: mark("the largest penalty") },
  delta: { max: 1, step: 0.01, about: mark("weight of content words against function words") },
};

// What texts are taken for if no key says otherwise.
const ENGLISH = "en";
// What a language chooses: another one chooses again.
const BY_LANGUAGE = ["data", "match", "normal", "stemmer", "syn", "synonyms", "tok"];
const languageName = (code) => new Intl.DisplayNames([document.documentElement.lang, "en"], { type: "language" }).of(code);

export class Options {
  #changed;
  #more;
  #dialects = [];
  #languages = null;
  #select = byId("dialect");
  #keys = new Map();
  #controls = new Map();

  // `changed` is called after every change, `more` when the user wants the languages that only the larger module knows.
  constructor(changed, more) {
    this.#changed = changed;
    this.#more = more;
    this.#select.addEventListener("change", () => {
      for (const option of this.#select.querySelectorAll("option.unknown")) option.remove();
      this.#keys = new Map();
      this.#build();
      this.#changed();
    });
    byId("reset").addEventListener("click", () => {
      this.#keys = new Map();
      this.#build();
      this.#changed();
    });
  }

  // The registry of the engine, and its languages if it lists them.
  take(list, languages) {
    this.#dialects = list;
    this.#languages = languages;
    const groups = new Map();
    for (const dialect of list) groups.set(dialect.title, [...(groups.get(dialect.title) ?? []), dialect]);
    const chosen = this.#select.value;
    this.#select.replaceChildren(...[...groups].map(([label, dialects]) => h("optgroup", { label },
      dialects.map(({ name, reproduces }) => h("option", { value: name }, `${name} — ${reproduces}`)))));
    if (chosen) this.#select.value = chosen;
  }

  get hasLanguages() {
    return this.#languages !== null;
  }

  get dialect() {
    return this.#dialects.find(({ name }) => name === this.#select.value);
  }

  // The partial signature.
  get metric() {
    return joinMetric(this.#select.value, this.#keys);
  }

  set metric(text) {
    const { name, keys } = splitMetric(text);
    for (const option of this.#select.querySelectorAll("option.unknown")) option.remove();
    const known = name === "" ? this.#dialects[0]
      : this.#dialects.find((dialect) => dialect.name === name || dialect.aliases.includes(name));
    // An unknown name stays: the engine says what is wrong with it.
    if (!known) this.#select.append(h("option", { value: name, class: "unknown" }, t("{name} (unknown)", { name })));
    this.#select.value = known?.name ?? name;
    keys.delete("bolide");
    this.#keys = keys;
    this.#build();
  }

  #build() {
    const { dialect } = this;
    this.#controls.clear();
    byId("dialect-about").textContent = dialect ? `${dialect.summary[0].toUpperCase()}${dialect.summary.slice(1)}.` : "";
    byId("matching").replaceChildren();
    byId("options").replaceChildren();
    if (!dialect) return;
    // Keys with a single value name data or versions: there is nothing to choose.
    const keys = dialect.keys.filter(({ words, name }) => !words || words.length > 1 || name === "language");
    const matching = keys.find(({ name }) => name === "match");
    byId("matching").replaceChildren(...(matching ? [this.#segmented(matching)] : []));
    const isSlider = ({ name, expects }) =>
      expects === "number" && name in SLIDERS && dialect.alignment;
    const main = ["language", "tok", "case"];
    const isMain = ({ name, words }) => main.includes(name) && words;
    const sliders = keys.filter(isSlider).map((key) => this.#slider(key));
    const selects = keys.filter(isMain).map((key) => (key.name === "language" ? this.#language(key) : this.#choice(key)));
    const others = keys.filter((key) => key !== matching && !isSlider(key) && !isMain(key));
    const more = others.map((key) => (key.words ? this.#choice(key) : this.#typed(key)));
    byId("options").replaceChildren(
      ...sliders,
      h("div", { class: "choices" }, selects),
      ...(more.length === 0 ? [] : [h("details", { class: "more" }, h("summary", {}, t("More options")),
        h("div", { class: "choices" }, more))]),
    );
    if (sliders.length + selects.length + more.length === 0) {
      byId("options").append(h("p", { class: "hint" }, t("This dialect has no options.")));
    }
  }

  // Sets a key that is shown nowhere yet.
  set(key, value) {
    this.#keys.set(key, value);
    this.#build();
  }

  #set(key, value) {
    if (value === null || value === "") this.#keys.delete(key);
    else this.#keys.set(key, String(value));
    this.#changed();
  }

  // Offers the stages in the order in which they build on each other.
  #segmented({ name, words: given }) {
    const known = WORDS[name] ?? {};
    const place = (word) => Object.keys(known).indexOf(word) >>> 0;
    const words = [...given].sort((a, b) => place(a) - place(b));
    const inputs = words.map((word) => h("input", {
      type: "radio", name: `key-${name}`, value: word, onchange: () => this.#set(name, word),
    }));
    this.#controls.set(name, (value) => {
      for (const input of inputs) input.checked = input.value === value;
    });
    if (this.#keys.has(name)) this.#controls.get(name)(this.#keys.get(name));
    return h("fieldset", { class: "field" }, h("legend", {}, t(LABELS[name] ?? name)),
      h("div", { class: "segmented" }, words.map((word, at) => (
        h("label", {}, inputs[at], h("span", {}, t(known[word] ?? word)))))));
  }

  // The languages of the engine. The small module knows only English; the others come with the larger one.
  #language({ name, words }) {
    const chosen = this.#keys.get(name) ?? ENGLISH;
    const about = this.#languages?.find(({ code }) => code === chosen);
    const codes = [...new Set([...words, chosen])].map((code) => [languageName(code), code]).sort(([a], [b]) => a.localeCompare(b));
    const select = h("select", {
      id: "key-language", "aria-describedby": "key-language-about", onchange: () => {
        if (select.value === "") return this.#more();
        for (const key of BY_LANGUAGE) this.#keys.delete(key);
        this.#set(name, select.value === ENGLISH ? null : select.value);
        return this.#build();
      },
    }, codes.map(([label, code]) => h("option", { value: code }, label)), this.hasLanguages ? null : h("option", { value: "" }, t("Other languages…")));
    select.value = chosen;
    return h("div", { class: "field" }, h("label", { htmlFor: select.id }, t(LABELS[name])), select,
      h("p", { class: "hint", id: "key-language-about", lang: "en" }, about ? `tokens: ${about.tokens}; stems: ${about.stems ?? "none"}` : ""));
  }

  // Puts the reader where the language is chosen.
  showLanguages() {
    const select = byId("key-language");
    select?.scrollIntoView({ block: "center" });
    select?.focus();
  }

  #choice({ name, words }) {
    const known = WORDS[name] ?? {};
    const label = (word) => t(known[word] ?? word);
    // Two words for one thing are offered once, unless the other one was asked for.
    const offered = words.filter((word, at) => word === this.#keys.get(name) || !words.slice(0, at).some((other) => label(other) === label(word)));
    const select = h("select", { id: `key-${name}`, onchange: () => this.#set(name, select.value) },
      offered.map((word) => h("option", { value: word }, label(word))));
    if (this.#keys.has(name)) select.value = this.#keys.get(name);
    this.#controls.set(name, (value) => {
      // Another language has another stemmer, which is no choice.
      if (![...select.options].some((option) => option.value === value)) select.append(h("option", { value }, label(value)));
      select.value = value;
    });
    return h("div", { class: "field" }, h("label", { htmlFor: select.id }, t(LABELS[name] ?? name)), select);
  }

  #typed({ name, expects, min, max }) {
    const isNumber = expects !== "text";
    const input = h("input", {
      id: `key-${name}`, type: isNumber ? "number" : "text", step: expects === "whole" ? "1" : "any",
      min, max: max < 1e9 ? max : undefined, value: this.#keys.get(name) ?? "", placeholder: t("default"),
      onchange: () => this.#set(name, input.value.trim()),
    });
    this.#controls.set(name, (value) => { input.placeholder = value; });
    return h("div", { class: "field" }, h("label", { htmlFor: input.id }, t(LABELS[name] ?? name)), input);
  }

  #slider({ name }) {
    const { max, step, about } = SLIDERS[name];
    const id = `key-${name}`;
    const range = h("input", {
      id, type: "range", min: 0, max, step, "aria-describedby": `${id}-about`,
      oninput: () => {
        number.value = range.value;
        this.#set(name, range.value);
      },
    });
    const number = h("input", {
      type: "number", min: 0, step: "any", "aria-label": t("{name}, exact value", { name: LABELS[name] }),
      onchange: () => {
        if (number.value === "") return this.#set(name, null);
        range.value = number.value;
        return this.#set(name, number.value);
      },
    });
    const show = (value) => {
      if (document.activeElement !== number) number.value = value;
      if (document.activeElement !== range) range.value = value;
    };
    this.#controls.set(name, show);
    if (this.#keys.has(name)) show(this.#keys.get(name));
    return h("div", { class: "slider" }, h("label", { htmlFor: id }, LABELS[name]), range, number,
      h("p", { class: "hint", id: `${id}-about` }, t(about)));
  }

  // Shows the values that are in effect, from the full signature of a result.
  showEffect(signature) {
    const { keys } = splitMetric(signature);
    for (const [name, show] of this.#controls) {
      if (keys.has(name)) show(keys.get(name));
    }
    byId("reset").disabled = this.#keys.size === 0;
  }
}
