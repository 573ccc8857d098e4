// Two alignments on one reference: the reference between the two hypotheses, each linked to it. Words, links and boxes come from alignment.js; this file only places them.

import {
  STAGES, WINDOW, around, caption, chunkBox, describe, frame, index, isRightToLeft, linkPath, listen, node, pill, pillWidth, runs,
  shorten, spanOf,
} from "./alignment.js";
import { t } from "./strings.js";

const PILL = 30;
const GAP = 12;
// Space for a caption beside a row.
const BESIDE = 92;

// How many windows a long pair has.
export function overlayWindows(first, second) {
  const longest = Math.max(first.tokens.hypothesis.length, second.tokens.hypothesis.length, first.tokens.reference.length);
  return Math.max(1, Math.ceil(longest / WINDOW));
}

// Draws both. The three texts are in rows if they fit, and otherwise in columns.
export function drawOverlay(first, second, { width = 900, page = 0, names = ["A", "B"] } = {}) {
  const n = overlayWindows(first, second);
  const cut = (tokens) => [Math.floor((tokens.length * page) / n), Math.floor((tokens.length * (page + 1)) / n)];
  const texts = {
    a: { tokens: first.tokens.hypothesis, shown: cut(first.tokens.hypothesis) },
    r: { tokens: first.tokens.reference, shown: cut(first.tokens.reference) },
    b: { tokens: second.tokens.hypothesis, shown: cut(second.tokens.hypothesis) },
  };
  const needed = Math.max(...Object.values(texts).map(rowWidth)) + 24;
  const across = needed <= width;
  const places = across ? inRows(texts, Math.min(width, Math.max(needed + 2 * BESIDE, 240)), first, second) : inColumns(texts, width);
  const label = t("{first} words of {a} and {second} words of {b} match the reference",
    { first: first.matches, a: names[0], second: second.matches, b: names[1] });
  const picture = frame(places.width, places.height, label);
  picture.classList.add(across ? "al-rows" : "al-columns", "al-overlay");

  const sides = [["a", first, names[0]], ["b", second, names[1]]];
  for (const [key, explanation, name] of sides) {
    picture.append(caption(places.captions[key], shorten(name, places.captions[key].room)));
    const boxes = node("g", { class: "al-chunks" });
    for (const run of runs(explanation, "hypothesis", texts[key].shown)) {
      const box = around(places[key], run);
      if (box) boxes.append(marked(chunkBox(box, run.chunk), key));
    }
    picture.append(boxes);
  }
  picture.append(caption(places.captions.r, t("Reference")));
  for (const [key, explanation] of sides) {
    const links = node("g", { class: "al-links" });
    explanation.pairs.forEach((link, idx) => {
      const curve = places.curve(key, link);
      if (curve) links.append(marked(linkPath(curve, link, idx), key));
    });
    picture.append(links);
  }
  const known = { a: index(first), b: index(second) };
  const group = (key, draw) => {
    const side = node("g", { class: `al-side al-${key === "r" ? "reference" : `hypothesis al-of-${key}`}` });
    for (const [at, place] of places[key]) side.append(draw(at, place));
    picture.append(side);
  };
  group("a", (at, place) => marked(pill(first, "hypothesis", at, place, known.a), "a"));
  group("r", (at, place) => referencePill(first, second, at, place, known, across, names));
  group("b", (at, place) => marked(pill(second, "hypothesis", at, place, known.b), "b"));
  return picture;
}

function marked(element, key) {
  element.dataset.of = key;
  return element;
}

// A word of the reference. Its edge towards each system has the colour of that system's match.
function referencePill(first, second, at, place, known, across, names) {
  const links = { a: known.a.reference[at], b: known.b.reference[at] };
  const text = first.tokens.reference[at].text;
  const isLost = !links.a && !links.b;
  const token = node("g", {
    class: `al-token ${isLost ? "al-lone" : "al-shared"}`, "data-side": "reference", "data-at": at, "data-of": "r",
    role: "img", tabindex: -1, "aria-label": aboutReference(first, second, at, known, names),
  });
  token.append(node("rect", {
    ...place, rx: 8, class: "al-pill", fill: "#ffffff", stroke: isLost ? "#b4233c" : "#b8c0cc", "stroke-width": 1.5,
    "stroke-dasharray": isLost ? "4 3" : null,
  }));
  for (const key of ["a", "b"]) {
    const link = links[key];
    if (!link) continue;
    const { x, y, width, height } = place;
    const edge = across
      ? { x: x + 7, width: width - 14, y: key === "a" ? y - 2 : y + height - 2, height: 4 }
      : { y: y + 6, height: height - 12, x: key === "a" ? x - 2 : x + width - 2, width: 4 };
    token.append(node("rect", { ...edge, rx: 2, class: `al-edge al-${link.stage}`, fill: (STAGES[link.stage] ?? STAGES.exact).color }));
  }
  token.append(node("text", {
    x: place.x + place.width / 2, y: place.y + place.height / 2 + 5, "text-anchor": "middle", class: "al-word",
    fill: isLost ? "#b4233c" : "#1b2433", "text-decoration": isLost ? "underline" : null,
  }, shorten(text, place.width - 12)));
  return token;
}

function aboutReference(first, second, at, known, names) {
  const [a, b] = [known.a.reference[at], known.b.reference[at]];
  const word = `“${first.tokens.reference[at].text}”`;
  if (!a && !b) return t("{word} of the reference is missing from both.", { word });
  if (!a || !b) return `${t("{word} of the reference is missing from {name}.", { word, name: names[a ? 1 : 0] })} ${names[a ? 0 : 1]}: ` +
    describe(a ? first : second, "reference", at, a ? known.a : known.b);
  return `${names[0]}: ${describe(first, "reference", at, known.a)} ${names[1]}: ${describe(second, "reference", at, known.b)}`;
}

function rowWidth({ tokens, shown: [start, end] }) {
  let width = -GAP;
  for (let at = start; at < end; at++) width += pillWidth(tokens[at], 240) + GAP;
  return width;
}

function inRows(texts, width, first, second) {
  const gap = Math.min(150, 74 + Math.max(first.pairs.length, second.pairs.length) * 1.5);
  const tops = { a: 26, r: 26 + PILL + gap, b: 26 + 2 * (PILL + gap) };
  const places = { width, height: tops.b + PILL + 24 };
  for (const key of ["a", "r", "b"]) {
    const { tokens, shown: [start, end] } = texts[key];
    const backwards = isRightToLeft(tokens);
    const total = rowWidth(texts[key]);
    let x = (width - total) / 2 + (backwards ? total : 0);
    places[key] = new Map();
    for (let at = start; at < end; at++) {
      const w = pillWidth(tokens[at], 240);
      if (backwards) x -= w;
      places[key].set(at, { x, y: tops[key], width: w, height: PILL });
      x += backwards ? -GAP : w + GAP;
    }
  }
  const left = Math.min(...[...places.r.values()].map(({ x }) => x), width / 2);
  places.captions = {
    a: { x: width / 2, y: 13, anchor: "middle", room: width - 20 },
    r: left > 86 ? { x: left - 12, y: tops.r + PILL / 2 + 4, anchor: "end" } : { x: Math.max(4, left), y: tops.r - 9 },
    b: { x: width / 2, y: places.height - 5, anchor: "middle", room: width - 20 },
  };
  places.curve = (key, link) => {
    const there = spanOf(places.r, link.reference, link.reference_tokens);
    const here = spanOf(places[key], link.hypothesis, link.hypothesis_tokens);
    const [y1, y2] = key === "a" ? [tops.a + PILL + 5, tops.r - 4] : [tops.b - 5, tops.r + PILL + 4];
    if (!here && !there) return null;
    if (!here || !there) return `M${(here ?? there).x} ${here ? y1 : y2}v${(here ? 1 : -1) * Math.sign(y2 - y1) * 22}`;
    const bend = (y2 - y1) * 0.55;
    return `M${here.x} ${y1}C${here.x} ${y1 + bend} ${there.x} ${y2 - bend} ${there.x} ${y2}`;
  };
  return places;
}

function inColumns(texts, width) {
  const pitch = 36;
  const middle = Math.max(26, Math.min(110, width * 0.1));
  const column = (width - 2 * middle) / 3;
  const starts = { a: 0, r: column + middle, b: 2 * (column + middle) };
  const longest = Math.max(...Object.values(texts).map(({ shown }) => shown[1] - shown[0]));
  const places = { width, height: 30 + longest * pitch + 4 };
  const widest = (key) => {
    const { tokens, shown: [start, end] } = texts[key];
    let most = 0;
    for (let at = start; at < end; at++) most = Math.max(most, pillWidth(tokens[at], column - 10));
    return most;
  };
  const half = widest("r") / 2;
  const axis = starts.r + column / 2;
  for (const key of ["a", "r", "b"]) {
    const { tokens, shown: [start, end] } = texts[key];
    places[key] = new Map();
    for (let at = start; at < end; at++) {
      const w = pillWidth(tokens[at], column - 10);
      const x = key === "a" ? starts.a + column - w : key === "b" ? starts.b : axis - w / 2;
      places[key].set(at, { x, y: 30 + (at - start) * pitch, width: w, height: PILL });
    }
  }
  places.captions = {
    a: { x: starts.a + column, y: 14, anchor: "end", room: column },
    r: { x: axis, y: 14, anchor: "middle", room: column },
    b: { x: starts.b, y: 14, room: column },
  };
  places.curve = (key, link) => {
    const there = spanOf(places.r, link.reference, link.reference_tokens);
    const here = spanOf(places[key], link.hypothesis, link.hypothesis_tokens);
    if (!here && !there) return null;
    const sign = key === "a" ? 1 : -1;
    const x1 = key === "a" ? starts.a + column + 6 : starts.b - 6;
    const word = places.r.get(link.reference);
    const x2 = word ? axis - sign * (word.width / 2 + 4) : axis - sign * (half + 4);
    if (!here || !there) return here ? `M${x1} ${here.y}h${sign * 18}` : `M${x2} ${there.y}h${-sign * 18}`;
    const bend = (x2 - x1) * 0.5;
    return `M${x1} ${here.y}C${x1 + bend} ${here.y} ${x2 - bend} ${there.y} ${x2} ${there.y}`;
  };
  return places;
}

// Makes the drawing interactive, as `watch` of alignment.js does for one alignment.
export function watchOverlay(picture, first, second, names, say) {
  const explanations = { a: first, b: second };
  const known = { a: index(first), b: index(second) };
  const lightLink = (of, idx) => {
    const link = explanations[of].pairs[idx];
    for (const part of picture.querySelectorAll(`[data-of="${of}"][data-link="${idx}"]`)) part.classList.add("is-lit");
    for (let i = 0; i < link.reference_tokens; i++) {
      picture.querySelector(`[data-of="r"][data-at="${link.reference + i}"]`)?.classList.add("is-lit");
    }
    for (const box of picture.querySelectorAll(`.al-chunk[data-of="${of}"][data-chunk="${link.chunk}"]`)) box.classList.add("is-lit");
  };
  const light = (target) => {
    for (const lit of picture.querySelectorAll(".is-lit")) lit.classList.remove("is-lit");
    picture.classList.toggle("is-watching", target !== null);
    if (target === null) return say(null, null);
    target.classList.add("is-lit");
    const { of, at, link } = target.dataset;
    if (of === "r") {
      for (const key of ["a", "b"]) {
        const found = known[key].reference[Number(at)];
        if (found) lightLink(key, known[key].numbers.get(found));
      }
      return say(aboutReference(first, second, Number(at), known, names), target);
    }
    if (link !== undefined) lightLink(of, Number(link));
    const start = at === undefined ? explanations[of].pairs[Number(link)].hypothesis : Number(at);
    return say(`${names[of === "a" ? 0 : 1]}: ${describe(explanations[of], "hypothesis", start, known[of])}`, target);
  };
  // From a hypothesis to the reference; from there to the first hypothesis that has the word.
  const partner = ({ dataset: { of, at, link } }) => {
    if (of !== "r") return link !== undefined && word("r", explanations[of].pairs[Number(link)].reference);
    const key = ["a", "b"].find((side) => known[side].reference[Number(at)]);
    return key && word(key, known[key].reference[Number(at)].hypothesis);
  };
  const word = (of, at) => picture.querySelector(`.al-token[data-of="${of}"][data-at="${at}"]`);
  listen(picture, light, { row: "of", partner });
}
