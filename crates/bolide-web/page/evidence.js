// The steps of metrics without an alignment, from what the engine counted: n-grams, edits, common words, the formula. This
// file names no metric; what the engine shows determines what is drawn. Also precision and recall of alignments that weight words.

import { h, scroller } from "./dom.js";
import { mark, t } from "./strings.js";

const four = (x) => x.toFixed(4);
// A share, or a percentage.
const part = (x) => (Math.abs(x) > 1 ? x.toFixed(2) : four(x));
// A number of any kind: whole numbers are counts.
const decimals = (x) => (Number.isInteger(x) ? String(x) : part(x));

function table(label, head, rows) {
  return scroller(label, h("table", { class: "data" },
    h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows.map(([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name), cells.map((cell) => h("td", { class: "number" }, cell)))))));
}

const UNITS = { word: mark("{n} word|{n} words"), character: mark("{n} character|{n} characters") };

// How many n-grams of each length match, and which: an n-gram counts at most as often as a reference has it.
function ngrams(orders) {
  if (orders.length === 0) return [];
  const hasReference = orders.some(({ reference }) => reference !== null);
  const hasPrecision = orders.some(({ precision }) => precision !== null);
  const hasRecall = orders.some(({ recall }) => recall !== null);
  const value = (x, write) => (x === null ? "–" : write(x));
  const head = [t("n-grams of"), t("Matching"), t("In the hypothesis"), ...(hasReference ? [t("In the reference")] : []),
    ...(hasPrecision ? [t("Precision")] : []), ...(hasRecall ? [t("Recall")] : [])];
  const rows = orders.map(({ unit, n, matches, hypothesis, reference, precision, recall }) => [
    t(UNITS[unit] ?? "{n}", { n }), String(matches), String(hypothesis), ...(hasReference ? [value(reference, String)] : []),
    ...(hasPrecision ? [value(precision, part)] : []), ...(hasRecall ? [value(recall, part)] : [])]);
  const notes = [t("An n-gram counts at most as often as a reference has it (clipping).")];
  if (orders.some(({ smoothed }) => smoothed)) notes.push(t("A length without any match is smoothed, so that its precision is not 0."));
  const listed = orders.filter(({ ngrams: list }) => list.length > 0);
  return [
    table(t("Parts of the score"), head, rows),
    ...notes.map((text) => h("p", { class: "hint" }, text)),
    ...listed.slice(0, 6).map(({ unit, n, ngrams: list }, at) => h("details", { class: "more", open: at < 2 },
      h("summary", {}, t(UNITS[unit] ?? "{n}", { n })),
      h("ul", { class: "grams" }, list.map(gram)))),
  ];
}

// One n-gram: matched, matched less often than the hypothesis has it, or without a match.
function gram({ text, hypothesis, reference, matches }) {
  const kind = matches === 0 ? (hypothesis === 0 ? "missing" : "none") : matches < hypothesis ? "clipped" : "found";
  const about = t("{hypothesis} in the hypothesis, {reference} in the reference: counts {matches}", { hypothesis, reference, matches });
  return h("li", { class: `gram ${kind}`, title: about }, h("bdi", {}, text.replaceAll(" ", "\u00a0")),
    hypothesis > 1 || kind === "clipped" ? ` ${matches}/${hypothesis}` : null, h("span", { class: "visually-hidden" }, ` ${about}`));
}

const KINDS = {
  keep: mark("kept"), substitute: mark("substituted"), delete: mark("deleted"), insert: mark("inserted"),
};

// The edits that turn the hypothesis into the reference: moved blocks first, then word by word.
function editPath(edits, { hypothesis, references }, at) {
  if (!edits) return [];
  const reference = references[at ?? 0] ?? [];
  const moves = edits.shifts.map(({ words, from, to }) => h("li", {},
    t("Move “{words}” from place {from} to place {to}.", { words: words.map((place) => hypothesis[place]).join(" "), from: from + 1, to: to + 1 })));
  const cell = ({ kind, hypothesis: ours, reference: theirs }) => h("li", { class: `edit ${kind}` },
    h("span", { class: "edit-kind" }, t(KINDS[kind] ?? kind)),
    ours === null ? null : h(kind === "keep" ? "span" : "del", {}, h("bdi", {}, hypothesis[ours] ?? "")),
    kind === "keep" || theirs === null ? null : h("ins", {}, h("bdi", {}, reference[theirs] ?? "")));
  return [
    moves.length > 0 ? h("ol", { class: "moves" }, moves) : null,
    h("ol", { class: "edits", "aria-label": t("Edits") }, edits.path.map(cell)),
    h("p", { class: "hint" }, t("Every move, substitution, deletion and insertion is one edit.")),
  ];
}

// The words that both texts have in the same order.
function subsequence(common, { references }, at) {
  if (!common) return [];
  const found = new Set(common.map(({ reference }) => reference));
  return [
    h("p", {}, t("Words of the reference that the hypothesis has, in the same order:")),
    h("ul", { class: "grams" }, (references[at ?? 0] ?? []).map((word, place) => h("li", { class: `gram ${found.has(place) ? "found" : "missing"}` },
      h("bdi", {}, word), h("span", { class: "visually-hidden" }, ` ${found.has(place) ? t("found") : t("missing")}`)))),
  ];
}

// The formula with its numbers, as the engine writes it.
function formula(steps, dialect) {
  if (steps.length === 0) return [];
  return [h("ol", { class: "steps engine-steps", lang: "en" }, steps.map(({ name, formula: how, value }, at) => h("li", { class: "step" },
    h("span", { class: "step-name" }, name), h("span", { class: "step-line" },
      h("span", { class: "filled" }, "= ", how), " ", h("span", { class: "value" }, "= ", at === steps.length - 1 ? value.toFixed(dialect.decimals) : decimals(value))))))];
}

// The body of the card with the steps.
export function steps({ score, evidence, value }, dialect) {
  if (!evidence) {
    const parts = Object.entries(score.components).map(([name, part]) => [name.replaceAll("_", " "), typeof part === "number" ? decimals(part) : String(part)]);
    return h("div", { class: "other-steps" }, table(t("Parts of the score"), [t("Part"), t("Value")], [...parts, [dialect.title, value.toFixed(dialect.decimals)]]));
  }
  const { words, orders, edits, subsequence: common, steps: lines, reference_idx: at } = evidence;
  return h("div", { class: "other-steps" }, ...ngrams(orders), ...editPath(edits, words, at).filter(Boolean),
    ...subsequence(common, words, at), ...formula(lines, dialect),
    dialect.lower_is_better ? h("p", { class: "hint" }, t("An error rate: lower is better.")) : null);
}

// Precision and recall of an alignment that weights its words, as the engine writes them: the general form, the numbers and the
// sentence of each, and a note. null if words count alike.
export function weighted({ explanation: { precision, recall }, evidence }) {
  if (!evidence) return null;
  // Of a side without words there is no sum.
  const find = (name) => evidence.steps.find((step) => step.name === name)?.formula ?? "0";
  const general = t("weighted matches over weighted length");
  return {
    precision: { general, filled: find("precision"), spoken: t("Precision, with weighted words, is {p}", { p: four(precision) }) },
    recall: { general, filled: find("recall"), spoken: t("Recall, with weighted words, is {r}", { r: four(recall) }) },
    note: h("p", { class: "hint", lang: "en" }, `${find("weights")}.`),
  };
}
