// The score with its parts, the plain-words rating and the alignment card.

import { STAGES, drawLinks, drawMatrix, describe, index, toPngBlob, toSvgText, watch, windows } from "./alignment.js";
import { byId, download, h, plural, toast } from "./dom.js";
import { losses } from "./formula.js";

const SVG = "http://www.w3.org/2000/svg";

// How much the two texts have in common, in plain words. It is a description, not a verdict.
const RATINGS = [
  [0.95, "Almost word for word", "The two texts are nearly the same."],
  [0.8, "Very close", "Most of the words match."],
  [0.6, "Close", "Much is shared, but words or their order differ."],
  [0.4, "Partial overlap", "About half of the content is shared."],
  [0.2, "Little overlap", "Only some words are shared."],
  [1e-12, "Hardly anything in common", "A few words at most are shared."],
  [-Infinity, "Nothing in common", "Not a single word matches."],
];

export const rating = (score) => RATINGS.find(([least]) => score >= least);

const LOST = {
  unmatched_reference: "words of the reference that are missing",
  unmatched_hypothesis: "words that the reference does not have",
  fragmentation: "word order",
};

function advice({ score, losses }) {
  const [what, most] = Object.keys(LOST).map((key) => [LOST[key], losses[key]])
    .sort((a, b) => b[1] - a[1])[0];
  return most > 0.0005 && score > 0 ? `The most is lost to ${what} (${most.toFixed(4)}).` : "";
}

// A dial from 0 to 1.
function dial(score, text) {
  const node = (name, attributes) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    return element;
  };
  const turn = 2 * Math.PI * 52;
  const share = Math.max(0, Math.min(1, Number.isFinite(score) ? score : 0));
  const svg = node("svg", { viewBox: "0 0 128 128", class: "dial", "aria-hidden": "true" });
  const circle = { cx: 64, cy: 64, r: 52, fill: "none", "stroke-width": 11 };
  const value = node("text", { x: 64, y: 72, "text-anchor": "middle", class: "dial-value" });
  value.textContent = text;
  svg.append(
    node("circle", { ...circle, class: "dial-back" }),
    node("circle", {
      ...circle, class: "dial-front", "stroke-linecap": "round", transform: "rotate(-90 64 64)",
      "stroke-dasharray": `${(turn * share).toFixed(2)} ${turn.toFixed(2)}`,
      "stroke-opacity": share === 0 ? 0 : 1,
    }),
    value,
  );
  return svg;
}

function tile(label, value, about) {
  return h("div", { class: "tile", title: about }, h("dt", {}, label), h("dd", {}, value));
}

const COMPONENT_NAMES = (name) => name.replaceAll("_", " ");
const show = (value) => (typeof value === "boolean" ? (value ? "yes" : "no")
  : Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(4));

// The body of the score card, and what a screen reader says about it.
export function scoreCard({ explanation, report, beside, milliseconds }, dialect, nReferences) {
  const { decimals } = dialect;
  const score = explanation ? explanation.score : report.score;
  const text = score.toFixed(decimals);
  const others = beside.map(({ name, label, report: other, decimals: n }) => (
    tile(label, other.score.toFixed(n), name)));
  const time = h("p", { class: "hint time" },
    milliseconds < 1 ? "scored in under a millisecond" : `scored in ${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`);
  if (!explanation) {
    const scale = decimals >= 3 ? 1 : 100;
    const kind = dialect.lower_is_better ? "an error rate: less is better" : scale === 100 ? "out of 100" : "";
    const tiles = Object.entries(report.components).slice(0, 12)
      .map(([name, value]) => tile(COMPONENT_NAMES(name), show(value)));
    return {
      spoken: `${dialect.title} ${text}`,
      body: h("div", {}, h("div", { class: "score-head" }, dial(score / scale, text),
        h("div", {}, h("p", { class: "rating" }, dialect.title), h("p", {}, kind),
          h("p", { class: "hint" }, dialect.reproduces), time)),
      h("dl", { class: "tiles" }, tiles, others)),
    };
  }
  const [, title, about] = rating(score);
  const { precision, recall, fmean, penalty, matches, chunks, proven } = explanation;
  const best = nReferences > 1 ? `Reference ${explanation.reference_idx + 1} of ${nReferences} is the best match.` : "";
  return {
    spoken: `${dialect.title} ${text}. ${title}.`,
    body: h("div", {},
      h("div", { class: "score-head" }, dial(score, text),
        h("div", {}, h("p", { class: "rating" }, title),
          h("p", {}, [about, advice(explanation), best].filter(Boolean).join(" ")),
          badge(explanation, proven), time)),
      h("dl", { class: "tiles" },
        tile(h("span", {}, "F", h("sub", {}, "mean")), fmean.toFixed(4), "weighted harmonic mean of precision and recall"),
        tile("Penalty", penalty.toFixed(4), "what word order takes"),
        tile("Precision", precision.toFixed(4), "the share of hypothesis words that match"),
        tile("Recall", recall.toFixed(4), "the share of reference words that match"),
        tile("Matches", matches.toLocaleString("en"), "matched pairs"),
        tile("Chunks", chunks.toLocaleString("en"), "runs of matches that are neighbours in both texts"),
        others),
      losses(explanation)),
  };
}

function badge({ chunks, chunks_lower_bound: bound }, proven) {
  if (proven === true) {
    return h("p", { class: "badge good" }, "✓ Proven: no alignment has fewer chunks");
  }
  if (proven === false) {
    const needed = bound === null || bound === undefined ? "" : `, at least ${bound} needed`;
    return h("p", { class: "badge warn" },
      `Not proven: ${plural(chunks, "chunk")} found${needed}; the search ended at its budget`);
  }
  return h("p", { class: "badge" }, "This dialect does not look for the fewest chunks");
}

// The alignment card. It redraws itself when its room changes.
export class AlignmentCard {
  #explanation = null;
  #page = 0;
  #view = "links";
  #svg = null;
  #drawing = byId("drawing");
  #detail = byId("detail");

  constructor() {
    byId("views").addEventListener("change", ({ target }) => {
      this.#view = target.value;
      this.#draw();
    });
    byId("page-back").addEventListener("click", () => this.#turn(-1));
    byId("page-on").addEventListener("click", () => this.#turn(1));
    byId("save-svg").addEventListener("click", () => {
      if (this.#svg) download("alignment.svg", new Blob([toSvgText(this.#svg)], { type: "image/svg+xml" }));
    });
    byId("save-png").addEventListener("click", () => this.#picture((blob) => download("alignment.png", blob)));
    byId("copy-png").addEventListener("click", () => this.#picture(async (blob) => {
      try {
        await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
        toast("Picture copied");
      } catch {
        toast("The browser did not let this page copy the picture");
      }
    }));
    let width = 0;
    new ResizeObserver(([{ contentRect }]) => {
      if (Math.abs(contentRect.width - width) < 2) return;
      width = contentRect.width;
      this.#draw();
    }).observe(this.#drawing);
  }

  async #picture(use) {
    if (!this.#svg) return;
    try {
      await use(await toPngBlob(this.#svg));
    } catch (problem) {
      toast(`No picture: ${problem.message}`);
    }
  }

  set explanation(explanation) {
    this.#explanation = explanation;
    this.#page = Math.min(this.#page, explanation ? windows(explanation) - 1 : 0);
    this.#draw();
  }

  #turn(by) {
    this.#page = Math.max(0, Math.min(windows(this.#explanation) - 1, this.#page + by));
    this.#draw();
  }

  #draw() {
    const explanation = this.#explanation;
    this.#svg = null;
    this.#say(null);
    for (const id of ["save-svg", "save-png", "copy-png"]) byId(id).disabled = true;
    byId("pager").hidden = true;
    byId("legend").replaceChildren();
    if (!explanation) {
      this.#drawing.replaceChildren(h("p", { class: "hint" }, "There is no alignment to draw for this metric. Choose another to see one."));
      return;
    }
    if (explanation.tokens.hypothesis.length + explanation.tokens.reference.length === 0) {
      this.#drawing.replaceChildren(h("p", { class: "hint" }, "Type two sentences to see how their words pair up."));
      return;
    }
    this.#legend(explanation);
    if (this.#view !== "matrix" && windows(explanation) > 1) this.#pages(explanation);
    if (this.#view === "table") return this.#table(explanation);
    const style = getComputedStyle(this.#drawing);
    const width = this.#drawing.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const svg = this.#view === "links"
      ? drawLinks(explanation, { width, page: this.#page })
      : drawMatrix(explanation, { width });
    this.#svg = svg;
    this.#drawing.replaceChildren(svg);
    watch(svg, explanation, (text) => this.#say(text));
    for (const id of ["save-svg", "save-png", "copy-png"]) byId(id).disabled = false;
    return undefined;
  }

  #say(text) {
    this.#detail.textContent = text ?? "Point at a word, or move there with the keyboard, to see why it matches or what it costs.";
    this.#detail.classList.toggle("is-quiet", text === null);
  }

  #legend(explanation) {
    const counts = new Map();
    for (const { stage } of explanation.pairs) counts.set(stage, (counts.get(stage) ?? 0) + 1);
    const items = Object.entries(STAGES).filter(([stage]) => counts.has(stage)).map(([stage, { label }]) => (
      h("li", {}, h("i", { class: `swatch stage-${stage}` }), `${label} · ${counts.get(stage).toLocaleString("en")}`)));
    const matched = { hypothesis: 0, reference: 0 };
    for (const link of explanation.pairs) {
      matched.hypothesis += link.hypothesis_tokens;
      matched.reference += link.reference_tokens;
    }
    const lone = explanation.tokens.hypothesis.length + explanation.tokens.reference.length - matched.hypothesis - matched.reference;
    if (lone > 0) items.push(h("li", {}, h("i", { class: "swatch stage-lone" }), `no partner · ${lone.toLocaleString("en")}`));
    if (explanation.chunks > 0) {
      items.push(h("li", {}, h("i", { class: "swatch stage-chunk" }), plural(explanation.chunks, "chunk")));
      items.push(h("li", {}, plural(explanation.crossings, "crossing")));
    }
    byId("legend").replaceChildren(...items);
  }

  #pages(explanation) {
    const n = windows(explanation);
    byId("pager").hidden = false;
    byId("page-now").textContent = `part ${this.#page + 1} of ${n}`;
    byId("page-back").disabled = this.#page === 0;
    byId("page-on").disabled = this.#page === n - 1;
  }

  // The alignment as rows of text: the same facts without a drawing.
  #table(explanation) {
    const known = index(explanation);
    const n = windows(explanation);
    const cut = (length) => [Math.floor((length * this.#page) / n), Math.floor((length * (this.#page + 1)) / n)];
    const row = (side, at) => {
      const link = known[side][at];
      const word = explanation.tokens[side][at];
      const partner = link && (side === "hypothesis" ? explanation.tokens.reference[link.reference] : null);
      return h("tr", { class: link ? "" : "lone" },
        h("td", {}, side === "hypothesis" ? h("bdi", {}, word.surface ?? word.text) : "—"),
        h("td", {}, side === "reference" ? h("bdi", {}, word.surface ?? word.text)
          : partner ? h("bdi", {}, partner.surface ?? partner.text) : "—"),
        h("td", {}, link ? link.stage : side === "hypothesis" ? "extra" : "missing"),
        h("td", { class: "number" }, link ? String(link.chunk + 1) : ""),
        h("td", { class: "wide" }, describe(explanation, side, at, known)));
    };
    const rows = [];
    const [from, to] = cut(explanation.tokens.hypothesis.length);
    for (let at = from; at < to; at++) rows.push(row("hypothesis", at));
    const [first, last] = cut(explanation.tokens.reference.length);
    for (let at = first; at < last; at++) if (!known.reference[at]) rows.push(row("reference", at));
    const head = ["Hypothesis", "Reference", "Match", "Chunk", "Why, and what it costs"];
    this.#drawing.replaceChildren(h("table", { class: "data" },
      h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows)));
  }
}
