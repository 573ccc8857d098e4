// The page's own texts, in the reader's language.
//
// English is written where it is used. A text is looked up by its English form: the files in strings/ are the columns of
// one table whose rows are these forms, and a test compares them with the texts that the page uses. What the engine says
// (summaries of dialects, errors, formulas) stays English, as do numbers and signatures.

let table = {};
// English and small numbers do without Intl, whose tables the browser takes its time to load.
let plurals = { select: (n) => (n === 1 ? "one" : "other") };
let groups = null;

export function speak(language, chosen) {
  table = chosen;
  plurals = new Intl.PluralRules(language);
}

// A number as the page writes it, in every language: 12,345.
export function grouped(value) {
  if (Number.isInteger(value) && Math.abs(value) < 1000) return String(value);
  groups ??= new Intl.NumberFormat("en");
  return groups.format(value);
}

// A text with its {values}. Two forms with "|" between are for one and for several: the value `n` decides.
export function t(text, values = {}) {
  let found = table[text] ?? text;
  if ("n" in values) {
    const forms = found.split("|");
    found = plurals.select(values.n) === "one" ? forms[0] : forms.at(-1);
  }
  return found.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? grouped(value) : value;
  });
}

// Marks a text that is looked up elsewhere.
export const mark = (text) => text;

// A text with elements: splits at the {name} of every part, so that translations can put them elsewhere.
export function around(text, parts) {
  return t(text).split(/\{(\w+)\}/).map((piece, at) => (at % 2 === 1 ? parts[piece] : piece));
}
