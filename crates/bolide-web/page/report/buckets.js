// Scores by bucket: length, number of references, and the user's columns.

import { byId, h, scroller } from "../dom.js";
import { roomOf, svg, ticks } from "./charts.js";
import { count, fixed, percent, systemName } from "./format.js";
import { touches } from "./state.js";

export class Buckets {
  #app;
  #body = byId("buckets-body");
  #chosen = 0;

  constructor(app) {
    this.#app = app;
    const { summary, state } = app;
    byId("buckets-tools").append(h("div", { class: "segmented", role: "radiogroup", "aria-label": "Buckets by" },
      summary.buckets.map(({ name }, at) => h("label", {}, h("input", {
        type: "radio", name: "bucketing", value: at, checked: at === 0, onchange: () => {
          this.#chosen = at;
          this.draw();
        },
      }), h("span", {}, name)))));
    state.subscribe((changed) => {
      if (touches(changed, "a", "b", "metric", "filters", "columns", "width")) this.draw();
    });
    this.draw();
  }

  draw() {
    const { summary, state, names, columns } = this.#app;
    const bucketing = summary.buckets[this.#chosen];
    const scores = bucketing.scores[state.metric];
    const { name, decimals } = summary.metrics[state.metric];
    const focused = document.activeElement?.dataset?.bucket;
    const only = bucketing.labels.length === 1
      ? h("p", { class: "hint" }, `All segments are in one bucket: ${bucketing.labels[0]} ${bucketing.about}.`)
      : h("p", { class: "hint" }, `By ${bucketing.about}. Each bucket is scored as a separate corpus (${name}).${summary.systems.length > 2 ? " The grey line spans all systems." : ""}`);
    const chosen = state.filters.get("bucket")?.id;
    const order = summary.systems.map((_, at) => at).filter((at) => at !== state.a && at !== state.b);
    const shown = [state.a, state.b, ...order].filter((at) => at !== null);
    const row = (label, at) => {
      const id = `${this.#chosen}:${at}`;
      const best = Math[summary.metrics[state.metric].lower_is_better ? "min" : "max"](...scores[at].filter((score) => score !== null));
      return h("tr", { class: chosen === id ? "is-chosen" : "" },
        h("th", { scope: "row" }, h("button", {
          type: "button", class: "link", "data-bucket": id, "aria-pressed": String(chosen === id), disabled: !columns,
          onclick: () => this.#filter(bucketing, at, id),
        }, label)),
        h("td", { class: "number" }, count(bucketing.counts[at]), h("small", {}, ` ${percent(bucketing.counts[at], summary.segments)}`)),
        shown.map((system) => h("td", { class: `number${scores[at][system] === best && shown.length > 1 ? " best" : ""}` }, fixed(scores[at][system], decimals))));
    };
    const head = h("tr", {}, h("th", { scope: "col" }, bucketing.name), h("th", { scope: "col", class: "number" }, "Segments"),
      shown.map((system) => h("th", { scope: "col", class: "number" }, systemName(names[system], system === state.a ? "a" : system === state.b ? "b" : null))));
    const table = scroller("Scores by bucket", h("table", { class: "data bucket-table" }, h("thead", {}, head), h("tbody", {}, bucketing.labels.map(row))));
    const chart = h("figure", { class: "chart" });
    const hasChart = bucketing.labels.length > 1 && scores.flat().some((score) => score !== null);
    this.#body.replaceChildren(only, ...(hasChart ? [chart] : []), table);
    if (hasChart) chart.append(this.#chart(bucketing, scores, chart));
    if (focused) this.#body.querySelector(`[data-bucket="${focused}"]`)?.focus();
  }

  #filter(bucketing, at, id) {
    const { state, columns } = this.#app;
    const column = columns.buckets[this.#chosen];
    state.toggleFilter("bucket", { id, label: `${bucketing.name}: ${bucketing.labels[at]}`, test: (segment) => column[segment] === at });
  }

  // Two points for each bucket, A and B, with the range of all systems behind them. Points, unlike bars, need no zero,
  // so the scale covers only the scores and shows their differences.
  #chart(bucketing, scores, figure) {
    const { state, names, summary } = this.#app;
    const width = Math.floor(roomOf(figure));
    const height = 190;
    const [left, right, above, below] = [46, 8, 10, 24];
    const all = scores.flat().filter((value) => value !== null);
    const spread = Math.max(...all) - Math.min(...all) || Math.abs(all[0]) * 0.1 || 1;
    const high = Math.max(...all) + spread * 0.12;
    const low = Math.min(...all) - spread * 0.12;
    const { decimals } = summary.metrics[state.metric];
    const x = (at) => left + ((width - left - right) * at) / scores.length;
    const y = (value) => height - below - ((height - above - below) * (value - low)) / (high - low);
    const systems = [state.a, state.b].filter((system) => system !== null);
    const slot = x(1) - x(0);
    const room = Math.min(30, (slot * 0.5) / systems.length);
    const label = (text) => (text.length * 6.4 > slot - 4 ? `${text.slice(0, Math.max(1, Math.floor((slot - 10) / 6.4)))}…` : text);
    const digits = Math.max(decimals > 2 ? 2 : 0, Math.ceil(-Math.log10(spread)) + 1);
    return svg("svg", { class: "histogram", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `Scores by ${bucketing.name}; the table below has the numbers` },
      ticks(low, high, 4).map((tick) => [
        svg("line", { class: "guide", x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
        svg("text", { class: "tick", x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, fixed(tick, Math.min(4, digits))),
      ]).flat(),
      scores.map((list, at) => {
        const middle = (x(at) + x(at + 1)) / 2;
        const values = list.filter((value) => value !== null);
        const place = (side) => middle + (side - (systems.length - 1) / 2) * room;
        const points = systems.map((system, side) => {
          const value = list[system];
          if (value === null) return null;
          const text = `${bucketing.labels[at]}, ${names[system]}: ${fixed(value, decimals)}`;
          return svg("circle", { class: `column kept side-${side === 0 ? "a" : "b"}`, cx: place(side), cy: y(value), r: 5.5 }, svg("title", {}, text));
        });
        const [first, second] = systems.map((system) => list[system]);
        const link = systems.length > 1 && first !== null && second !== null
          ? svg("line", { class: "spread", x1: place(0), x2: place(1), y1: y(first), y2: y(second) }) : null;
        const range = values.length > 2 ? svg("line", { class: "range-line", x1: middle, x2: middle, y1: y(Math.min(...values)), y2: y(Math.max(...values)) },
          svg("title", {}, `all systems: ${fixed(Math.min(...values), decimals)} to ${fixed(Math.max(...values), decimals)}`)) : null;
        return svg("g", {}, range, link, points, svg("text", { class: "tick", x: middle, y: height - 7, "text-anchor": "middle" }, label(bucketing.labels[at]), svg("title", {}, bucketing.labels[at])));
      }),
      svg("line", { class: "axis", x1: left, x2: width - right, y1: height - below, y2: height - below }));
  }
}
