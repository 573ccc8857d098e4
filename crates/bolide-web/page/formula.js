// Every step from the counts to the score, with the numbers filled in.
//
// All results come from the engine. Precision and recall are fractions of the counts, unless the dialect weights its words;
// evidence.js says then what they are.

import { isPartial, node } from "./alignment.js";
import { h } from "./dom.js";
import { mark, t } from "./strings.js";

const four = (x) => x.toFixed(4);
// Parameters as people write them.
const given = (x) => String(Number(x.toFixed(6)));

function fraction(above, below) {
  return h("span", { class: "fraction" }, h("span", {}, above), h("span", {}, below));
}

function step(name, general, filled, result, spoken) {
  return h("li", { class: "step" },
    h("span", { class: "visually-hidden" }, spoken),
    h("span", { class: "step-name", "aria-hidden": "true" }, name),
    h("span", { class: "step-line", "aria-hidden": "true" },
      h("span", { class: "general" }, "= ", general), " ",
      h("span", { class: "filled" }, "= ", filled), " ",
      h("span", { class: "value" }, "= ", result)));
}

const sub = (letter, below) => h("span", {}, letter, h("sub", {}, below));

// `weighted` has what takes the place of the counts if the dialect weights its words (evidence.js).
export function formula(explanation, weighted = null) {
  const { matches, alpha, beta, gamma, precision, recall, fmean, penalty, score } = explanation;
  const nH = explanation.tokens.hypothesis.length;
  const nR = explanation.tokens.reference.length;
  const [p, r, f] = [four(precision), four(recall), four(fmean)];
  const steps = [];
  if (weighted) {
    for (const [name, value, { general, filled, spoken }] of [["P", p, weighted.precision], ["R", r, weighted.recall]]) {
      steps.push(step(name, general, filled, value, spoken));
    }
  } else {
    steps.push(
      step("P", fraction(t("matches"), t("hypothesis words")), fraction(String(matches), String(nH)), p,
        t("Precision is matches over hypothesis words: {matches} over {words} is {p}", { matches, words: nH, p })),
      step("R", fraction(t("matches"), t("reference words")), fraction(String(matches), String(nR)), r,
        t("Recall is matches over reference words: {matches} over {words} is {r}", { matches, words: nR, r })),
    );
  }
  const [a, b, g] = [given(alpha), given(beta), given(gamma)];
  const rest = given(1 - alpha);
  steps.push(
    step(sub("F", "mean"), fraction("P·R", "α·P + (1 − α)·R"),
      fraction(`${p} · ${r}`, `${a} · ${p} + ${rest} · ${r}`), f,
      t("F mean is P times R over alpha P plus one minus alpha R: with alpha {a} it is {f}", { a, f })),
    penaltyStep(explanation, b, g),
    step("METEOR", h("span", {}, `(1 − ${t("penalty")}) · `, sub("F", "mean")), `(1 − ${four(penalty)}) · ${f}`, four(score),
      t("METEOR is one minus the penalty times F mean: {score}", { score: four(score) })),
  );
  const list = h("ol", { class: "steps" }, steps);
  const notes = weighted ? [weighted.note] : [];
  if (matches === 0) notes.push(h("p", { class: "hint" }, t("Without a single match every step is 0.")));
  const check = explanation.fmean_check;
  const agrees = Math.abs(check - fmean) <= 1e-12;
  notes.push(h("p", { class: "hint check" },
    `${t("Cross-check: {formula}, computed a second way", { formula: `1 / (α/R + (1 − α)/P) = ${check.toFixed(6)}` })} `,
    h("b", { class: agrees ? "good" : "bad" }, agrees ? t("✓ agrees") : t("✗ differs by {difference}", { difference: String(Math.abs(check - fmean)) }))));
  return h("div", {}, list, notes);
}

// A phrase counts as the mean of its words on both sides. METEOR 1.5 has no penalty if all words match in one chunk.
function penaltyStep({ chunks, pairs, beta, gamma, penalty, counts_breaks: countsBreaks }, b, g) {
  if (countsBreaks) {
    const [breaks, joints] = [Math.max(0, chunks - 1), Math.max(0, pairs.length - 1)];
    const general = h("span", {}, "γ · ", fraction(`${t("chunks")} − 1`, `${t("matches")} − 1`));
    const filled = joints === 0 ? t("fewer than two matches") : h("span", {}, `${g} · `, fraction(String(breaks), String(joints)));
    return step(t("penalty"), general, filled, four(penalty),
      t("The penalty is gamma times the breaks between chunks over the places for one: {g} times {breaks} over {joints} is {penalty}", { g, breaks, joints, penalty: four(penalty) }));
  }
  const words = pairs.reduce((sum, link) => sum + (link.hypothesis_tokens + link.reference_tokens) / 2, 0);
  const general = h("span", {}, "γ · (", fraction(t("chunks"), t("matches")), ")", h("sup", {}, "β"));
  const isSpared = chunks === 1 && penalty === 0 && gamma * Math.pow(chunks / words, beta) !== 0;
  if (isSpared) {
    return step(t("penalty"), general, t("all words match, in one chunk"), four(penalty), t("There is no penalty: all words match, in one chunk"));
  }
  return step(t("penalty"), general,
    h("span", {}, `${g} · (`, fraction(String(chunks), String(words)), ")", h("sup", {}, b)), four(penalty),
    t("The penalty is gamma times chunks over matches to the power beta: {g} times {chunks} over {words} to the {b} is {penalty}", { g, chunks, words: String(words), b, penalty: four(penalty) }));
}

function parts(explanation) {
  const { score, losses: lost } = explanation;
  const inPart = isPartial(explanation);
  return [
    ["score", "", score],
    ["missing", inPart ? mark("lost to missing or partly matched words") : mark("lost to missing words"), lost.unmatched_reference],
    ["extra", inPart ? mark("lost to extra or partly matched words") : mark("lost to extra words"), lost.unmatched_hypothesis],
    ["order", mark("lost to word order"), lost.fragmentation],
  ].map(([kind, label, value]) => ({ kind, label, value: Math.max(0, value) }));
}

// The score and where the points were lost, as one bar.
export function lossBar(explanation) {
  const list = parts(explanation);
  const total = list.reduce((sum, { value }) => sum + value, 0) || 1;
  let x = 0;
  return node("svg", { class: "loss-bar", viewBox: "0 0 100 1", preserveAspectRatio: "none", "aria-hidden": "true" }, ...list.map(({ kind, value }) => {
    const width = Number(((100 * value) / total).toFixed(2));
    const piece = node("rect", { class: `piece ${kind}`, x: x.toFixed(2), width, height: 1 });
    x += width;
    return piece;
  }));
}

// The bar with its numbers.
export function losses(explanation) {
  return h("div", { class: "losses" }, h("h3", {}, t("Where the points were lost")), lossBar(explanation),
    h("dl", {}, parts(explanation).slice(1).map(({ kind, label, value }) => h("div", {},
      h("dt", {}, h("i", { class: `swatch ${kind}` }), t(label)), h("dd", {}, four(value))))));
}
