// A lesson: an example with its point, the solution worked out line by line, and a task that notices when it is solved.

import { byId, h } from "./dom.js";
import { t } from "./strings.js";

const four = (x) => x.toFixed(4);
const given = (x) => String(Number(x.toFixed(6)));

// The six lines from the matches to the score.
export function solution({ matches, chunks, alpha, beta, gamma, precision, recall, fmean, penalty, score, tokens: { hypothesis, reference } }) {
  const [p, r, f] = [four(precision), four(recall), four(fmean)];
  return [
    t("{matches} matches, {chunks} chunks; {hypothesis} words in the hypothesis, {reference} in the reference", { matches, chunks, hypothesis: hypothesis.length, reference: reference.length }),
    `P = ${matches}/${hypothesis.length} = ${p}`,
    `R = ${matches}/${reference.length} = ${r}`,
    `Fmean = P·R / (${given(alpha)}·P + ${given(1 - alpha)}·R) = ${f}`,
    `${t("penalty")} = ${given(gamma)}·(${chunks}/${matches})^${given(beta)} = ${four(penalty)}`,
    `METEOR = (1 − ${four(penalty)})·${f} = ${four(score)}`,
  ];
}

export class Lesson {
  #example = null;
  #lines = h("ol", { class: "worked" });
  #done = h("b", { class: "good" });

  // Shows the lesson of an example; `tryIt` opens the solution of its task.
  show(example, tryIt) {
    this.#example = example;
    this.#lines.replaceChildren();
    this.#done.textContent = "";
    byId("lesson").replaceChildren(
      h("button", { type: "button", class: "quiet close", "aria-label": t("Close the lesson"), onclick: () => this.close() }, "×"),
      h("p", {}, h("b", {}, t(example.name)), " ", t(example.point)),
      h("details", {}, h("summary", {}, t("Worked solution")), this.#lines),
      h("p", {}, h("b", {}, t("Your turn:")), " ", t(example.task), " ", this.#done, " ",
        h("button", { type: "button", class: "link", onclick: tryIt }, t("Show me"))));
    byId("lesson").hidden = false;
  }

  close() {
    this.#example = null;
    byId("lesson").hidden = true;
  }

  // Looks at a new result: the first one is the example's own, a later one may be the solution of the task.
  follow({ explanation, value, isProvisional }) {
    const example = this.#example;
    if (!example || isProvisional) return;
    if (this.#lines.childElementCount === 0 && explanation) this.#lines.append(...solution(explanation).map((line) => h("li", {}, line)));
    const isSolved = example.goal === undefined ? four(value) === example.solution.score : value >= example.goal;
    this.#done.textContent = isSolved && four(value) !== example.score ? t("✓ Solved: {score}.", { score: four(value) }) : "";
  }
}
