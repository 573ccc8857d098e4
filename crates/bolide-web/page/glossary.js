// The terms with a dotted underline, explained where they are.

import { mark, t } from "./strings.js";

const TERMS = {
  hypothesis: mark("Hypothesis: the text to be scored, such as the output of a translation system."),
  reference: mark("Reference: a text written or checked by people, with which the hypothesis is compared."),
  alignment: mark("Alignment: which word of the hypothesis is paired with which word of the reference, one to one."),
  match: mark("Match: two words that a stage pairs, because they are the same, share a stem or are synonyms."),
  precision: mark("Precision: the share of the hypothesis words that are matched."),
  recall: mark("Recall: the share of the reference words that are matched."),
  mean: mark("Fmean: the harmonic mean of precision and recall, in which recall usually weighs nine times as much."),
  chunk: mark("Chunk: a run of matches that are neighbours in both texts, in the same order. Fewer chunks mean a more similar word order."),
  penalty: mark("Penalty: the part of Fmean that is lost because the matches come in several chunks."),
  signature: mark("Signature: one line that names the metric and every setting, so that others can repeat the score."),
  dialect: mark("Dialect: one way to compute a metric, bit for bit like one program or paper."),
};

// `say` shows a sentence at an element, or nothing.
export function explainTerms(say) {
  const termOf = ({ target }) => target.closest?.(".term");
  for (const kind of ["pointerover", "focusin", "click"]) {
    document.addEventListener(kind, (event) => {
      const found = termOf(event);
      if (found) say(t(TERMS[found.dataset.term]), found);
    });
  }
  for (const kind of ["pointerout", "focusout"]) {
    document.addEventListener(kind, (event) => {
      if (termOf(event)) say(null);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && termOf(event)) say(null);
  });
}
