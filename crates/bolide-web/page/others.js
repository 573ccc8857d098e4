// The steps of metrics without an alignment, from the engine's components: n-gram counts, precision and recall, edits,
// ratios. This file names no metric; the components of a metric determine what is shown.

import { h, scroller } from "./dom.js";

const four = (x) => x.toFixed(4);

function table(head, rows) {
  return scroller("Parts of the score", h("table", { class: "data" },
    h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows.map(([name, ...cells]) => h("tr", {}, h("th", { scope: "row" }, name), cells.map((cell) => h("td", { class: "number" }, cell)))))));
}

// Precision by length of n-gram: how many n-grams of the hypothesis are in a reference, each counted at most as often as
// the reference has it.
function ngrams(parts) {
  const orders = Object.keys(parts).map((name) => name.match(/^precision_?(\d)$/)?.[1]).filter(Boolean);
  if (orders.length === 0) return null;
  const hasCounts = `correct${orders[0]}` in parts;
  const rows = orders.map((n) => {
    const precision = parts[`precision${n}`] ?? parts[`precision_${n}`];
    const counts = hasCounts ? [String(parts[`correct${n}`]), String(parts[`total${n}`])] : [];
    return [`${n}-gram${n === "1" ? " (words)" : ""}`, ...counts, precision > 1 ? precision.toFixed(2) : four(precision)];
  });
  const notes = ["An n-gram counts at most as often as a reference has it (clipping)."];
  if (hasCounts && orders.some((n) => parts[`correct${n}`] === 0 && parts[`precision${n}`] > 0)) {
    notes.push("A length without any match is smoothed, so that its precision is not 0.");
  }
  if (parts.brevity_penalty !== undefined) {
    const { hypothesis_length: ours, reference_length: theirs, brevity_penalty: penalty } = parts;
    notes.push(penalty < 1 ? `The hypothesis is shorter (${ours} against ${theirs} words): brevity penalty e^(1 − ${theirs}/${ours}) = ${four(penalty)}.`
      : `The hypothesis is not shorter than the reference (${ours} against ${theirs} words): brevity penalty 1.`);
    notes.push("The score is the geometric mean of the precisions times the brevity penalty.");
  }
  return [table(["Length", ...(hasCounts ? ["Matching", "In the hypothesis"] : []), "Precision"], rows), ...notes.map((text) => h("p", { class: "hint" }, text))];
}

// The numbers of a ratio.
function ratio(parts, { lower_is_better: isError, decimals }, value) {
  const rows = [
    ["edits", "reference_length", "edits", "reference words", "Insertions, deletions, substitutions and moved blocks, for each reference word."],
    ["matches", "total", "matching n-grams", "n-grams of the longer side", "The share of n-grams that both texts have."],
    ["matches", "hypothesis_length", "matching words", "hypothesis words", "Each word counts at most as often as a reference has it; a short hypothesis pays the brevity penalty."],
  ];
  const found = rows.find(([above, below]) => above in parts && below in parts);
  if (!found) return null;
  const [above, below, name, of, note] = found;
  const scale = decimals >= 3 ? 1 : 100;
  const share = (parts[above] / parts[below]) * scale;
  return [h("p", { class: "formula-line" }, `${parts[above]} ${name} / ${parts[below]} ${of}${scale === 100 ? " · 100" : ""} = ${share.toFixed(decimals)}`),
    share.toFixed(decimals) === value.toFixed(decimals) ? null : h("p", { class: "formula-line" }, `with the brevity penalty: ${value.toFixed(decimals)}`),
    h("p", { class: "hint" }, `${note}${isError ? " Lower is better." : ""}`)];
}

function harmonic({ precision, recall }, { decimals }, value) {
  if (precision === undefined || recall === undefined) return null;
  const digits = decimals >= 3 ? 4 : 2;
  return [table(["Part", "Value"], [
    ["Precision: how much of the hypothesis is in the reference", precision.toFixed(digits)],
    ["Recall: how much of the reference is in the hypothesis", recall.toFixed(digits)],
    ["F: their weighted harmonic mean, the score", value.toFixed(decimals)],
  ])];
}

// The body of the card with the steps.
export function steps({ score, value }, dialect) {
  const parts = score.components;
  const body = ngrams(parts) ?? ratio(parts, dialect, value) ?? harmonic(parts, dialect, value);
  return h("div", { class: "other-steps" }, h("p", {}, `${dialect.summary[0].toUpperCase()}${dialect.summary.slice(1)}.`), body);
}
