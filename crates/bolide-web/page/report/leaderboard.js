// The leaderboard: scores with confidence intervals, marks of significance against a baseline, and
// comparisons of all pairs.

import { copy, download, h, scroller } from "../dom.js";
import { svg, ticks } from "./charts.js";
import { latexNumber, latexText, toCsv, toLatex } from "./exports.js";
import { fixed, shortP, systemName } from "./format.js";
import { touches } from "./state.js";
import { verdict } from "./verdict.js";

const MARKS = { better: "▲", worse: "▼", "": "" };

export class Leaderboard {
  #app;
  #body = document.getElementById("leaderboard-body");
  #order = null;

  constructor(app) {
    this.#app = app;
    const { summary, names, state } = app;
    const tools = document.getElementById("leaderboard-tools");
    if (summary.systems.length > 1) {
      const select = h("select", { id: "baseline", onchange: (event) => state.set({ baseline: Number(event.target.value) }) },
        names.map((name, at) => h("option", { value: at }, name)));
      select.value = state.baseline;
      tools.append(h("label", { class: "field-inline" }, "Marks against ", select));
    }
    tools.append(h("div", { class: "row tight", role: "group", "aria-label": "Take the leaderboard with you" },
      h("button", { type: "button", class: "quiet", id: "leaderboard-csv", onclick: () => this.#csv() }, "CSV"),
      h("button", { type: "button", class: "quiet", id: "leaderboard-latex", onclick: () => this.#latex() }, "LaTeX"),
      h("button", { type: "button", class: "quiet", id: "leaderboard-copy", onclick: () => copy(this.#latexText(), "LaTeX") }, "Copy LaTeX")));
    state.subscribe((changed) => {
      if (touches(changed, "a", "b", "metric", "baseline")) this.draw();
    });
    this.draw();
  }

  // Systems from best to worst by the chosen metric; those without a score come last.
  get #ranking() {
    const { summary, state } = this.#app;
    const metric = this.#order ?? state.metric;
    const sign = summary.metrics[metric].lower_is_better ? 1 : -1;
    const key = (system) => {
      const { score } = summary.standings[metric][system];
      return score === null ? Infinity : sign * score;
    };
    return summary.systems.map((_, at) => at).sort((a, b) => key(a) - key(b) || a - b);
  }

  draw() {
    const { summary, state, names } = this.#app;
    const focused = document.activeElement?.dataset?.key;
    const ranking = this.#ranking;
    const many = summary.systems.length > 1;
    const scale = this.#scale();
    const head = h("tr", {},
      h("th", { scope: "col", class: "number rank" }, "#"),
      h("th", { scope: "col" }, "System"),
      many ? h("th", { scope: "col", class: "picks" }, h("span", { class: "visually-hidden" }, "Choose as A or B")) : null,
      h("th", { scope: "col", class: "interval" }, `${summary.metrics[state.metric].name}, 95 % interval`),
      summary.metrics.map((metric, at) => h("th", { scope: "col", class: "number", "aria-sort": at === state.metric ? (metric.lower_is_better ? "ascending" : "descending") : null },
        h("button", { type: "button", class: "link", "data-key": `sort-${at}`, onclick: () => state.set({ metric: at }), title: `Rank by ${metric.name}` },
          metric.name, metric.lower_is_better ? " ↓" : ""))));
    const row = (system, place) => {
      const isA = system === state.a;
      const isB = system === state.b;
      const choose = (key, label, isOn) => h("button", {
        type: "button", class: `pick pick-${key}`, "aria-pressed": String(isOn), "data-key": `${key}-${system}`,
        "aria-label": `${label}: ${summary.systems[system]}`, onclick: () => state.set(this.#choice(key, system)),
      }, label);
      return h("tr", { class: isA ? "is-a" : isB ? "is-b" : "" },
        h("td", { class: "number rank" }, String(place + 1)),
        h("th", { scope: "row" }, systemName(names[system]),
          many && system === state.baseline ? h("span", { class: "tag" }, "baseline") : null),
        many ? h("td", { class: "picks" }, choose("a", "A", isA), choose("b", "B", isB)) : null,
        h("td", { class: "interval" }, this.#interval(system, scale)),
        summary.metrics.map((_, metric) => this.#cell(metric, system)));
    };
    const table = h("table", { class: "data board" }, h("thead", {}, head), h("tbody", {}, ranking.map(row)));
    this.#body.replaceChildren(scroller("Scores of the systems", table), this.#note(), many ? this.#pairs(ranking) : h("span"));
    if (focused) this.#body.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  // If the user chooses the system of the other side, the two are swapped.
  #choice(key, system) {
    const { a, b } = this.#app.state;
    if (key === "a") return system === b ? { a: b, b: a } : { a: system };
    return system === a ? { a: b, b: a } : { b: system };
  }

  #cell(metric, system) {
    const { summary, state } = this.#app;
    const standing = summary.standings[metric][system];
    const { decimals } = summary.metrics[metric];
    const found = verdict(summary, metric, system, state.baseline) ?? "";
    const p = standing.p_values[state.baseline];
    if (standing.score === null) return h("td", { class: "number score-cell" }, fixed(null));
    const best = summary.standings[metric].every(({ score }) => score === null || (summary.metrics[metric].lower_is_better ? score >= standing.score : score <= standing.score));
    return h("td", { class: `number score-cell ${found}` },
      h("span", { class: best && summary.systems.length > 1 ? "best" : "" }, fixed(standing.score, decimals)),
      h("small", {}, ` ± ${fixed(standing.half_width, decimals)}`),
      h("span", { class: "mark", "aria-label": found ? `significantly ${found} than the baseline` : null }, MARKS[found]),
      summary.systems.length > 1 ? h("small", { class: "p" }, p === null ? "" : `p ${p < 0.001 ? "< 0.001" : p.toFixed(3)}`) : null);
  }

  #scale() {
    const { summary, state } = this.#app;
    const ends = summary.standings[state.metric].filter(({ score }) => score !== null)
      .flatMap(({ score, mean, half_width }) => (half_width === null ? [score] : [score, mean - half_width, mean + half_width]));
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const pad = (high - low) * 0.06 || 0.01;
    return { low: low - pad, high: high + pad };
  }

  #interval(system, { low, high }) {
    const { summary, state } = this.#app;
    const { score, mean, half_width } = summary.standings[state.metric][system];
    if (score === null) return null;
    const hasInterval = half_width !== null;
    const width = 240;
    const x = (value) => (((value - low) / (high - low)) * width).toFixed(1);
    const { decimals } = summary.metrics[state.metric];
    const label = `${fixed(score, decimals)}${hasInterval ? `, from ${fixed(mean - half_width, decimals)} to ${fixed(mean + half_width, decimals)}` : ""}`;
    return svg("svg", { class: "whisker", viewBox: `0 0 ${width} 22`, role: "img", "aria-label": label, preserveAspectRatio: "none" },
      svg("title", {}, label),
      ticks(low, high, 5).map((tick) => svg("line", { class: "guide", x1: x(tick), x2: x(tick), y1: 0, y2: 22 })),
      hasInterval ? svg("line", { class: "range", x1: x(mean - half_width), x2: x(mean + half_width), y1: 11, y2: 11 }) : null,
      svg("line", { class: "dot", x1: x(score), x2: x(score), y1: 4, y2: 18 }));
  }

  #note() {
    const { summary } = this.#app;
    const { samples, seed, level, correction } = summary.test;
    const marks = summary.systems.length > 1
      ? ` ▲ and ▼: significantly better and worse than the baseline, p ≤ ${level}${correction ? ", Holm’s correction" : ""}.` : "";
    const isUndefined = summary.standings.flat().some(({ score }) => score === null) ? " n/a: the score is undefined." : "";
    return h("p", { class: "hint board-note" }, `95 % intervals and p-values from ${samples.toLocaleString("en")} paired bootstrap samples, seed ${seed}.${marks}${isUndefined}`);
  }

  // Every system against every other.
  #pairs(ranking) {
    const { summary, state, names } = this.#app;
    const metric = state.metric;
    const cell = (row, column) => {
      if (row === column) return h("td", { class: "same" }, "");
      const found = verdict(summary, metric, row, column);
      if (found === null) return h("td", {}, "n/a");
      const p = summary.standings[metric][row].p_values[column];
      return h("td", { class: found, title: `${names[row]} against ${names[column]}: p = ${p}` }, `${MARKS[found]} ${shortP(p)}`);
    };
    const open = this.#body.querySelector("details")?.open ?? false;
    return h("details", { class: "more", open },
      h("summary", {}, "Who beats whom"),
      h("p", { class: "hint" }, `By ${summary.metrics[metric].name}: the row’s system against the column’s, with p.`),
      scroller("Every system against every other", h("table", { class: "data pairs" },
        h("thead", {}, h("tr", {}, h("td", {}), ranking.map((system) => h("th", { scope: "col" }, systemName(names[system]))))),
        h("tbody", {}, ranking.map((row) => h("tr", {}, h("th", { scope: "row" }, systemName(names[row])), ranking.map((column) => cell(row, column))))))));
  }

  #csv() {
    const { summary, state } = this.#app;
    const header = ["system", "metric", "signature", "baseline", "score", "mean", "half_width", "p_value", "significant"];
    const rows = this.#ranking.flatMap((system) => summary.metrics.map(({ name, signature }, metric) => {
      const { score, mean, half_width, p_values } = summary.standings[metric][system];
      const found = verdict(summary, metric, system, state.baseline);
      return [summary.systems[system], name, signature, String(system === state.baseline), score, mean, half_width,
        p_values[state.baseline] ?? "", found === null ? "" : String(found !== "")];
    }));
    download("leaderboard.csv", new Blob([toCsv(header, rows)], { type: "text/csv" }));
  }

  #latexText() {
    const { summary, state } = this.#app;
    const rows = this.#ranking.map((system) => [latexText(summary.systems[system]), ...summary.metrics.map(({ decimals }, metric) => {
      const { score, half_width } = summary.standings[metric][system];
      const found = verdict(summary, metric, system, state.baseline);
      const mark = found ? `$^{${found === "better" ? "\\uparrow" : "\\downarrow"}}$` : "";
      return score === null ? latexNumber(score) : `${latexNumber(score, decimals)} $\\pm$ ${latexNumber(half_width, decimals)}${mark}`;
    })]);
    const { samples, seed, level } = summary.test;
    return toLatex(`l${"r".repeat(summary.metrics.length)}`, ["system", ...summary.metrics.map(({ name }) => latexText(name))], rows, {
      comments: [...summary.metrics.map(({ signature }) => signature),
        `paired bootstrap, ${samples} samples, seed ${seed}; arrows: p <= ${level} against ${summary.systems[state.baseline]}`],
    });
  }

  #latex() {
    download("leaderboard.tex", new Blob([this.#latexText()], { type: "text/x-tex" }));
  }
}
