// Every step from the counts to the score, with the numbers filled in.
//
// All results come from the engine. The page only checks whether precision and recall are fractions of the counts; for
// a dialect that weights its words (METEOR 1.5) the steps have no such fractions.

import { node } from "./alignment.js";
import { h } from "./dom.js";

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

export function formula(explanation) {
  const { matches, alpha, beta, gamma, precision, recall, fmean, penalty, score } = explanation;
  const nH = explanation.tokens.hypothesis.length;
  const nR = explanation.tokens.reference.length;
  const isPlain = matches === 0 || (matches / nH === precision && matches / nR === recall);
  const [p, r, f] = [four(precision), four(recall), four(fmean)];
  const sub = (text, below) => h("span", {}, text, h("sub", {}, below));
  const steps = [];
  if (isPlain) {
    steps.push(
      step("P", fraction("matches", "hypothesis words"), fraction(String(matches), String(nH)), p,
        `Precision is matches over hypothesis words: ${matches} over ${nH} is ${p}`),
      step("R", fraction("matches", "reference words"), fraction(String(matches), String(nR)), r,
        `Recall is matches over reference words: ${matches} over ${nR} is ${r}`),
    );
  } else {
    const weighted = "weighted by stage and kind of word";
    steps.push(
      step("P", "weighted matches over weighted length", weighted, p, `Precision, ${weighted}, is ${p}`),
      step("R", "weighted matches over weighted length", weighted, r, `Recall, ${weighted}, is ${r}`),
    );
  }
  const [a, b, g] = [given(alpha), given(beta), given(gamma)];
  const rest = given(1 - alpha);
  steps.push(
    step(sub("F", "mean"), fraction("P·R", "α·P + (1 − α)·R"),
      fraction(`${p} · ${r}`, `${a} · ${p} + ${rest} · ${r}`), f,
      `F mean is P times R over alpha P plus one minus alpha R: with alpha ${a} it is ${f}`),
    penaltyStep(explanation, b, g),
    step("METEOR", h("span", {}, "(1 − penalty) · ", sub("F", "mean")), `(1 − ${four(penalty)}) · ${f}`, four(score),
      `METEOR is one minus the penalty times F mean: ${four(score)}`),
  );
  const list = h("ol", { class: "steps" }, steps);
  const notes = [];
  if (matches === 0) notes.push(h("p", { class: "hint" }, "Without a single match every step is 0."));
  const check = explanation.fmean_check;
  const agrees = Math.abs(check - fmean) <= 1e-12;
  notes.push(h("p", { class: "hint check" },
    `Cross-check: 1 / (α/R + (1 − α)/P) = ${check.toFixed(6)}, computed a second way `,
    h("b", { class: agrees ? "good" : "bad" }, agrees ? "✓ agrees" : `✗ differs by ${Math.abs(check - fmean)}`), "."));
  return h("div", {}, list, notes);
}

// A phrase counts as the mean of its words on both sides. METEOR 1.5 has no penalty if all words match in one chunk.
function penaltyStep({ chunks, pairs, beta, gamma, penalty, counts_breaks: countsBreaks }, b, g) {
  if (countsBreaks) {
    const [breaks, joints] = [Math.max(0, chunks - 1), Math.max(0, pairs.length - 1)];
    const general = h("span", {}, "γ · ", fraction("chunks − 1", "matches − 1"));
    const filled = joints === 0 ? "fewer than two matches" : h("span", {}, `${g} · `, fraction(String(breaks), String(joints)));
    return step("penalty", general, filled, four(penalty),
      `The penalty is gamma times the breaks between chunks over the places for one: ${g} times ${breaks} over ${joints} is ${four(penalty)}`);
  }
  const words = pairs.reduce((sum, link) => sum + (link.hypothesis_tokens + link.reference_tokens) / 2, 0);
  const general = h("span", {}, "γ · (", fraction("chunks", "matches"), ")", h("sup", {}, "β"));
  const isSpared = chunks === 1 && penalty === 0 && gamma * Math.pow(chunks / words, beta) !== 0;
  if (isSpared) {
    const reason = "all words match, in one chunk";
    return step("penalty", general, reason, four(penalty), `There is no penalty: ${reason}`);
  }
  return step("penalty", general,
    h("span", {}, `${g} · (`, fraction(String(chunks), String(words)), ")", h("sup", {}, b)), four(penalty),
    `The penalty is gamma times chunks over matches to the power beta: ${g} times ${chunks} over ${words} to the ${b} is ${four(penalty)}`);
}

const parts = ({ score, losses: lost }) => [
  ["score", "the score", score],
  ["missing", "lost to missing words", lost.unmatched_reference],
  ["extra", "lost to extra words", lost.unmatched_hypothesis],
  ["order", "lost to word order", lost.fragmentation],
].map(([kind, label, value]) => ({ kind, label, value: Math.max(0, value) }));

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
  return h("div", { class: "losses" }, h("h3", {}, "Where the points were lost"), lossBar(explanation),
    h("dl", {}, parts(explanation).slice(1).map(({ kind, label, value }) => h("div", {},
      h("dt", {}, h("i", { class: `swatch ${kind}` }), label), h("dd", {}, four(value))))));
}
