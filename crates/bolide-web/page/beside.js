// The alignment of another dialect for the same texts, on the same reference as the first; links that only one of the two
// has are marked, and a sentence says why they differ.

import { drawLinks, watch } from "./alignment.js";
import { byId, h } from "./dom.js";
import { drawOverlay, watchOverlay } from "./overlay.js";
import { t } from "./strings.js";

const key = (link) => `${link.hypothesis}:${link.reference}`;
const stagesOf = ({ signature }) => String(signature).match(/\|(?:match|modules):([^|]+)/)?.[1].split("+") ?? ["exact"];
const words = (tokens) => tokens.map(({ text }) => text).join("\n");

// Whether both alignments are of the same words.
const isComparable = (first, second) => first.reference_idx === second.reference_idx &&
  ["hypothesis", "reference"].every((side) => words(first.tokens[side]) === words(second.tokens[side]));

// Why two alignments or their scores differ, as far as the explanations show it.
function reasons(first, second, name) {
  const list = [];
  const [ours, theirs] = [stagesOf(first), stagesOf(second)];
  const fewer = ours.filter((stage) => !theirs.includes(stage));
  const more = theirs.filter((stage) => !ours.includes(stage));
  if (fewer.length > 0) list.push(t("It lacks stages: {stages}.", { stages: fewer.join(", ") }));
  if (more.length > 0) list.push(t("It has further stages: {stages}.", { stages: more.join(", ") }));
  if (isComparable(first, second) && second.chunks > first.chunks && second.proven !== true) {
    list.push(t("Why: where a word could pair in several ways, {name} takes the first that its rules find, not the one with the fewest chunks.", { name }));
  }
  if (["alpha", "beta", "gamma"].some((parameter) => first[parameter] !== second[parameter])) {
    list.push(t("Its parameters differ: {parameters}.", { parameters: `α = ${second.alpha}, β = ${second.beta}, γ = ${second.gamma}` }));
  }
  return list;
}

// Says where two alignments differ.
export function difference(first, second, [ownName, name]) {
  const [ours, theirs] = [first, second].map(({ pairs }) => new Set(pairs.map(key)));
  const sentences = [];
  if (first.reference_idx !== second.reference_idx) {
    sentences.push(t("{name} scores best against another reference.", { name }));
  } else if (!isComparable(first, second)) {
    sentences.push(t("{name} splits the texts into other words.", { name }));
  } else {
    const more = [...ours].filter((pair) => !theirs.has(pair)).length;
    const other = [...theirs].filter((pair) => !ours.has(pair)).length;
    if (more + other === 0) sentences.push(t("Both pair the same words."));
    else if (first.pairs.length === second.pairs.length) sentences.push(t("{name} pairs {n} word differently (marked).|{name} pairs {n} words differently (marked).", { name, n: other }));
    else sentences.push(t("{name} finds {n} pair, {ownName} {own}.|{name} finds {n} pairs, {ownName} {own}.", { name, n: second.pairs.length, ownName, own: first.pairs.length }));
  }
  if (first.chunks !== second.chunks) sentences.push(t("That makes {n} chunk instead of {own}.|That makes {n} chunks instead of {own}.", { n: second.chunks, own: first.chunks }));
  const gap = second.score - first.score;
  const values = { score: second.score.toFixed(4), gap: Math.abs(gap).toFixed(4) };
  sentences.push(Math.abs(gap) < 5e-5 ? t("The scores are the same.")
    : gap < 0 ? t("Its score is {score}: {gap} less.", values) : t("Its score is {score}: {gap} more.", values));
  return [...sentences, ...reasons(first, second, name)].join(" ");
}

// Draws the second alignment into the card: on one reference with the first, if both are of the same words.
export function drawBeside(first, second, names, say) {
  const place = byId("beside-body");
  const drawing = h("div", { class: "drawing" });
  place.replaceChildren(h("p", { class: "beside-text" }, difference(first, second, names)), drawing);
  const width = drawing.clientWidth - 8;
  if (!isComparable(first, second)) {
    const svg = drawLinks(second, { width });
    drawing.replaceChildren(svg);
    watch(svg, second, say);
    return;
  }
  const svg = drawOverlay(first, second, { width, names });
  const has = { a: new Set(second.pairs.map(key)), b: new Set(first.pairs.map(key)) };
  const pairs = { a: first.pairs, b: second.pairs };
  for (const path of svg.querySelectorAll(".al-link")) {
    const { of, link } = path.dataset;
    path.classList.toggle("al-other", !has[of].has(key(pairs[of][Number(link)])));
  }
  drawing.replaceChildren(svg);
  watchOverlay(svg, first, second, names, say);
}
