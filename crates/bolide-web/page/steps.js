// The step player: how METEOR gets from two texts to a score, one step at a time.
//
// A step has a sentence, the links that it shows, the words that it highlights and its line of the formula. Step 0 is
// the whole picture. Everything comes from the engine's explanation.

import { STAGES } from "./alignment.js";
import { byId, h } from "./dom.js";
import { mark, t } from "./strings.js";

const four = (x) => x.toFixed(4);
const PASSES = {
  exact: [mark("Exact"), mark("Identical words pair up: {found}.")],
  case: [mark("Case"), mark("Then words that differ in case only pair up: {found}.")],
  stem: [mark("Stem"), mark("Then words that share a stem pair up: {found}.")],
  synonym: [mark("Synonym"), mark("Then words that WordNet lists as synonyms pair up: {found}.")],
  near: [mark("Near"), mark("Then words that are spelled almost alike pair up: {found}.")],
  paraphrase: [mark("Paraphrase"), mark("Then phrases that the paraphrase table lists pair up: {found}.")],
};

// The steps of an explanation: { name, text, stages, lone, chunks, term }.
export function stepsOf(explanation) {
  const { tokens: { hypothesis, reference }, pairs, signature, chunks, precision, recall, fmean, penalty, score } = explanation;
  const asked = signature.match(/\|(?:match|modules):([^|]+)/)?.[1].split("+") ?? ["exact"];
  const list = [{
    name: t("Words"), stages: [],
    text: t("The texts are split into words: {hypothesis} in the hypothesis, {reference} in the reference.", { hypothesis: hypothesis.length, reference: reference.length }),
  }];
  const stages = [];
  for (const stage of Object.keys(STAGES).filter((name) => asked.includes(name))) {
    stages.push(stage);
    const found = pairs.filter((link) => link.stage === stage).length;
    list.push({
      name: t(PASSES[stage][0]), stages: [...stages], lit: stage,
      text: t(PASSES[stage][1], { found: found === 0 ? t("none here") : t("{n} pair|{n} pairs", { n: found }) }),
    });
  }
  const all = [...stages];
  const count = (side) => pairs.reduce((sum, link) => sum + link[`${side}_tokens`], 0);
  const p = four(precision);
  const r = four(recall);
  list.push(
    {
      name: t("Chunks"), stages: all, chunks: true,
      text: chunks === 0 ? t("Nothing pairs, so there are no chunks.")
        : t("Pairs that are neighbours in both texts, in the same order, form a chunk: {chunks} here. Fewer is better.", { chunks }),
    },
    {
      name: t("Precision"), stages: all, side: "hypothesis", term: 0,
      text: t("{matched} of {n} hypothesis word have a partner: P = {p}.|{matched} of {n} hypothesis words have a partner: P = {p}.", { matched: count("hypothesis"), n: hypothesis.length, p }),
    },
    {
      name: t("Recall"), stages: all, side: "reference", term: 1,
      text: t("{matched} of {n} reference word have a partner: R = {r}.|{matched} of {n} reference words have a partner: R = {r}.", { matched: count("reference"), n: reference.length, r }),
    },
    { name: t("Mean"), stages: all, term: 2, text: t("The harmonic mean of P and R, weighted towards recall (α = {alpha}): Fmean = {mean}.", { alpha: String(explanation.alpha), mean: four(fmean) }) },
    {
      name: t("Penalty"), stages: all, chunks: true, term: 3,
      text: t("Word order: {n} chunk for {pairs} matches costs a penalty of {penalty}.|Word order: {n} chunks for {pairs} matches cost a penalty of {penalty}.", { n: chunks, pairs: pairs.length, penalty: four(penalty) }),
    },
    { name: t("Score"), stages: all, chunks: true, term: 4, text: t("The score is {formula}.", { formula: `(1 − ${four(penalty)}) · ${four(fmean)} = ${four(score)}` }) },
  );
  return list;
}

export class Player {
  #stepped;
  #step = 0;
  #steps = [];
  #explanation = null;
  #root = byId("player");
  #back;
  #on;
  #now = h("p", { class: "player-text", role: "status", "aria-live": "polite" });

  // `stepped` is called with the number of the step that was chosen.
  constructor(stepped) {
    this.#stepped = stepped;
    this.#back = h("button", { type: "button", class: "quiet", "aria-label": t("Previous step"), onclick: () => this.#go(this.#step - 1) }, "◀");
    this.#on = h("button", { type: "button", class: "quiet", "aria-label": t("Next step"), onclick: () => this.#go(this.#step + 1) }, "▶");
    this.#root.append(this.#back, this.#on, this.#now);
    this.#root.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by) this.#go(this.#step + by);
    });
  }

  set step(step) {
    this.#step = step;
    this.#show();
  }

  set explanation(explanation) {
    this.#explanation = explanation;
    this.#steps = explanation ? stepsOf(explanation) : [];
    this.#show();
  }

  #go(step) {
    this.#step = (step + this.#steps.length + 1) % (this.#steps.length + 1);
    this.#show();
    this.#stepped(this.#step);
  }

  get #current() {
    return this.#steps[this.#step - 1] ?? null;
  }

  #show() {
    this.#root.hidden = this.#explanation === null;
    const step = this.#current;
    const n = this.#steps.length;
    this.#now.replaceChildren(...(step
      ? [h("b", {}, `${this.#step}/${n} ${step.name}`), ` ${step.text}`]
      : [h("b", {}, t("Step by step")), ` ${t("See how the score comes about, in {n} step.|See how the score comes about, in {n} steps.", { n })}`]));
    byId("formula").querySelectorAll(".step").forEach((line, at) => line.classList.toggle("is-lit", step?.term === at));
  }

  // Pointing at a line of the formula lights its words for as long; a click goes to its step.
  watchFormula(svg) {
    const place = byId("formula");
    const termOf = ({ target }) => {
      const line = target.closest?.(".step");
      return line ? [...place.querySelectorAll(".step")].indexOf(line) : -1;
    };
    const stepOf = (event) => this.#steps.findIndex(({ term }) => term === termOf(event));
    place.addEventListener("pointerover", (event) => {
      const found = this.#steps[stepOf(event)];
      if (found) this.#draw(svg(), found);
    });
    place.addEventListener("pointerleave", () => this.light(svg()));
    place.addEventListener("click", (event) => {
      const at = stepOf(event);
      if (at >= 0) this.#go(at + 1);
    });
  }

  // Shows the step in a drawing.
  light(svg) {
    this.#show();
    this.#draw(svg, this.#current);
  }

  #draw(svg, step) {
    if (!svg || !this.#explanation) return;
    svg.classList.toggle("is-stepping", step !== null);
    const { pairs } = this.#explanation;
    const isOff = (link) => step !== null && link !== undefined && !step.stages.includes(pairs[Number(link)].stage);
    for (const part of svg.querySelectorAll(".al-link, .al-cell")) {
      const off = isOff(part.dataset.link);
      part.classList.toggle("is-off", off);
      part.classList.toggle("is-dim", !off && step?.lit !== undefined && pairs[Number(part.dataset.link)].stage !== step.lit);
    }
    for (const token of svg.querySelectorAll(".al-token")) {
      token.classList.toggle("is-plain", step !== null && (step.stages.length === 0 || isOff(token.dataset.link)));
      const isMeant = step?.side === token.dataset.side && token.dataset.link !== undefined;
      token.classList.toggle("is-counted", isMeant);
    }
    for (const band of svg.querySelectorAll(".al-chunk")) band.classList.toggle("is-off", step !== null && !step.chunks);
  }
}
