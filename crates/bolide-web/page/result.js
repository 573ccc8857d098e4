// The score with its components, a description in plain words, and the alignment card.

import { STAGES, drawLinks, describe, index, isPartial, watch, windows } from "./alignment.js";
import { byId, download, h, term, toast } from "./dom.js";
import { lossBar, losses } from "./formula.js";
import { Player } from "./steps.js";
import { grouped, mark, t } from "./strings.js";

// With this many crossings or more, the matrix is easier to read.
const TANGLED = 40;

// How many words of a side are matched.
function matched(explanation) {
  const count = { hypothesis: 0, reference: 0 };
  for (const link of explanation.pairs) {
    count.hypothesis += link.hypothesis_tokens;
    count.reference += link.reference_tokens;
  }
  return count;
}

// How much the two texts have in common, in plain words. It depends on the words that match, not on the score: 0.4 is
// low in one dialect and high in another.
export function rating(explanation) {
  const { hypothesis, reference } = explanation.tokens;
  const count = matched(explanation);
  const share = (count.hypothesis + count.reference) / (hypothesis.length + reference.length);
  if (share === 0) return t("No words in common");
  if (share === 1) return explanation.crossings === 0 ? t("All words match, in the same order") : t("All words match, in another order");
  if (share >= 0.75) return t("Most words match");
  if (share >= 0.5) return t("Many words match");
  return share >= 0.25 ? t("Some words match") : t("Few words match");
}

const LOST = {
  unmatched_reference: mark("Most points were lost to missing words ({most})."),
  unmatched_hypothesis: mark("Most points were lost to extra words ({most})."),
  fragmentation: mark("Most points were lost to word order ({most})."),
};
const LOST_IN_PART = {
  ...LOST,
  unmatched_reference: mark("Most points were lost to missing or partly matched words ({most})."),
  unmatched_hypothesis: mark("Most points were lost to extra or partly matched words ({most})."),
};

function advice(explanation) {
  const { score, losses: lost } = explanation;
  const texts = isPartial(explanation) ? LOST_IN_PART : LOST;
  const [what, most] = Object.keys(texts).map((key) => [texts[key], lost[key]])
    .sort((a, b) => b[1] - a[1])[0];
  return most > 0.0005 && score > 0 ? t(what, { most: most.toFixed(4) }) : "";
}

function tile(label, value, about) {
  return h("div", { class: "tile", title: about }, h("dt", {}, label), h("dd", {}, value));
}

const readable = (name) => name.replaceAll("_", " ").replace(/(\d)$/, " $1").replace("  ", " ");
const show = (value) => (typeof value === "boolean" ? (value ? t("yes") : t("no"))
  : Number.isInteger(value) ? grouped(value) : value.toFixed(4));

// What the last edit changed.
function change(value, before, { decimals, lower_is_better: isError }) {
  if (before === null || (value - before).toFixed(decimals) === (0).toFixed(decimals)) return null;
  const difference = value - before;
  const isBetter = (difference > 0) !== isError;
  const text = `${difference > 0 ? "▲ +" : "▼ −"}${Math.abs(difference).toFixed(decimals)}`;
  return h("span", { class: `change ${isBetter ? "good" : "bad"}`, title: t("change since the last edit") }, text);
}

// The components of the score, and the scores of other metrics beside it.
export function components({ explanation, evidence, score, beside }, dialect) {
  const others = beside.filter(({ name }) => name !== dialect.name)
    .map(({ name, label, score: other, decimals: n }) => tile(label, other.score.toFixed(n), name));
  if (!explanation) {
    // What the steps show is not repeated.
    const tiles = evidence ? [] : Object.entries(score.components).slice(0, 12).map(([name, part]) => tile(readable(name), show(part)));
    return [...tiles, ...others];
  }
  const { precision, recall, fmean, penalty, matches, chunks } = explanation;
  return [
    tile(term("precision", t("Precision")), precision.toFixed(4)),
    tile(term("recall", t("Recall")), recall.toFixed(4)),
    tile(term("mean", "F", h("sub", {}, "mean")), fmean.toFixed(4)),
    tile(term("match", t("Matches")), grouped(matches)),
    tile(term("chunk", t("Chunks")), grouped(chunks)),
    tile(term("penalty", t("Penalty")), penalty.toFixed(4)),
    ...others,
  ];
}

// The body of the score card, and the text for screen readers.
export function scoreCard({ explanation, value }, dialect, nReferences, before) {
  const { decimals } = dialect;
  const text = value.toFixed(decimals);
  const number = h("div", { class: "strip-score" }, h("span", { class: "strip-name" }, dialect.title),
    h("span", { class: "score-value" }, text), change(value, before, dialect));
  if (!explanation) {
    const kind = dialect.lower_is_better ? t("An error rate: lower is better.") : dialect.range[1] === 100 ? t("Out of 100.")
      : dialect.range[1] === null ? t("From 0 upwards, without a limit.") : t("From 0 to {most}.", { most: dialect.range[1] });
    return {
      spoken: `${dialect.title} ${text}`,
      body: [h("div", { class: "strip" }, number,
        h("div", { class: "strip-words" }, h("p", { class: "rating" }, kind), h("p", { lang: "en" }, `${dialect.summary[0].toUpperCase()}${dialect.summary.slice(1)}.`)))],
    };
  }
  const title = rating(explanation);
  const count = matched(explanation);
  const facts = t("{hypothesis} and {reference} match, in {n} chunk.|{hypothesis} and {reference} match, in {n} chunks.", {
    hypothesis: t("{matched} of {n} hypothesis word|{matched} of {n} hypothesis words", { matched: count.hypothesis, n: explanation.tokens.hypothesis.length }),
    reference: t("{matched} of {n} reference word|{matched} of {n} reference words", { matched: count.reference, n: explanation.tokens.reference.length }),
    n: explanation.chunks,
  });
  const best = nReferences > 1 ? t("Reference {at} of {all} is the best match.", { at: explanation.reference_idx + 1, all: nReferences }) : "";
  return {
    spoken: `${dialect.title} ${text}. ${title}.`,
    body: [
      h("div", { class: "strip" }, number,
        h("div", { class: "strip-words" }, h("p", { class: "rating" }, title),
          h("p", {}, [facts, advice(explanation), best].filter(Boolean).join(" ")),
          badge(explanation)),
        losses(explanation)),
    ],
  };
}

// The bar that stays visible on a phone.
export function glance({ explanation, value }, dialect, before) {
  return [h("span", { class: "glance-name" }, dialect.title), h("b", {}, value.toFixed(dialect.decimals)),
    change(value, before, dialect), explanation ? lossBar(explanation) : null].filter(Boolean);
}

// Replaces the score if a box is empty.
export function emptyCard(lacksHypothesis, lacksReference) {
  const text = lacksHypothesis && lacksReference ? t("Type a hypothesis and a reference to see the score, or choose an example.")
    : lacksHypothesis ? t("Type a hypothesis to see the score, or choose an example.") : t("Type a reference to see the score, or choose an example.");
  return [h("p", { class: "invitation" }, text)];
}

// Whether a chunk is not contiguous in the reference: some dialects only consider the hypothesis.
function ignoresReferenceOrder({ pairs }) {
  return pairs.some((link, at) => {
    const last = pairs[at - 1];
    return last && last.chunk === link.chunk && last.reference + last.reference_tokens !== link.reference;
  });
}

function badge(explanation) {
  const { chunks, chunks_lower_bound: bound, proven } = explanation;
  if (ignoresReferenceOrder(explanation)) {
    return h("p", { class: "badge warn" }, t("Chunks are counted in the hypothesis only: the order of the words in the reference costs nothing"));
  }
  if (proven === true) {
    return h("p", { class: "badge good" }, t("✓ Proven: no alignment has fewer chunks"));
  }
  if (proven === false) {
    const text = bound === null || bound === undefined ? t("Not proven: {n} chunk found; the search reached its limit|Not proven: {n} chunks found; the search reached its limit", { n: chunks })
      : t("Not proven: {n} chunk found, at least {bound} needed; the search reached its limit|Not proven: {n} chunks found, at least {bound} needed; the search reached its limit", { n: chunks, bound });
    return h("p", { class: "badge warn" }, text);
  }
  return h("p", { class: "badge" }, t("This dialect does not search for the fewest chunks"));
}

// A short sentence is drawn larger, if there is room on both sides. `zoom` is how much larger the reader wants all text.
function enlarge(svg, room, zoom) {
  const [width, height] = ["width", "height"].map((name) => Number(svg.getAttribute(name)));
  const scale = Math.max(Math.min(1.2 * zoom, (0.8 * room) / width), zoom);
  if (scale <= 1) return;
  svg.setAttribute("width", width * scale);
  svg.setAttribute("height", height * scale);
}

// The alignment card. It redraws itself when its width changes.
export class AlignmentCard {
  #explanation = null;
  #page = 0;
  #view = "links";
  #svg = null;
  #drawing = byId("drawing");
  #detail = byId("detail");
  #popover = byId("popover");
  #player;
  #drawMatrix = null;
  #width = 0;
  // The word that the note is about, and whether notes say what synsets mean.
  #noted = null;
  #hasGlosses = false;

  // `stepped` is called when another step is shown.
  constructor(stepped) {
    this.#player = new Player((step) => {
      this.#player.light(this.#svg);
      stepped(step);
    });
    this.#player.watchFormula(() => this.#svg);
    byId("views").addEventListener("change", ({ target }) => {
      this.#view = target.value;
      this.#draw();
    });
    byId("page-back").addEventListener("click", () => this.#turn(-1));
    byId("page-on").addEventListener("click", () => this.#turn(1));
    byId("save-svg").addEventListener("click", () => this.#picture("toSvgBlob", (blob) => download("alignment.svg", blob)));
    byId("save-png").addEventListener("click", () => this.#picture("toPngBlob", (blob) => download("alignment.png", blob)));
    byId("copy-png").addEventListener("click", () => this.#picture("toPngBlob", async (blob) => {
      try {
        await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
        toast(t("{what} copied", { what: t("Picture") }));
      } catch {
        toast(t("The browser did not let this page copy: {what}", { what: t("Picture") }));
      }
    }));
    new ResizeObserver(([{ contentRect }]) => {
      const hasChanged = Math.abs(contentRect.width - this.#width) >= 2;
      this.#width = contentRect.width;
      // A card that was hidden and is shown again was drawn meanwhile.
      if (hasChanged) this.#draw();
    }).observe(this.#drawing);
  }

  // The width for the drawing. The observer knows it; asking makes the browser lay out the page at once.
  #measure() {
    const style = getComputedStyle(this.#drawing);
    return this.#drawing.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  }

  async #picture(make, use) {
    const svg = this.#svg;
    if (!svg) return;
    try {
      const { score, signature } = this.#explanation;
      await use(await (await import("./picture.js"))[make](svg, [score.toFixed(4), String(signature)]));
    } catch (problem) {
      toast(t("No picture: {problem}", { problem: problem.message }));
    }
  }

  set step(step) {
    this.#player.step = step;
    this.#player.light(this.#svg);
  }

  set explanation(explanation) {
    this.#explanation = explanation;
    this.#player.explanation = explanation;
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
    this.say(null);
    this.#drawing.classList.toggle("is-matrix", this.#view === "matrix");
    for (const id of ["save-svg", "save-png", "copy-png"]) byId(id).disabled = true;
    byId("pager").hidden = true;
    byId("legend").replaceChildren();
    if (!explanation) {
      this.#drawing.replaceChildren(h("p", { class: "hint" }, t("The words of the two texts will be drawn here.")));
      return;
    }
    this.#legend(explanation);
    if (this.#view !== "matrix" && windows(explanation) > 1) this.#pages(explanation);
    if (this.#view === "table") return this.#table(explanation);
    const width = this.#width || this.#measure();
    if (this.#view === "matrix" && !this.#drawMatrix) {
      // Draw it once it is loaded, if it is still wanted.
      this.loadMatrix().then(() => this.#draw());
      return undefined;
    }
    const zoom = Math.max(1, parseFloat(getComputedStyle(document.documentElement).fontSize) / 16);
    const svg = this.#view === "links"
      ? drawLinks(explanation, { width: width / zoom, page: this.#page })
      : this.#drawMatrix(explanation, { width });
    if (this.#view === "links") enlarge(svg, width, zoom);
    this.#svg = svg;
    this.#drawing.replaceChildren(svg);
    watch(svg, explanation, (text, target) => this.say(text, target));
    this.#player.light(svg);
    for (const id of ["save-svg", "save-png", "copy-png"]) byId(id).disabled = false;
    return undefined;
  }

  // Shows a note at the word, or on a phone at the bottom of the window. Screen readers read the same sentence.
  say(text, target = null) {
    this.#detail.textContent = text ?? "";
    this.#popover.hidden = text === null;
    this.#noted = target;
    if (text === null) return;
    this.#popover.textContent = text;
    const word = target.getBoundingClientRect();
    const own = this.#popover.getBoundingClientRect();
    // The note at the bottom of a phone must not cover its word.
    const isSheet = getComputedStyle(this.#popover).position === "fixed" && matchMedia("(hover: none)").matches;
    if (isSheet && word.bottom > own.top - 8) scrollBy({ top: word.bottom - own.top + 24, behavior: "instant" });
    const room = document.documentElement.clientWidth;
    const left = Math.max(8, Math.min(room - own.width - 8, word.left + word.width / 2 - own.width / 2));
    const above = target.dataset.side === "reference" ? word.top - own.height - 8 : -1;
    const top = above >= 8 ? above : word.bottom + 8;
    this.#popover.style.setProperty("--left", `${left + scrollX}px`);
    this.#popover.style.setProperty("--top", `${top + scrollY}px`);
    if (target.matches(".al-synonym") || target.querySelector(".al-synonym")) this.#define(target);
  }

  // The first time that synonyms are explained, loads what their synset means and explains them again.
  async #define(target) {
    if (this.#hasGlosses) return;
    const { loadGlosses } = await import("./glosses.js");
    if (!(await loadGlosses())) return;
    this.#hasGlosses = true;
    if (this.#view === "table") this.#draw();
    for (const token of this.#svg?.querySelectorAll(".al-token.al-synonym") ?? []) {
      token.setAttribute("aria-label", describe(this.#explanation, token.dataset.side, Number(token.dataset.at)));
    }
    if (target !== null && target === this.#noted) target.dispatchEvent(new CustomEvent("known", { bubbles: true }));
  }

  #legend(explanation) {
    const counts = new Map();
    for (const { stage } of explanation.pairs) counts.set(stage, (counts.get(stage) ?? 0) + 1);
    const items = Object.entries(STAGES).filter(([stage]) => counts.has(stage)).map(([stage, { label }]) => (
      h("li", {}, h("i", { class: `swatch stage-${stage}` }), `${t(label)} · ${grouped(counts.get(stage))}`)));
    const matched = { hypothesis: 0, reference: 0 };
    for (const link of explanation.pairs) {
      matched.hypothesis += link.hypothesis_tokens;
      matched.reference += link.reference_tokens;
    }
    const lone = explanation.tokens.hypothesis.length + explanation.tokens.reference.length - matched.hypothesis - matched.reference;
    if (lone > 0) items.push(h("li", {}, h("i", { class: "swatch stage-lone" }), `${t("no partner")} · ${grouped(lone)}`));
    if (explanation.chunks > 0) {
      items.push(h("li", {}, h("i", { class: "swatch stage-chunk" }), t("band: {n} chunk|band: {n} chunks", { n: explanation.chunks })));
      items.push(h("li", {}, t("{n} crossing|{n} crossings", { n: explanation.crossings })));
      if (explanation.crossings > TANGLED && this.#view === "links") {
        items.push(h("li", {}, h("button", { type: "button", class: "link", onclick: () => this.#choose("matrix") }, t("Many links cross: see the matrix"))));
      }
    }
    byId("legend").replaceChildren(...items);
  }

  // The matrix is loaded on demand: the first screen does not show it.
  async loadMatrix() {
    if (this.#drawMatrix) return;
    const { drawMatrix, followScroll } = await import("./matrix.js");
    if (!this.#drawMatrix) followScroll(this.#drawing);
    this.#drawMatrix = drawMatrix;
  }

  #choose(view) {
    const input = byId("views").querySelector(`[value="${view}"]`);
    input.checked = true;
    input.focus();
    this.#view = view;
    this.#draw();
  }

  #pages(explanation) {
    const n = windows(explanation);
    byId("pager").hidden = false;
    byId("page-now").textContent = t("part {at} of {all}", { at: this.#page + 1, all: n });
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
        h("td", {}, link ? t(STAGES[link.stage]?.label ?? link.stage) : side === "hypothesis" ? t("extra") : t("missing")),
        h("td", { class: "number" }, link ? String(link.chunk + 1) : ""),
        h("td", { class: "wide" }, describe(explanation, side, at, known)));
    };
    const rows = [];
    const [from, to] = cut(explanation.tokens.hypothesis.length);
    for (let at = from; at < to; at++) rows.push(row("hypothesis", at));
    const [first, last] = cut(explanation.tokens.reference.length);
    for (let at = first; at < last; at++) if (!known.reference[at]) rows.push(row("reference", at));
    const head = [t("Hypothesis"), t("Reference"), t("Match"), t("Chunk"), t("Why, and what it costs")];
    this.#drawing.replaceChildren(h("table", { class: "data pairs" },
      h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows)));
    if (explanation.pairs.some(({ stage }) => stage === "synonym")) this.#define(null);
  }
}
