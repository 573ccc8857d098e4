// The drawing of an alignment: two sentences with links, as SVG. The matrix is in matrix.js.
//
// The calculator and the HTML report both use it, with alignment.css.
// It draws an Explanation of the engine (tokens may also have a `surface`, the original spelling)
// and computes nothing about a metric. Text enters the document only as text nodes. Colours are
// attributes, so that a saved picture needs no style sheet; the style sheet overrides them for dark
// pages.

import { mark, t } from "./strings.js";

const SVG = "http://www.w3.org/2000/svg";

export const STAGES = {
  exact: { label: mark("same word"), color: "#0f766e", dash: null },
  case: { label: mark("another case"), color: "#0369a1", dash: "12 3" },
  stem: { label: mark("same stem"), color: "#b45309", dash: "7 3" },
  synonym: { label: mark("synonym"), color: "#6d28d9", dash: "2 4" },
  near: { label: mark("near word"), color: "#a16207", dash: "4 3" },
  paraphrase: { label: mark("paraphrase"), color: "#be185d", dash: "10 3 2 3" },
};

export const INK = "#1b2433";
export const MUTED = "#5b6577";
export const LOST = "#b4233c";
export const FRAME = "#828b9a";
// The bands of neighbouring chunks.
const TINTS = ["#2563eb", "#64748b", "#0891b2", "#7c6a46"];
const FONT_FAMILY = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const FONT_SIZE = 15;
const PILL = 30;

// Long texts are shown in windows of this many tokens per side.
export const WINDOW = 120;

let canvas = null;

export function measure(text, size = FONT_SIZE) {
  canvas ??= document.createElement("canvas").getContext("2d");
  canvas.font = `${size}px ${FONT_FAMILY}`;
  return canvas.measureText(text).width;
}

export function node(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

export const surface = (token) => token.surface ?? token.text;

// Shortens a word that is too wide for the picture; its label has the whole word.
export function shorten(text, width) {
  if (measure(text) <= width) return text;
  const letters = [...text];
  let [low, high] = [0, letters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(`${letters.slice(0, middle).join("")}…`) <= width) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join("")}…`;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;

export function isRightToLeft(tokens) {
  const words = tokens.filter((token) => /\p{L}/u.test(token.text));
  const marked = words.filter((token) => RIGHT_TO_LEFT.test(token.text));
  return marked.length * 2 > words.length;
}

// ---------------------------------------------------------------------------------------------
// What the drawing needs to know about each token.

const indexes = new WeakMap();

// For both sides, the link of each token (or undefined) and the cost of each unmatched token; and the
// number of each link. Made once for an explanation: a long text has tens of thousands of tokens.
export function index(explanation) {
  let known = indexes.get(explanation);
  if (!known) {
    known = makeIndex(explanation);
    indexes.set(explanation, known);
  }
  return known;
}

function makeIndex(explanation) {
  const sides = {
    hypothesis: new Array(explanation.tokens.hypothesis.length),
    reference: new Array(explanation.tokens.reference.length),
  };
  for (const link of explanation.pairs) {
    for (let i = 0; i < link.hypothesis_tokens; i++) sides.hypothesis[link.hypothesis + i] = link;
    for (let i = 0; i < link.reference_tokens; i++) sides.reference[link.reference + i] = link;
  }
  const costs = (list) => new Map(list.map(({ at, cost }) => [at, cost]));
  const { losses } = explanation;
  return {
    ...sides,
    hypothesisCosts: costs(losses.hypothesis_words),
    referenceCosts: costs(losses.reference_words),
    breaks: costs(losses.breaks),
    numbers: new Map(explanation.pairs.map((link, number) => [link, number])),
  };
}

// Whether some words match but do not earn all the credit of a match. Then what is lost in recall and precision is not lost to
// unmatched words alone.
export function isPartial({ tokens, pairs, matches, precision, recall }) {
  const isPlain = matches / tokens.hypothesis.length === precision && matches / tokens.reference.length === recall;
  return matches > 0 && !isPlain && pairs.some(({ stage }) => stage !== "exact");
}

// Quotes a word in one of our sentences. The word's writing direction must not affect the sentence.
function quote(word) {
  const isTurned = RIGHT_TO_LEFT.test(word) || /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(word);
  return isTurned ? `“\u2068${word}\u2069”` : `“${word}”`;
}

const signed = (x) => `${x < 0 ? "−" : ""}${Math.abs(x).toFixed(4)}`;

function phrase(tokens, start, count) {
  return tokens.slice(start, start + count).map(surface).join(" ");
}

// What a synset means, if it is known here: glosses.js says how to find out.
let meaningOf = () => null;
export function explainSynsets(look) {
  meaningOf = look;
}

// The engine's reason, in the reader's language if it is one of the usual ones. That the words are the same is clear.
function because(reason) {
  if (reason.startsWith("the same word ")) return "";
  const [, stem] = reason.match(/^the same stem '(.*)'$/) ?? [];
  if (stem) return t("the same stem '{stem}'", { stem });
  const [, synset] = reason.match(/^the synset (.*)$/) ?? [];
  if (!synset) return reason;
  const meaning = meaningOf(synset);
  return t("the synset {synset}", { synset: meaning ? `${synset}: “${meaning}”` : synset });
}

// Characters that nobody sees, shown by their code.
const UNSEEN = /[\u200b-\u200d\u2060\ufeff\u00ad]/gu;
export const visible = (text) => (/\p{Extended_Pictographic}|[\u0600-\u0dff]/u.test(text) ? text
  : text.replace(UNSEEN, (letter) => `⟨${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`));

// Why two words match, or what an unmatched word costs, in one or two plain sentences.
export function describe(explanation, side, at, known = index(explanation)) {
  const link = known[side][at];
  if (link) {
    const ours = phrase(explanation.tokens.hypothesis, link.hypothesis, link.hypothesis_tokens);
    const theirs = phrase(explanation.tokens.reference, link.reference, link.reference_tokens);
    const stage = t(STAGES[link.stage]?.label ?? link.stage);
    const why = link.reason ? because(link.reason) : "";
    const reason = why === "" ? "" : ` (${why})`;
    const last = link.hypothesis + link.hypothesis_tokens - 1;
    const broken = known.breaks.get(last);
    const cost = broken === undefined ? "" : ` ${t("The break after it costs {cost}.", { cost: signed(broken) })}`;
    const lacking = known[`${side}Costs`].get(at);
    const credit = lacking === undefined ? "" : ` ${t("It earns part of the credit; all of it would add {gain}.", { gain: signed(lacking) })}`;
    const both = t("{ours} matches {theirs}: {stage}.", { ours: quote(ours), theirs: quote(theirs), stage: `${stage}${reason}` });
    const chunk = t("Chunk {at} of {all}.", { at: link.chunk + 1, all: explanation.chunks });
    return `${both} ${chunk}${credit}${cost}`;
  }
  const word = quote(visible(surface(explanation.tokens[side][at])));
  const { unmatched_hypothesis: extra, unmatched_reference: missing } = explanation.losses;
  const inPart = isPartial(explanation);
  if (side === "hypothesis") {
    const cost = known.hypothesisCosts.get(at);
    const share = extra > 0 ? ` ${t(inPart ? mark("Extra or partly matched words have a share of {share} in the loss.") : mark("Extra words have a share of {share} in the loss."), { share: signed(extra) })}` : "";
    const gain = cost === undefined ? "" : ` ${t("Alone, leaving it out would bring {gain}.", { gain: signed(cost) })}`;
    return `${t("{word} has no partner in the reference.", { word })}${share}${gain}`;
  }
  const cost = known.referenceCosts.get(at);
  const share = missing > 0 ? ` ${t(inPart ? mark("Missing or partly matched words have a share of {share} in the loss.") : mark("Missing words have a share of {share} in the loss."), { share: signed(missing) })}` : "";
  const gain = cost === undefined ? "" : ` ${t("Alone, a reference without it would bring {gain}.", { gain: signed(cost) })}`;
  return `${t("{word} of the reference is missing from the hypothesis.", { word })}${share}${gain}`;
}

// The runs of neighbouring tokens of one chunk on one side: usually one, but more if the dialect
// does not require neighbours there. Only links that touch the shown tokens count.
export function runs(explanation, side, shown) {
  const list = [];
  const links = explanation.pairs.filter((link) => isWithin(link, side, shown))
    .sort((a, b) => a.chunk - b.chunk || a[side] - b[side]);
  for (const link of links) {
    const [start, count] = [link[side], link[`${side}_tokens`]];
    const last = list.at(-1);
    if (last && last.chunk === link.chunk && start <= last.end) {
      last.end = Math.max(last.end, start + count);
    } else {
      list.push({ chunk: link.chunk, start, end: start + count });
    }
  }
  return list;
}

const isWithin = (link, side, [from, to]) => link[side] < to && link[side] + link[`${side}_tokens`] > from;

// ---------------------------------------------------------------------------------------------
// The window of long texts.

// How many windows a pair has.
export function windows(explanation) {
  const longest = Math.max(explanation.tokens.hypothesis.length, explanation.tokens.reference.length);
  return Math.max(1, Math.ceil(longest / WINDOW));
}

// The tokens of both sides that window `page` shows: the same stretch of both texts.
function windowOf(explanation, page) {
  const n = windows(explanation);
  const cut = (length) => [
    Math.floor((length * page) / n),
    Math.floor((length * (page + 1)) / n),
  ];
  return { hypothesis: cut(explanation.tokens.hypothesis.length), reference: cut(explanation.tokens.reference.length) };
}

// ---------------------------------------------------------------------------------------------
// Links between two sentences.

export function pillWidth(token, most) {
  return Math.max(26, Math.min(most, Math.ceil(measure(visible(surface(token)))) + 20));
}

// Draws the links: the reference above the hypothesis, with words that kept their order aligned vertically. `width` is
// the available width; longer texts wrap to further pairs of rows. Returns the SVG element; `watch` makes it
// interactive.
export function drawLinks(explanation, { width = 900, page = 0 } = {}) {
  const shown = windowOf(explanation, page);
  const places = inRows(explanation, shown, Math.max(width, 240));
  const svg = frame(places.width, places.height, summary(explanation));
  svg.classList.add("al-rows");
  svg.append(node("g", { class: "al-chunks" }, ...ribbons(explanation, places)));
  const links = node("g", { class: "al-links" });
  explanation.pairs.forEach((link, idx) => {
    const curve = places.curve(link);
    if (!curve) return;
    const path = linkPath(curve.d, link, idx);
    if (curve.isFar) path.classList.add("al-far");
    links.append(path);
  });
  svg.append(links);
  for (const side of ["reference", "hypothesis"]) {
    svg.append(caption(places.captions[side], side === "reference" ? t("Reference") : t("Hypothesis")));
  }
  const known = index(explanation);
  for (const side of ["reference", "hypothesis"]) {
    const group = node("g", { class: `al-side al-${side}` });
    for (const [at, place] of places[side]) group.append(pill(explanation, side, at, place, known));
    svg.append(group);
  }
  return svg;
}

export function summary(explanation) {
  const { matches, chunks, tokens: { hypothesis, reference } } = explanation;
  const counts = { matches, hypothesis: hypothesis.length, reference: reference.length, n: chunks };
  return t("Alignment: {matches} of {hypothesis} hypothesis words and of {reference} reference words are matched, in {n} chunk|Alignment: {matches} of {hypothesis} hypothesis words and of {reference} reference words are matched, in {n} chunks", counts);
}

export function frame(width, height, label) {
  return node("svg", {
    xmlns: SVG,
    class: "al",
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "group",
    "aria-label": label,
    "font-family": FONT_FAMILY,
    "font-size": FONT_SIZE,
  });
}

export function caption({ x, y, anchor = "start" }, text) {
  const attributes = { class: "al-caption", x, y, "text-anchor": anchor, "font-size": 12, fill: MUTED };
  return node("text", attributes, text);
}

// The matches whose words are aligned vertically: the heaviest set without a crossing. A match that continues the
// previous chunk weighs a little more, so that chunks stay together.
function anchors(explanation, shown) {
  const links = explanation.pairs
    .filter((link) => isWithin(link, "hypothesis", shown.hypothesis) && isWithin(link, "reference", shown.reference))
    .sort((x, y) => x.reference - y.reference || x.hypothesis - y.hypothesis);
  const best = [];
  let last = -1;
  links.forEach((link, at) => {
    const weight = link.hypothesis_tokens + link.reference_tokens;
    best.push({ total: weight, from: -1 });
    for (let i = 0; i < at; i++) {
      const other = links[i];
      const isBefore = other.hypothesis + other.hypothesis_tokens <= link.hypothesis &&
        other.reference + other.reference_tokens <= link.reference;
      const total = best[i].total + weight + (other.chunk === link.chunk ? 0.5 : 0);
      if (isBefore && total > best[at].total) best[at] = { total, from: i };
    }
    if (last < 0 || best[at].total > best[last].total) last = at;
  });
  const chain = [];
  for (let at = last; at >= 0; at = best[at].from) chain.unshift(links[at]);
  return chain;
}

// The columns of the picture, from first to last: which words are above which. Between two anchors, the words without
// a fixed place are paired in order.
function columns(explanation, shown) {
  const list = [];
  const next = { reference: shown.reference[0], hypothesis: shown.hypothesis[0] };
  const fill = (reference, hypothesis) => {
    while (next.reference < reference || next.hypothesis < hypothesis) {
      list.push({
        reference: next.reference < reference ? [next.reference++] : [],
        hypothesis: next.hypothesis < hypothesis ? [next.hypothesis++] : [],
      });
    }
  };
  const range = (start, count, [from, to]) => (
    Array.from({ length: count }, (_, i) => start + i).filter((at) => at >= from && at < to));
  for (const link of anchors(explanation, shown)) {
    fill(link.reference, link.hypothesis);
    const column = {
      reference: range(link.reference, link.reference_tokens, shown.reference),
      hypothesis: range(link.hypothesis, link.hypothesis_tokens, shown.hypothesis),
    };
    next.reference += column.reference.length;
    next.hypothesis += column.hypothesis.length;
    list.push(column);
  }
  fill(shown.reference[1], shown.hypothesis[1]);
  return list;
}

const SPACE = 12;
// The longest caption is not wider.
const CAPTION = 90;
const SIDES = ["reference", "hypothesis"];

function inRows(explanation, shown, room) {
  const edge = 6;
  const most = Math.min(240, room - 2 * edge);
  const widthOf = (side, list) => (
    list.reduce((sum, at) => sum + pillWidth(explanation.tokens[side][at], most) + SPACE, -SPACE));
  // Break the columns into lines that fit.
  const wholeWidth = (column) => Math.max(...SIDES.map((side) => widthOf(side, column[side])), 0);
  let all = columns(explanation, shown);
  const range = ([from, to]) => Array.from({ length: to - from }, (_, i) => from + i);
  const plain = { reference: range(shown.reference), hypothesis: range(shown.hypothesis) };
  const anchored = all.reduce((sum, column) => sum + wholeWidth(column) + SPACE, -SPACE);
  // If both sentences fit without vertical alignment, centre them rather than wrap them.
  if (anchored > room - 2 * edge && wholeWidth(plain) <= room - 2 * edge) all = [plain];
  const lines = [[]];
  let x = edge;
  let widest = 0;
  for (const column of all) {
    const width = wholeWidth(column);
    if (lines.at(-1).length > 0 && x + width > room - edge) {
      lines.push([]);
      x = edge;
    }
    lines.at(-1).push({ ...column, x, width });
    x += width + SPACE;
    widest = Math.max(widest, x - SPACE);
  }
  const places = { width: Math.max(240, Math.ceil(widest + edge)), reference: new Map(), hypothesis: new Map() };
  const backwards = isRightToLeft(explanation.tokens.reference.slice(...shown.reference));
  const lineOf = { reference: new Map(), hypothesis: new Map() };
  lines.forEach((line, number) => {
    for (const column of line) for (const side of SIDES) for (const at of column[side]) lineOf[side].set(at, number);
  });
  let y = 34;
  lines.forEach((line, number) => {
    const gap = gapOf(explanation, lineOf, number);
    // Words that moved far may fill a line alone: then it is one row, not a pair with an empty one.
    const isPair = SIDES.every((side) => line.some((column) => column[side].length > 0));
    const tops = { reference: y, hypothesis: isPair ? y + PILL + gap : y };
    for (const column of line) {
      for (const side of SIDES) {
        // Centred in its column.
        let at = column.x + (column.width - widthOf(side, column[side])) / 2;
        for (const token of column[side]) {
          const width = pillWidth(explanation.tokens[side][token], most);
          const left = backwards ? places.width - at - width : at;
          places[side].set(token, { x: left, y: tops[side], width, height: PILL });
          at += width + SPACE;
        }
      }
    }
    y = tops.hypothesis + PILL + 44;
  });
  places.height = y - 44 + 28;
  // At the first word of its text, with room for the caption.
  const start = (word) => (backwards
    ? { x: Math.max(CAPTION, word ? word.x + word.width : places.width - edge), anchor: "end" }
    : { x: Math.min(places.width - CAPTION, word?.x ?? edge) });
  const [head] = places.reference.values();
  const [foot] = places.hypothesis.values();
  // Above the first row of the reference, and below that of the hypothesis unless it comes first.
  const isFirst = foot && foot.y < (head?.y ?? Infinity);
  places.captions = {
    reference: { ...start(head), y: (head?.y ?? 34) - 16 },
    hypothesis: { ...start(foot), y: isFirst ? 18 : (foot?.y ?? 34 + PILL + 60) + PILL + 22 },
  };
  places.lineOf = lineOf;
  places.curve = (link) => {
    const top = spanOf(places.reference, link.reference, link.reference_tokens);
    const bottom = spanOf(places.hypothesis, link.hypothesis, link.hypothesis_tokens);
    if (!top && !bottom) return null;
    const y1 = top && top.y + PILL / 2 + 1;
    const y2 = bottom && bottom.y - PILL / 2 - 1;
    if (!top || !bottom) return { d: stub((top ?? bottom).x, top ? y1 : y2, 0, top ? 26 : -26), isFar: false };
    const [line, other] = [lineOf.reference.get(link.reference), lineOf.hypothesis.get(link.hypothesis)];
    const isFar = line !== other;
    const bend = isFar ? 40 : (y2 - y1) * 0.55;
    // A word of a later line is reached from above, without a loop around both words.
    if (line > other) {
      const [from, to] = [top.y - PILL / 2 - 1, bottom.y + PILL / 2 + 1];
      return { d: `M${top.x} ${from}C${top.x} ${from - bend} ${bottom.x} ${to + bend} ${bottom.x} ${to}`, isFar };
    }
    return { d: `M${top.x} ${y1}C${top.x} ${y1 + bend} ${bottom.x} ${y2 - bend} ${bottom.x} ${y2}`, isFar };
  };
  return places;
}

// The space between the two rows of a line: more if links cross.
function gapOf(explanation, lineOf, line) {
  const here = explanation.pairs.filter((link) => (
    lineOf.reference.get(link.reference) === line && lineOf.hypothesis.get(link.hypothesis) === line));
  let slanted = 0;
  for (let at = 1; at < here.length; at++) if (here[at].reference < here[at - 1].reference) slanted++;
  return Math.min(150, 56 + slanted * 18);
}

// A band for each chunk, from its words in the reference to its words in the hypothesis; more than one if a line ends
// inside the chunk, or if the dialect does not require neighbours on both sides.
function ribbons(explanation, { reference, hypothesis, lineOf }) {
  const bands = [];
  const links = explanation.pairs
    .filter((link) => reference.has(link.reference) && hypothesis.has(link.hypothesis))
    .sort((x, y) => x.chunk - y.chunk || x.hypothesis - y.hypothesis);
  for (const link of links) {
    const lines = [lineOf.reference.get(link.reference), lineOf.hypothesis.get(link.hypothesis)];
    const last = bands.at(-1);
    const goesOn = last && last.chunk === link.chunk && last.lines.join() === lines.join() &&
      last.hypothesis[1] === link.hypothesis && last.reference[1] === link.reference;
    if (goesOn) {
      last.hypothesis[1] = link.hypothesis + link.hypothesis_tokens;
      last.reference[1] = link.reference + link.reference_tokens;
    } else {
      bands.push({
        chunk: link.chunk, lines,
        hypothesis: [link.hypothesis, link.hypothesis + link.hypothesis_tokens],
        reference: [link.reference, link.reference + link.reference_tokens],
      });
    }
  }
  return bands.map((band) => {
    const top = around(reference, { start: band.reference[0], end: band.reference[1] });
    const bottom = around(hypothesis, { start: band.hypothesis[0], end: band.hypothesis[1] });
    const tint = TINTS[band.chunk % TINTS.length];
    const attributes = {
      class: `al-chunk al-tint-${band.chunk % TINTS.length}`, "data-chunk": band.chunk,
      fill: tint, "fill-opacity": 0.13, stroke: tint, "stroke-opacity": 0.55, "stroke-width": 1.25,
    };
    const box = ({ x, y, width, height }) => (
      `M${x + 9} ${y}h${width - 18}a9 9 0 0 1 9 9v${height - 18}a9 9 0 0 1 -9 9h${18 - width}a9 9 0 0 1 -9 -9v${18 - height}a9 9 0 0 1 9 -9z`);
    if (band.lines[0] !== band.lines[1]) return node("path", { ...attributes, d: box(top) + box(bottom) });
    const [y1, y2] = [top.y + top.height - 9, bottom.y + 9];
    const bend = (y2 - y1) * 0.5;
    const [left, right] = [[top.x, bottom.x], [top.x + top.width, bottom.x + bottom.width]];
    const d = `M${left[0]} ${top.y + 9}a9 9 0 0 1 9 -9h${top.width - 18}a9 9 0 0 1 9 9V${y1}` +
      `C${right[0]} ${y1 + bend} ${right[1]} ${y2 - bend} ${right[1]} ${y2}V${bottom.y + bottom.height - 9}` +
      `a9 9 0 0 1 -9 9h${18 - bottom.width}a9 9 0 0 1 -9 -9V${y2}C${left[1]} ${y2 - bend} ${left[0]} ${y1 + bend} ${left[0]} ${y1}z`;
    return node("path", { ...attributes, d });
  });
}

// The centre of the tokens of a match; undefined if they are outside the window.
export function spanOf(places, start, count) {
  const first = places.get(start);
  const last = places.get(start + count - 1);
  if (!first || !last) return null;
  return {
    x: (Math.min(first.x, last.x) + Math.max(first.x + first.width, last.x + last.width)) / 2,
    y: (first.y + last.y + last.height) / 2,
  };
}

// A link whose other end is on another page of a long text.
const stub = (x, y, dx, dy) => `M${x} ${y}l${dx} ${dy}`;

export function around(places, { start, end }) {
  const inside = [];
  for (let at = start; at < end; at++) if (places.has(at)) inside.push(places.get(at));
  if (inside.length === 0) return null;
  const pad = 4;
  const left = Math.min(...inside.map((p) => p.x)) - pad;
  const top = Math.min(...inside.map((p) => p.y)) - pad;
  return {
    x: left,
    y: top,
    width: Math.max(...inside.map((p) => p.x + p.width)) + pad - left,
    height: Math.max(...inside.map((p) => p.y + p.height)) + pad - top,
  };
}

export function chunkBox(box, chunk) {
  return node("rect", {
    ...box, rx: 11, class: "al-chunk", "data-chunk": chunk,
    fill: "#64748b", "fill-opacity": 0.07, stroke: FRAME, "stroke-width": 1.25,
  });
}

export function linkPath(d, link, idx) {
  const stage = STAGES[link.stage] ?? STAGES.exact;
  return node("path", {
    d, class: `al-link al-${link.stage}`, "data-link": idx, "data-chunk": link.chunk, fill: "none",
    stroke: stage.color, "stroke-width": 2, "stroke-linecap": "round", "stroke-dasharray": stage.dash,
  });
}

export function pill(explanation, side, at, place, known) {
  const link = known[side][at];
  const kind = link ? `al-${link.stage}` : "al-lone";
  const color = link ? (STAGES[link.stage] ?? STAGES.exact).color : LOST;
  const text = visible(surface(explanation.tokens[side][at]));
  const group = node("g", {
    class: `al-token ${kind}`, "data-side": side, "data-at": at,
    "data-link": link ? known.numbers.get(link) : null, "data-chunk": link?.chunk,
    role: "img", tabindex: -1, "aria-label": describe(explanation, side, at, known),
  });
  group.append(
    node("rect", {
      ...place, rx: 8, class: "al-pill", fill: "#ffffff", stroke: color, "stroke-width": 1.5,
      "stroke-dasharray": link ? null : "4 3",
    }),
    node("text", {
      x: place.x + place.width / 2, y: place.y + place.height / 2 + 5, "text-anchor": "middle",
      class: "al-word", fill: link ? INK : LOST, direction: RIGHT_TO_LEFT.test(text) ? "rtl" : null,
      "text-decoration": link ? null : "underline",
    }, shorten(text, place.width - 12)),
  );
  return group;
}

// ---------------------------------------------------------------------------------------------
// Hover, focus and the arrow keys.

// Makes a drawing interactive: `say` is called with the sentence about the word or link under the pointer or the focus,
// and its element; with null when it leaves or Escape is pressed. One word is in the tab order; arrow keys move between
// words.
export function watch(svg, explanation, say) {
  const known = index(explanation);
  const light = (target) => {
    for (const lit of svg.querySelectorAll(".is-lit")) lit.classList.remove("is-lit");
    svg.classList.toggle("is-watching", target !== null);
    if (target === null) return say(null, null);
    const { link, side, at, chunk } = target.dataset;
    target.classList.add("is-lit");
    if (link !== undefined) {
      for (const part of svg.querySelectorAll(`[data-link="${link}"]`)) part.classList.add("is-lit");
      for (const box of svg.querySelectorAll(`.al-chunk[data-chunk="${chunk}"]`)) box.classList.add("is-lit");
    }
    if (side !== undefined) return say(describe(explanation, side, Number(at), known), target);
    const pair = explanation.pairs[Number(link)];
    return say(describe(explanation, "hypothesis", pair.hypothesis, known), target);
  };
  const partner = ({ dataset: { link, side } }) => link !== undefined &&
    svg.querySelector(`.al-token[data-link="${link}"]:not([data-side="${side}"])`);
  listen(svg, light, { row: "side", partner });
}

// Handles the pointer, the focus and the keys of a drawing. `light` is called with the current word or link, and with
// null when it is left. Home and End move to the ends of the row of words with the same `data-{row}`, Enter to the word
// that `partner` returns, if any.
export function listen(svg, light, { row, partner }) {
  const tokens = [...svg.querySelectorAll(".al-token")];
  let held = tokens[0];
  held?.setAttribute("tabindex", "0");

  const point = (event) => {
    const over = event.target.closest?.("[data-at], [data-link]");
    if (over) light(over);
  };
  // A word that scrolls under a pointer at rest does not take over from the word that has the focus.
  let seen = "";
  const rests = ({ clientX, clientY }) => {
    const before = seen;
    seen = `${clientX} ${clientY}`;
    return seen === before && document.activeElement === held;
  };
  svg.addEventListener("pointermove", rests);
  svg.addEventListener("pointerover", (event) => {
    if (!rests(event)) point(event);
  });
  // "known": more became known about a word, and its note is shown again.
  for (const kind of ["click", "known"]) svg.addEventListener(kind, point);
  svg.addEventListener("pointerleave", () => light(document.activeElement === held ? held : null));
  svg.addEventListener("focusin", (event) => {
    const over = event.target.closest?.(".al-token");
    if (!over) return;
    held?.setAttribute("tabindex", "-1");
    held = over;
    held.setAttribute("tabindex", "0");
    light(over);
  });
  svg.addEventListener("focusout", () => light(null));
  svg.addEventListener("keydown", (event) => {
    const at = tokens.indexOf(held);
    const same = (token) => token.dataset[row] === held.dataset[row];
    let next = null;
    if (["ArrowRight", "ArrowDown"].includes(event.key)) next = tokens[at + 1];
    else if (["ArrowLeft", "ArrowUp"].includes(event.key)) next = tokens[at - 1];
    else if (event.key === "Home") next = tokens.find(same);
    else if (event.key === "End") next = tokens.findLast(same);
    else if (event.key === "Enter") next = partner(held);
    else if (event.key === "Escape") light(null);
    else return;
    event.preventDefault();
    // The page may also handle arrow keys.
    event.stopPropagation();
    if (next) next.focus();
  });
}
