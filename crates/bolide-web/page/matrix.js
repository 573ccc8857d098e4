// Draws an alignment as a matrix, or as a dot plot if the texts are long. Words, colours and keys come from alignment.js.

import {
  FRAME, INK, LOST, MUTED, STAGES, WINDOW, caption, describe, frame, index, measure, node, shorten, summary, surface,
} from "./alignment.js";
import { t } from "./strings.js";

// Draws the alignment as a matrix: a column for each hypothesis word, a row for each reference
// word. Texts that are too long become a dot plot.
export function drawMatrix(explanation, { width = 900 } = {}) {
  const longest = Math.max(explanation.tokens.hypothesis.length, explanation.tokens.reference.length);
  return longest > WINDOW ? dotPlot(explanation, width) : grid(explanation, width);
}

function grid(explanation, most) {
  const { hypothesis, reference } = explanation.tokens;
  const room = (tokens) => Math.min(150, Math.max(20, ...tokens.map((token) => measure(surface(token))))) + 14;
  // The corner holds the captions of both sides.
  const left = Math.max(92, room(reference));
  const head = room(hypothesis) * 0.72 + 16;
  // Smaller on a narrow screen, but never too small to tap.
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
  // The words of both sides lie on strips that stay in view while the matrix scrolls; the corner lies on both.
  const strip = (name, stripWidth, stripHeight) => (
    node("g", { class: `al-strip ${name}` }, node("rect", { class: "al-paper", width: stripWidth, height: stripHeight, fill: "#ffffff" })));
  const [side, top, corner] = [strip("al-side", left, height), strip("al-top", width, head), strip("al-side al-top", left, head)];
  corner.append(
    caption({ x: left - 8, y: 14, anchor: "end" }, `${t("Hypothesis")} →`),
    caption({ x: left - 8, y: head - 8, anchor: "end" }, `${t("Reference")} ↓`),
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
    side.append(label("reference", at, { x: left - 8, y: y(at) + cell / 2 + 5, "text-anchor": "end" }));
  });
  hypothesis.forEach((_, at) => {
    const [cx, cy] = [x(at) + cell / 2, head - 8];
    top.append(label("hypothesis", at, { x: cx, y: cy, transform: `rotate(-45 ${cx} ${cy})` }));
  });
  svg.append(side, top, corner);
  return svg;
}

// Tells the strips how far the matrix is scrolled. The drawing itself stays as it is, and so does a saved picture.
export function followScroll(scroller) {
  scroller.addEventListener("scroll", () => {
    scroller.style.setProperty("--al-x", `${scroller.scrollLeft}px`);
    scroller.style.setProperty("--al-y", `${scroller.scrollTop}px`);
  }, { passive: true });
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
    caption({ x: left, y: 15 }, `${t("Hypothesis, {n} word|Hypothesis, {n} words", { n: hypothesis.length })} →`),
    node("text", {
      class: "al-caption", "font-size": 12, fill: MUTED, x: 16, y: top,
      transform: `rotate(90 16 ${top})`,
    }, `${t("Reference, {n} word|Reference, {n} words", { n: reference.length })} →`),
  );
  return svg;
}
