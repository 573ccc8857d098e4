// The alignment of another dialect for the same texts, below the first one; links that only it has are marked.

import { drawLinks, watch } from "./alignment.js";
import { byId, h, plural } from "./dom.js";

const key = (link) => `${link.hypothesis}:${link.reference}`;

// Says where two alignments differ.
export function difference(first, second, names) {
  const words = ({ tokens }) => [...tokens.hypothesis, ...tokens.reference].map(({ text }) => text).join(" ");
  const [ours, theirs] = [first, second].map(({ pairs }) => new Set(pairs.map(key)));
  const sentences = [];
  if (first.reference_idx !== second.reference_idx) {
    sentences.push(`${names[1]} scores best against another reference.`);
  } else if (words(first) !== words(second)) {
    sentences.push(`${names[1]} splits the texts into other words.`);
  } else {
    const more = [...ours].filter((pair) => !theirs.has(pair)).length;
    const other = [...theirs].filter((pair) => !ours.has(pair)).length;
    if (more + other === 0) sentences.push(`Both pair the same words.`);
    else if (first.pairs.length === second.pairs.length) sentences.push(`${names[1]} pairs ${plural(other, "word")} differently (marked).`);
    else sentences.push(`${names[1]} finds ${plural(second.pairs.length, "pair")}, ${names[0]} ${first.pairs.length}.`);
  }
  if (first.chunks !== second.chunks) sentences.push(`That makes ${plural(second.chunks, "chunk")} instead of ${first.chunks}.`);
  const gap = second.score - first.score;
  sentences.push(Math.abs(gap) < 5e-5 ? "The scores are the same." : `Its score is ${second.score.toFixed(4)}: ${Math.abs(gap).toFixed(4)} ${gap < 0 ? "less" : "more"}.`);
  return sentences.join(" ");
}

// Draws the second alignment into the card.
export function drawBeside(first, second, names, say) {
  const place = byId("beside-body");
  const drawing = h("div", { class: "drawing" });
  place.replaceChildren(h("p", { class: "beside-text" }, difference(first, second, names)), drawing);
  const svg = drawLinks(second, { width: drawing.clientWidth - 8 });
  const known = new Set(first.pairs.map(key));
  if (first.reference_idx === second.reference_idx) {
    for (const path of svg.querySelectorAll(".al-link")) path.classList.toggle("al-other", !known.has(key(second.pairs[Number(path.dataset.link)])));
  }
  drawing.replaceChildren(svg);
  watch(svg, second, say);
}
