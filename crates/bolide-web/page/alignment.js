// The drawing of an alignment: two sentences with links, or a matrix, as SVG.
//
// This file stands alone: the calculator and the HTML report use it as it is, each with
// alignment.css beside it. It takes an Explanation as the engine gives it (tokens may carry a
// `surface`, the original spelling) and draws it; it computes nothing about a metric. Text enters
// the document as text nodes only. Colours stand in attributes, so that a saved picture needs no
// style sheet; the style sheet overrides them for dark pages.

const SVG = "http://www.w3.org/2000/svg";

export const STAGES = {
  exact: { label: "same word", color: "#0f766e", dash: null },
  case: { label: "another case", color: "#0369a1", dash: "12 3" },
  stem: { label: "same stem", color: "#b45309", dash: "7 3" },
  synonym: { label: "synonym", color: "#6d28d9", dash: "2 4" },
  near: { label: "near word", color: "#a16207", dash: "4 3" },
  paraphrase: { label: "paraphrase", color: "#be185d", dash: "10 3 2 3" },
};

const INK = "#1b2433";
const MUTED = "#5b6577";
const LOST = "#b4233c";
const FRAME = "#b8c0cc";
const FONT_FAMILY = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const FONT_SIZE = 15;
const PILL = 30;

// Pictures are cut into windows of this many tokens a side.
export const WINDOW = 120;

let canvas = null;

function measure(text, size = FONT_SIZE) {
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

const surface = (token) => token.surface ?? token.text;

// A word that would push everything else off the picture is cut; its label keeps it whole.
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
// What the drawing needs to know, by token.

const indexes = new WeakMap();

// For both sides, the link of each token (or undefined) and what each lone token costs; and the
// number of each link. Made once for an explanation: a long text has tens of thousands of them.
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

// A word in a sentence of ours. Writing direction, and marks that change it, end with the word.
function quote(word) {
  const isTurned = RIGHT_TO_LEFT.test(word) || /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(word);
  return isTurned ? `“\u2068${word}\u2069”` : `“${word}”`;
}

const signed = (x) => `${x < 0 ? "−" : ""}${Math.abs(x).toFixed(4)}`;

function phrase(tokens, start, count) {
  return tokens.slice(start, start + count).map(surface).join(" ");
}

// Why two words match, or what a lone word costs, as one or two plain sentences.
export function describe(explanation, side, at, known = index(explanation)) {
  const link = known[side][at];
  if (link) {
    const ours = phrase(explanation.tokens.hypothesis, link.hypothesis, link.hypothesis_tokens);
    const theirs = phrase(explanation.tokens.reference, link.reference, link.reference_tokens);
    const stage = STAGES[link.stage]?.label ?? link.stage;
    const reason = link.reason ? ` (${link.reason})` : "";
    const last = link.hypothesis + link.hypothesis_tokens - 1;
    const broken = known.breaks.get(last);
    const cost = broken === undefined ? "" : ` The break after it costs ${signed(broken)}.`;
    const lacking = known[`${side}Costs`].get(at);
    const credit = lacking === undefined ? "" : ` It earns part of the credit; all of it would add ${signed(lacking)}.`;
    return `${quote(ours)} matches ${quote(theirs)}: ${stage}${reason}. ` +
      `Chunk ${link.chunk + 1} of ${explanation.chunks}.${credit}${cost}`;
  }
  const word = surface(explanation.tokens[side][at]);
  if (side === "hypothesis") {
    const cost = known.hypothesisCosts.get(at);
    const gain = cost === undefined ? "" : ` Leaving it out would add ${signed(cost)}.`;
    return `${quote(word)} has no partner in the reference.${gain}`;
  }
  const cost = known.referenceCosts.get(at);
  const gain = cost === undefined ? "" : ` A reference without it would score ${signed(cost)} more.`;
  return `${quote(word)} of the reference is missing from the hypothesis.${gain}`;
}

// The runs of neighbouring tokens of one chunk on one side: usually one, more where a dialect
// does not ask for neighbours there. Only links that touch the shown tokens count.
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

function rowWidth(tokens, [start, end]) {
  let width = 0;
  for (let at = start; at < end; at++) width += pillWidth(tokens[at], 240) + 12;
  return width;
}

export function pillWidth(token, most) {
  return Math.max(26, Math.min(most, Math.ceil(measure(surface(token))) + 20));
}

// Draws the links. `width` is the room there is; the sentences lie in rows when they fit and
// stand in columns when they do not. Returns the SVG element; `watch` makes it speak.
export function drawLinks(explanation, { width = 900, page = 0, layout = "auto" } = {}) {
  const shown = windowOf(explanation, page);
  const rows = Math.max(
    rowWidth(explanation.tokens.hypothesis, shown.hypothesis),
    rowWidth(explanation.tokens.reference, shown.reference),
  ) + 24;
  const across = layout === "rows" || (layout === "auto" && rows <= width);
  const places = across ? inRows(explanation, shown, Math.max(rows, 240)) : inColumns(explanation, shown, width);
  const svg = frame(places.width, places.height, summary(explanation));
  svg.classList.add(across ? "al-rows" : "al-columns");

  for (const side of ["reference", "hypothesis"]) {
    svg.append(caption(places.captions[side], side === "reference" ? "Reference" : "Hypothesis"));
    const boxes = node("g", { class: "al-chunks" });
    for (const run of runs(explanation, side, shown[side])) {
      const box = around(places[side], run);
      if (box) boxes.append(chunkBox(box, run.chunk));
    }
    svg.append(boxes);
  }
  const links = node("g", { class: "al-links" });
  explanation.pairs.forEach((link, idx) => {
    if (!isWithin(link, "hypothesis", shown.hypothesis) && !isWithin(link, "reference", shown.reference)) return;
    const curve = places.curve(link);
    if (curve) links.append(linkPath(curve, link, idx));
  });
  svg.append(links);
  const known = index(explanation);
  for (const side of ["reference", "hypothesis"]) {
    const group = node("g", { class: `al-side al-${side}` });
    for (const [at, place] of places[side]) {
      group.append(pill(explanation, side, at, place, known));
    }
    svg.append(group);
  }
  return svg;
}

function summary(explanation) {
  const { matches, chunks, tokens: { hypothesis, reference } } = explanation;
  return `Alignment: ${matches} of ${hypothesis.length} hypothesis words and of ` +
    `${reference.length} reference words are matched, in ${chunks} ${chunks === 1 ? "chunk" : "chunks"}`;
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

function inRows(explanation, shown, width) {
  const links = explanation.pairs.length;
  const gap = Math.min(190, 84 + links * 2);
  const tops = { reference: 34, hypothesis: 34 + PILL + gap };
  const places = { width, height: tops.hypothesis + PILL + 34 };
  for (const side of ["reference", "hypothesis"]) {
    const [start, end] = shown[side];
    const tokens = explanation.tokens[side].slice(start, end);
    const widths = tokens.map((token) => pillWidth(token, 240));
    const total = widths.reduce((sum, w) => sum + w + 12, -12);
    const backwards = isRightToLeft(tokens);
    let x = (width - total) / 2;
    if (backwards) x += total;
    const map = new Map();
    widths.forEach((w, i) => {
      if (backwards) x -= w;
      map.set(start + i, { x, y: tops[side], width: w, height: PILL });
      x += backwards ? -12 : w + 12;
    });
    places[side] = map;
  }
  places.captions = {
    reference: { x: width / 2, y: 14, anchor: "middle" },
    hypothesis: { x: width / 2, y: places.height - 6, anchor: "middle" },
  };
  places.curve = (link) => {
    const top = spanOf(places.reference, link.reference, link.reference_tokens);
    const bottom = spanOf(places.hypothesis, link.hypothesis, link.hypothesis_tokens);
    const [y1, y2] = [tops.reference + PILL + 5, tops.hypothesis - 5];
    if (!top && !bottom) return null;
    if (!top || !bottom) return stub((top ?? bottom).x, top ? y1 : y2, 0, top ? 26 : -26);
    const bend = (y2 - y1) * 0.55;
    return `M${top.x} ${y1}C${top.x} ${y1 + bend} ${bottom.x} ${y2 - bend} ${bottom.x} ${y2}`;
  };
  return places;
}

function inColumns(explanation, shown, width) {
  const pitch = 38;
  const middle = Math.max(70, Math.min(220, width * 0.26));
  const half = (width - middle) / 2;
  const most = half - 14;
  const places = { width };
  const longest = Math.max(
    shown.hypothesis[1] - shown.hypothesis[0],
    shown.reference[1] - shown.reference[0],
  );
  places.height = 32 + longest * pitch + 6;
  for (const side of ["hypothesis", "reference"]) {
    const [start, end] = shown[side];
    const map = new Map();
    for (let at = start; at < end; at++) {
      const w = pillWidth(explanation.tokens[side][at], most);
      const x = side === "hypothesis" ? half - w : half + middle;
      map.set(at, { x, y: 34 + (at - start) * pitch, width: w, height: PILL });
    }
    places[side] = map;
  }
  places.captions = {
    hypothesis: { x: half, y: 14, anchor: "end" },
    reference: { x: half + middle, y: 14 },
  };
  places.curve = (link) => {
    const left = spanOf(places.hypothesis, link.hypothesis, link.hypothesis_tokens);
    const right = spanOf(places.reference, link.reference, link.reference_tokens);
    const [x1, x2] = [half + 6, half + middle - 6];
    if (!left && !right) return null;
    if (!left || !right) return stub(left ? x1 : x2, (left ?? right).y, left ? 22 : -22, 0);
    const bend = (x2 - x1) * 0.5;
    return `M${x1} ${left.y}C${x1 + bend} ${left.y} ${x2 - bend} ${right.y} ${x2} ${right.y}`;
  };
  return places;
}

// The middle of the tokens of a match; nothing when they lie outside the window.
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
  const text = surface(explanation.tokens[side][at]);
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
// The matrix.

// Draws the alignment as a matrix: a column for each hypothesis word, a row for each reference
// word. A text that is too long for that becomes a dot plot of the whole.
export function drawMatrix(explanation, { width = 900 } = {}) {
  const longest = Math.max(explanation.tokens.hypothesis.length, explanation.tokens.reference.length);
  return longest > WINDOW ? dotPlot(explanation, width) : grid(explanation, width);
}

function grid(explanation, most) {
  const { hypothesis, reference } = explanation.tokens;
  const room = (tokens) => Math.min(150, Math.max(20, ...tokens.map((token) => measure(surface(token))))) + 14;
  // The corner has the captions of both sides.
  const left = Math.max(92, room(reference));
  const head = room(hypothesis) * 0.72 + 16;
  // Smaller where there is little room, as on a phone, but never too small to be hit.
  const cell = Math.max(18, Math.min(28, Math.floor((most - left - head * 0.75 - 8) / hypothesis.length)));
  const width = left + hypothesis.length * cell + head * 0.75 + 8;
  const height = head + reference.length * cell + 6;
  const svg = frame(width, height, summary(explanation));
  svg.classList.add("al-matrix");
  const known = index(explanation);
  const x = (at) => left + at * cell;
  const y = (at) => head + at * cell;

  const lines = node("g", { class: "al-grid", stroke: FRAME, "stroke-opacity": 0.5 });
  for (let at = 0; at <= hypothesis.length; at++) {
    lines.append(node("line", { x1: x(at), x2: x(at), y1: y(0), y2: y(reference.length) }));
  }
  for (let at = 0; at <= reference.length; at++) {
    lines.append(node("line", { x1: x(0), x2: x(hypothesis.length), y1: y(at), y2: y(at) }));
  }
  svg.append(lines);
  explanation.pairs.forEach((link, idx) => {
    const stage = STAGES[link.stage] ?? STAGES.exact;
    svg.append(node("rect", {
      x: x(link.hypothesis) + 3, y: y(link.reference) + 3, rx: 6,
      width: link.hypothesis_tokens * cell - 6, height: link.reference_tokens * cell - 6,
      class: `al-cell al-${link.stage}`, fill: stage.color, "data-link": idx, "data-chunk": link.chunk,
    }));
  });
  const boxes = node("g", { class: "al-chunks" });
  for (const box of chunkSquares(explanation)) {
    boxes.append(node("rect", {
      x: x(box.x), y: y(box.y), width: box.width * cell, height: box.height * cell, rx: 8,
      class: "al-chunk", "data-chunk": box.chunk, fill: "none", stroke: MUTED, "stroke-width": 1.25,
    }));
  }
  svg.append(boxes);
  svg.append(
    caption({ x: left - 8, y: 14, anchor: "end" }, "Hypothesis →"),
    caption({ x: left - 8, y: head - 8, anchor: "end" }, "Reference ↓"),
  );
  const label = (side, at, attributes) => {
    const link = known[side][at];
    const group = node("g", {
      class: `al-token ${link ? `al-${link.stage}` : "al-lone"}`, "data-side": side, "data-at": at,
      "data-link": link ? known.numbers.get(link) : null, "data-chunk": link?.chunk,
      role: "img", tabindex: -1, "aria-label": describe(explanation, side, at, known),
    });
    group.append(node("text", {
      ...attributes, class: "al-word", fill: link ? INK : LOST, "font-size": 14,
      "text-decoration": link ? null : "underline",
    }, shorten(surface(explanation.tokens[side][at]), 150)));
    return group;
  };
  reference.forEach((_, at) => {
    svg.append(label("reference", at, { x: left - 8, y: y(at) + cell / 2 + 5, "text-anchor": "end" }));
  });
  hypothesis.forEach((_, at) => {
    const [cx, cy] = [x(at) + cell / 2, head - 8];
    svg.append(label("hypothesis", at, { x: cx, y: cy, transform: `rotate(-45 ${cx} ${cy})` }));
  });
  return svg;
}

// The squares that the chunks fill in the matrix.
function chunkSquares(explanation) {
  const boxes = new Map();
  for (const link of explanation.pairs) {
    const box = boxes.get(link.chunk) ?? { left: Infinity, top: Infinity, right: 0, bottom: 0 };
    box.left = Math.min(box.left, link.hypothesis);
    box.top = Math.min(box.top, link.reference);
    box.right = Math.max(box.right, link.hypothesis + link.hypothesis_tokens);
    box.bottom = Math.max(box.bottom, link.reference + link.reference_tokens);
    boxes.set(link.chunk, box);
  }
  return [...boxes].map(([chunk, b]) => (
    { chunk, x: b.left, y: b.top, width: b.right - b.left, height: b.bottom - b.top }));
}

function dotPlot(explanation, room) {
  const { hypothesis, reference } = explanation.tokens;
  const width = Math.max(280, Math.min(room, 720));
  const [left, top] = [30, 24];
  const side = width - left - 10;
  const scale = side / Math.max(hypothesis.length, reference.length);
  const height = top + reference.length * scale + 12;
  const svg = frame(width, height, summary(explanation));
  svg.classList.add("al-matrix");
  svg.append(node("rect", {
    class: "al-plot", x: left, y: top, width: hypothesis.length * scale,
    height: reference.length * scale, fill: "none", stroke: FRAME,
  }));
  const size = Math.max(1, Math.min(4, scale));
  for (const [name, stage] of Object.entries(STAGES)) {
    let d = "";
    for (const link of explanation.pairs) {
      if (link.stage !== name) continue;
      const [px, py] = [left + (link.hypothesis + 0.5) * scale, top + (link.reference + 0.5) * scale];
      d += `M${px.toFixed(1)} ${py.toFixed(1)}h0`;
    }
    if (d) {
      svg.append(node("path", {
        d, class: `al-dots al-${name}`, fill: "none", stroke: stage.color,
        "stroke-width": size, "stroke-linecap": "round",
      }));
    }
  }
  svg.append(
    caption({ x: left, y: 15 }, `Hypothesis, ${hypothesis.length.toLocaleString("en")} words →`),
    node("text", {
      class: "al-caption", "font-size": 12, fill: MUTED, x: 16, y: top,
      transform: `rotate(90 16 ${top})`,
    }, `Reference, ${reference.length.toLocaleString("en")} words →`),
  );
  return svg;
}

// ---------------------------------------------------------------------------------------------
// Hover, focus and the arrow keys.

// Makes a drawing speak: `say` gets the sentence about the word or link under the pointer or the
// focus, and null when it leaves. One word is in the tab order, arrow keys move between words.
export function watch(svg, explanation, say) {
  const known = index(explanation);
  const light = (target) => {
    for (const lit of svg.querySelectorAll(".is-lit")) lit.classList.remove("is-lit");
    svg.classList.toggle("is-watching", target !== null);
    if (target === null) return say(null);
    const { link, side, at, chunk } = target.dataset;
    target.classList.add("is-lit");
    if (link !== undefined) {
      for (const part of svg.querySelectorAll(`[data-link="${link}"]`)) part.classList.add("is-lit");
      for (const box of svg.querySelectorAll(`.al-chunk[data-chunk="${chunk}"]`)) box.classList.add("is-lit");
    }
    if (side !== undefined) return say(describe(explanation, side, Number(at), known));
    const pair = explanation.pairs[Number(link)];
    return say(describe(explanation, "hypothesis", pair.hypothesis, known));
  };
  const partner = ({ dataset: { link, side } }) => link !== undefined &&
    svg.querySelector(`.al-token[data-link="${link}"]:not([data-side="${side}"])`);
  listen(svg, light, { row: "side", partner });
}

// The pointer, the focus and the keys of a drawing. `light` gets the word or link that is meant, and
// null when it is left. Home and End lead to the ends of the row of words with the same `data-{row}`,
// Enter to the word that `partner` gives, if any.
export function listen(svg, light, { row, partner }) {
  const tokens = [...svg.querySelectorAll(".al-token")];
  let held = tokens[0];
  held?.setAttribute("tabindex", "0");

  for (const kind of ["pointerover", "click"]) {
    svg.addEventListener(kind, (event) => {
      const over = event.target.closest?.("[data-at], [data-link]");
      if (over) light(over);
    });
  }
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
    else return;
    event.preventDefault();
    // A page may have arrow keys of its own.
    event.stopPropagation();
    if (next) next.focus();
  });
}

// ---------------------------------------------------------------------------------------------
// Pictures to keep.

// The drawing as the text of a file, on white.
export function toSvgText(svg) {
  const copy = svg.cloneNode(true);
  for (const element of copy.querySelectorAll("[tabindex]")) element.removeAttribute("tabindex");
  const back = node("rect", { width: "100%", height: "100%", fill: "#ffffff" });
  copy.insertBefore(back, copy.firstChild);
  return new XMLSerializer().serializeToString(copy);
}

// The drawing as a PNG at twice its size, on white.
export async function toPngBlob(svg) {
  const [width, height] = [svg.width.baseVal.value, svg.height.baseVal.value];
  // Browsers refuse canvases beyond some size: a very large drawing keeps its own.
  const scale = Math.min(2, 8000 / Math.max(width, height));
  const address = URL.createObjectURL(new Blob([toSvgText(svg)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const board = document.createElement("canvas");
    board.width = Math.ceil(width * scale);
    board.height = Math.ceil(height * scale);
    const context = board.getContext("2d");
    context.scale(scale, scale);
    context.drawImage(image, 0, 0);
    return await new Promise((resolve, reject) => {
      board.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no picture"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
