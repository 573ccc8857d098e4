// Histograms of the score, precision, recall and fragmentation of two systems. Each bar is a button
// that filters all charts and the list to its segments.

import { h } from "../dom.js";
import { Bins, roomOf, svg, ticks } from "./charts.js";
import { count, fixed } from "./format.js";
import { touches } from "./state.js";

const HEIGHT = 168;
const BELOW = 22;
const ABOVE = 8;

export class Histograms {
  #app;
  #body = document.getElementById("histograms-body");
  #charts = [];

  constructor(app) {
    this.#app = app;
    const { columns, summary, state } = app;
    const unit = () => (summary.metrics[state.metric].decimals <= 2 ? 100 : 1);
    this.#charts = [
      { key: "score", title: () => summary.metrics[state.metric].name, columns: () => columns.scores[state.metric], unit },
      { key: "precision", title: () => "Precision", columns: () => columns.precision, unit: () => 1 },
      { key: "recall", title: () => "Recall", columns: () => columns.recall, unit: () => 1 },
      { key: "fragmentation", title: () => "Fragmentation", columns: () => columns.fragmentation, unit: () => 1 },
    ];
    this.#body.replaceChildren(...this.#charts.map((chart) => {
      chart.figure = h("figure", { class: "chart", "data-chart": chart.key });
      return chart.figure;
    }));
    state.subscribe((changed) => {
      if (changed.has("metric")) state.removeFilter("histogram:score");
      // A change of systems or metric also changes the rows.
      if (touches(changed, "rows", "width")) this.draw();
    });
    this.draw();
  }

  draw() {
    for (const chart of this.#charts) this.#draw(chart);
  }

  #draw(chart) {
    const { state, mask, names } = this.#app;
    const systems = state.b === null ? [state.a] : [state.a, state.b];
    const values = chart.columns();
    const bins = Bins.around(values, chart.unit());
    const totals = systems.map((system) => bins.count(values[system]));
    const isFiltered = state.filters.size > 0 || state.query !== "";
    const kept = isFiltered ? systems.map((system) => bins.count(values[system], mask)) : totals;
    const width = Math.floor(roomOf(chart.figure));
    const most = Math.max(1, ...totals.map((list) => Math.max(...list)));
    const [left, right] = [38, 14];
    const x = (at) => left + ((width - left - right) * at) / bins.n;
    const y = (n) => HEIGHT - BELOW - ((HEIGHT - BELOW - ABOVE) * n) / most;
    // A single segment among thousands must still be visible.
    const tall = (n) => (n === 0 ? 0 : Math.max(2, HEIGHT - BELOW - y(n)));
    const chosen = state.filters.get(`histogram:${chart.key}`);
    const focused = chart.figure.contains(document.activeElement) ? document.activeElement?.dataset?.bar : null;

    const digits = chart.unit() === 1 ? 2 : 0;
    const picture = svg("svg", { class: "histogram", viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "group", "aria-label": `Histogram: ${chart.title()}` },
      ticks(0, most, 3).filter(Number.isInteger).map((tick) => [
        svg("line", { class: "guide", x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
        svg("text", { class: "tick", x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, count(tick)),
      ]).flat(),
      ticks(bins.low, bins.high, 5).map((tick) => svg("text", {
        class: "tick", x: x(((tick - bins.low) / (bins.high - bins.low)) * bins.n), y: HEIGHT - 5, "text-anchor": "middle",
      }, tick.toFixed(chart.unit() === 1 ? 1 : 0))));
    const bars = [];
    const gap = (x(1) - x(0)) * 0.1;
    const room = (x(1) - x(0) - 2 * gap) / systems.length;
    for (let at = 0; at < bins.n; at++) {
      const [low, high] = bins.edges(at);
      const last = at === bins.n - 1;
      const range = last && bins.isOpen ? `${low.toFixed(digits)} and more` : `${low.toFixed(digits)} to ${high.toFixed(digits)}`;
      systems.forEach((system, side) => {
        const id = `${system}:${bins.low}:${bins.high}:${at}`;
        const label = `${chart.title()} ${range}, ${names[system]}: ${count(totals[side][at])} segments`;
        const isChosen = chosen?.id === id;
        const bar = svg("g", {
          class: `bar-button side-${side === 0 ? "a" : "b"}${isChosen ? " is-chosen" : ""}`, role: "button", tabindex: -1,
          "aria-label": label, "aria-pressed": String(isChosen), "data-bar": `${at}:${side}`,
        }, svg("title", {}, label));
        const place = { x: x(at) + gap + side * room, width: Math.max(1, room - 0.5) };
        bar.append(
          svg("rect", { class: "hit", x: place.x, width: place.width, y: ABOVE, height: HEIGHT - BELOW - ABOVE }),
          svg("rect", { class: "column all", ...place, y: y(totals[side][at]), height: HEIGHT - BELOW - y(totals[side][at]), rx: 1.5 }),
          svg("rect", { class: "column kept", ...place, y: HEIGHT - BELOW - tall(kept[side][at]), height: tall(kept[side][at]), rx: 1.5 }));
        const choose = () => state.toggleFilter(`histogram:${chart.key}`, {
          id, label: `${names[system]}: ${chart.title()} ${range}`,
          test: (segment) => bins.of(values[system][segment]) === at,
        });
        bar.addEventListener("click", choose);
        bar.addEventListener("keydown", (event) => {
          const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-at, 0], End: [bins.n - 1 - at, 0] }[event.key];
          if (event.key === "Enter" || event.key === " ") choose();
          else if (move) this.#focus(chart, `${at + move[0]}:${Math.min(systems.length - 1, Math.max(0, side + move[1]))}`);
          else return;
          event.preventDefault();
        });
        bars.push(bar);
      });
    }
    picture.append(svg("line", { class: "axis", x1: left, x2: width - right, y1: HEIGHT - BELOW, y2: HEIGHT - BELOW }), ...bars);
    const missing = systems.map((system, side) => values[system].length - totals[side].reduce((sum, n) => sum + n, 0));
    chart.figure.replaceChildren(
      h("figcaption", {}, chart.title(),
        h("span", { class: "means" }, systems.map((system, side) => h("span", { class: `key-${side === 0 ? "a" : "b"}`, title: `Mean of ${names[system]}` },
          `mean ${fixed(mean(values[system]), digits + (digits === 0 ? 2 : 1))}`)))),
      picture,
      missing.some((n) => n > 0) ? h("p", { class: "hint" }, `${chart.key === "score" ? "Without a score" : "Without a match"}: ${systems.map((system, side) => `${names[system]} ${count(missing[side])}`).join(", ")}`) : "");
    const entry = focused ?? `${bins.n >> 1}:0`;
    chart.figure.querySelector(`[data-bar="${entry}"]`)?.setAttribute("tabindex", "0");
    if (focused) this.#focus(chart, focused);
  }

  #focus(chart, bar) {
    const next = chart.figure.querySelector(`[data-bar="${bar}"]`);
    if (!next) return;
    chart.figure.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus({ preventScroll: true });
  }
}

function mean(values) {
  let [sum, n] = [0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    n++;
  }
  return n > 0 ? sum / n : NaN;
}
