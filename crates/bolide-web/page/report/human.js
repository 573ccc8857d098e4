// Human scores against the metric: scatter plots of segments and of systems, with correlations.

import { shorten } from "../alignment.js";
import { byId, h } from "../dom.js";
import { roomOf, svg, ticks } from "./charts.js";
import { count, fixed, systemName } from "./format.js";
import { touches } from "./state.js";

const COEFFICIENTS = [["pearson", "Pearson r"], ["spearman", "Spearman ρ"], ["kendall", "Kendall τ-b"]];
// The room for a name in the plot of the systems, as `shorten` measures it.
const NAME = 190;

export class Human {
  #app;
  #points = [];

  constructor(app) {
    this.#app = app;
    byId("human").hidden = false;
    app.state.subscribe((changed) => {
      if (touches(changed, "a", "b", "metric", "rows", "width", "segment")) this.draw();
    });
    this.draw();
  }

  draw() {
    const { summary, state, names } = this.#app;
    const { human } = summary;
    const judged = human.judged.reduce((sum, n) => sum + n, 0);
    const segments = h("figure", { class: "chart" });
    const systems = h("figure", { class: "chart" });
    const shown = [state.a, state.b].filter((system) => system !== null);
    const coefficients = (values) => COEFFICIENTS.map(([key]) => h("td", { class: "number" }, fixed(values?.[key] ?? NaN, 4)));
    const rows = [];
    summary.metrics.forEach(({ name }, metric) => {
      const of = human.correlations?.[metric];
      if (!of) return;
      const row = (label, n, values, kind = "") => rows.push(h("tr", { class: kind }, h("th", { scope: "row" }, name), h("td", {}, label), h("td", { class: "number" }, count(n)), coefficients(values)));
      shown.forEach((system, side) => row(systemName(names[system], side === 0 ? "a" : "b"), human.judged[system], of.systems[system]));
      if (summary.systems.length > 1) row("all segments", judged, of.pooled);
      if (of.system_level) row("systems", human.means.filter((mean) => mean !== null).length, of.system_level, "level-system");
    });
    byId("human-body").replaceChildren(
      h("p", { class: "hint" }, `${count(judged)} judgements. ${summary.metrics.some(({ lower_is_better }) => lower_is_better) ? "If lower is better, a good metric has negative figures. " : ""}Click a point to see its segment.`),
      h("div", { class: "pair even" }, segments, summary.systems.length > 2 ? systems : h("span")),
      rows.length > 0 ? h("div", { class: "scroll" }, h("table", { class: "data" },
        h("thead", {}, h("tr", {}, ["Metric", "Over", "n", ...COEFFICIENTS.map(([, label]) => label)].map((label, at) => h("th", { scope: "col", class: at > 1 ? "number" : "" }, label)))),
        h("tbody", {}, rows))) : "");
    this.#scatter(segments);
    if (summary.systems.length > 2) this.#systems(systems);
  }

  #axes(figure, xs, ys, title) {
    const { summary, state } = this.#app;
    const width = Math.floor(roomOf(figure));
    const height = 320;
    const [left, right, above, below] = [48, 10, 10, 40];
    const range = (list) => {
      const [low, high] = [Math.min(...list), Math.max(...list)];
      const pad = (high - low) * 0.05 || 0.5;
      return [low - pad, high + pad];
    };
    const [[x0, x1], [y0, y1]] = [range(xs), range(ys)];
    const x = (value) => left + ((width - left - right) * (value - x0)) / (x1 - x0);
    const y = (value) => height - below - ((height - above - below) * (value - y0)) / (y1 - y0);
    const digits = (a, b) => Math.max(0, Math.min(4, 1 - Math.floor(Math.log10((b - a) / 5 || 1))));
    const picture = svg("svg", { class: "scatter", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title },
      ticks(x0, x1, 6).map((tick) => [svg("line", { class: "guide", x1: x(tick), x2: x(tick), y1: above, y2: height - below }),
        svg("text", { class: "tick", x: x(tick), y: height - below + 16, "text-anchor": "middle" }, fixed(tick, digits(x0, x1)))]).flat(),
      ticks(y0, y1, 5).map((tick) => [svg("line", { class: "guide", x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
        svg("text", { class: "tick", x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, fixed(tick, digits(y0, y1)))]).flat(),
      svg("text", { class: "tick", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, "human score"),
      svg("text", { class: "tick", x: 12, y: height / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${height / 2})` }, summary.metrics[state.metric].name));
    return { picture, x, y, width, height };
  }

  #scatter(figure) {
    const { summary, state, columns, names, mask } = this.#app;
    const shown = [state.a, state.b].filter((system) => system !== null);
    const scores = columns.scores[state.metric];
    const points = shown.flatMap((system, side) => {
      const list = [];
      for (let at = 0; at < summary.segments; at++) {
        const [human, score] = [columns.human[system][at], scores[system][at]];
        if (!Number.isNaN(human) && !Number.isNaN(score)) list.push({ at, side, human, score, kept: mask[at] === 1 });
      }
      return list;
    });
    figure.append(h("figcaption", {}, "Segments"));
    if (points.length === 0) {
      figure.append(h("p", { class: "hint" }, `No segment of ${shown.map((system) => names[system]).join(" or ")} has both a judgement and a score.`));
      return;
    }
    // A function call cannot take a hundred thousand arguments.
    const least = (key) => points.reduce((low, point) => Math.min(low, point[key]), Infinity);
    const most = (key) => points.reduce((high, point) => Math.max(high, point[key]), -Infinity);
    const { picture, x, y, width, height } = this.#axes(figure, [least("human"), most("human")], [least("score"), most("score")],
      `${count(points.length)} segments: human score and ${summary.metrics[state.metric].name}`);
    const board = h("canvas", { class: "points", "aria-hidden": "true" });
    const scale = Math.min(2, window.devicePixelRatio || 1);
    [board.width, board.height] = [width * scale, height * scale];
    board.style.setProperty("inline-size", `${width}px`);
    board.style.setProperty("block-size", `${height}px`);
    const pen = board.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(document.body);
    const colors = [style.getPropertyValue("--ink-a"), style.getPropertyValue("--ink-b")];
    const radius = points.length > 4000 ? 1.6 : points.length > 800 ? 2.2 : 3;
    this.#points = points.map((point) => ({ ...point, px: x(point.human), py: y(point.score) }));
    for (const { px, py, side, kept } of this.#points) {
      pen.globalAlpha = kept ? (points.length > 2000 ? 0.45 : 0.7) : 0.1;
      pen.fillStyle = resolved(colors[side]);
      pen.beginPath();
      pen.arc(px, py, radius, 0, 7);
      pen.fill();
    }
    for (const { px, py, at } of this.#points) {
      if (at !== state.segment) continue;
      pen.globalAlpha = 1;
      pen.strokeStyle = resolved(style.getPropertyValue("--ink"));
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.arc(px, py, radius + 3, 0, 7);
      pen.stroke();
    }
    const nearest = (event) => {
      const box = board.getBoundingClientRect();
      const [px, py] = [event.clientX - box.left, event.clientY - box.top];
      let best = null;
      for (const point of this.#points) {
        const distance = (point.px - px) ** 2 + (point.py - py) ** 2;
        if (distance < 150 && (!best || distance < best.distance)) best = { ...point, distance };
      }
      return best;
    };
    board.addEventListener("click", (event) => {
      const point = nearest(event);
      if (point) this.#app.open(point.at);
    });
    board.addEventListener("pointermove", (event) => {
      const point = nearest(event);
      board.title = point ? `Segment ${point.at + 1}, ${names[shown[point.side]]}: human ${fixed(point.human, 2)}, metric ${fixed(point.score, 4)}` : "";
      board.classList.toggle("is-over", point !== null);
    });
    figure.append(h("div", { class: "scatter-box" }, picture, board));
  }

  #systems(figure) {
    const { summary, state, names } = this.#app;
    const { means } = summary.human;
    const score = (at) => summary.standings[state.metric][at].score;
    const list = summary.systems.map((_, at) => at).filter((at) => means[at] !== null && score(at) !== null);
    figure.append(h("figcaption", {}, "Systems: mean human score and corpus score"));
    if (list.length === 0) return;
    const { picture, x, y, width } = this.#axes(figure, list.map((at) => means[at]), list.map(score), `${list.length} systems: mean human score and ${summary.metrics[state.metric].name}`);
    // Place a name where it covers neither a point nor another name, if possible.
    const taken = list.map((at) => ({ x: x(means[at]) - 6, y: y(score(at)) - 6, width: 12, height: 12 }));
    const meets = (box) => taken.filter((other) => box.x < other.x + other.width && other.x < box.x + box.width && box.y < other.y + other.height && other.y < box.y + box.height).length +
      (box.x < 44 || box.x + box.width > width ? 9 : 0);
    for (const at of list) {
      const kind = at === state.a ? "side-a" : at === state.b ? "side-b" : "side-none";
      const name = shorten(names[at], NAME);
      const [px, py, room] = [x(means[at]), y(score(at)), name.length * 6.1];
      const choices = [[9, 4], [-9 - room, 4], [-room / 2, -10], [-room / 2, 19], [9, -9], [-9 - room, -9], [9, 17], [-9 - room, 17]]
        .map(([dx, dy]) => ({ x: px + dx, y: py + dy - 10, width: room, height: 12 }));
      const place = choices.reduce((best, box) => (meets(box) < meets(best) ? box : best));
      taken.push(place);
      picture.append(svg("g", { class: `system-point ${kind}` },
        svg("circle", { cx: px, cy: py, r: 5 }, svg("title", {}, `${names[at]}: human ${fixed(means[at], 3)}, metric ${fixed(score(at), 4)}`)),
        svg("text", { class: "tick", x: place.x + room / 2, y: place.y + 10, "text-anchor": "middle" }, name, svg("title", {}, names[at]))));
    }
    figure.append(picture);
  }
}

// A canvas does not support light-dark(), so let the browser compute the colour of an element.
function resolved(color) {
  const probe = h("span");
  probe.style.setProperty("color", color);
  document.body.append(probe);
  const answer = getComputedStyle(probe).color;
  probe.remove();
  return answer;
}
