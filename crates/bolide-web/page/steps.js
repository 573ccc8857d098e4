// The step player: how METEOR gets from two texts to a score, one step at a time.
//
// A step has a sentence, the links that it shows, the words that it highlights and its line of the formula. Step 0 is
// the whole picture. Everything comes from the engine's explanation.

import { STAGES } from "./alignment.js";
import { byId, h, plural } from "./dom.js";

const four = (x) => x.toFixed(4);
const PASSES = {
  exact: "Identical words pair up",
  case: "Then words that differ in case only pair up",
  stem: "Then words that share a stem pair up",
  synonym: "Then words that WordNet lists as synonyms pair up",
  near: "Then words that are spelled almost alike pair up",
  paraphrase: "Then phrases that the paraphrase table lists pair up",
};

// The steps of an explanation: { name, text, stages, lone, chunks, term }.
export function stepsOf(explanation) {
  const { tokens: { hypothesis, reference }, pairs, signature, chunks, precision, recall, fmean, penalty, score } = explanation;
  const asked = signature.match(/\|(?:match|modules):([^|]+)/)?.[1].split("+") ?? ["exact"];
  const list = [{
    name: "Words", stages: [], text: `The texts are split into words: ${hypothesis.length} in the hypothesis, ${reference.length} in the reference.`,
  }];
  const stages = [];
  for (const stage of Object.keys(STAGES).filter((name) => asked.includes(name))) {
    stages.push(stage);
    const found = pairs.filter((link) => link.stage === stage).length;
    list.push({
      name: stage[0].toUpperCase() + stage.slice(1), stages: [...stages], lit: stage,
      text: `${PASSES[stage]}: ${found === 0 ? "none here" : plural(found, "pair")}.`,
    });
  }
  const all = [...stages];
  const count = (side) => pairs.reduce((sum, link) => sum + link[`${side}_tokens`], 0);
  const p = four(precision);
  const r = four(recall);
  list.push(
    {
      name: "Chunks", stages: all, chunks: true,
      text: chunks === 0 ? "Nothing pairs, so there are no chunks."
        : `Pairs that are neighbours in both texts, in the same order, form a chunk: ${chunks} here. Fewer is better.`,
    },
    { name: "Precision", stages: all, side: "hypothesis", term: 0, text: `Precision: ${count("hypothesis")} of ${plural(hypothesis.length, "hypothesis word")} have a partner. P = ${p}.` },
    { name: "Recall", stages: all, side: "reference", term: 1, text: `Recall: ${count("reference")} of ${plural(reference.length, "reference word")} have a partner. R = ${r}.` },
    { name: "Mean", stages: all, term: 2, text: `The harmonic mean of P and R, weighted towards recall (α = ${explanation.alpha}): Fmean = ${four(fmean)}.` },
    { name: "Penalty", stages: all, chunks: true, term: 3, text: `Word order: ${plural(chunks, "chunk")} for ${plural(pairs.length, "pair")} cost a penalty of ${four(penalty)}.` },
    { name: "Score", stages: all, chunks: true, term: 4, text: `The score is (1 − ${four(penalty)}) · ${four(fmean)} = ${four(score)}.` },
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
    this.#back = h("button", { type: "button", class: "quiet", "aria-label": "Previous step", onclick: () => this.#go(this.#step - 1) }, "◀");
    this.#on = h("button", { type: "button", class: "quiet", "aria-label": "Next step", onclick: () => this.#go(this.#step + 1) }, "▶");
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
      : [h("b", {}, "Step by step"), ` See how the score comes about, in ${n} steps.`]));
    byId("formula").querySelectorAll(".step").forEach((line, at) => line.classList.toggle("is-lit", step?.term === at));
  }

  // Shows the step in a drawing.
  light(svg) {
    this.#show();
    if (!svg) return;
    const step = this.#current;
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
