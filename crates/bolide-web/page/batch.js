// Scores the segments of files, and shows a table, a histogram and a CSV file.

import { byId, download, h, scroller } from "./dom.js";
import { Client } from "./engine.js";
import { readBatch, toCsv } from "./files.js";
import { around, grouped, t } from "./strings.js";

const SLICE = 200;
const ROWS = 50;
const SVG = "http://www.w3.org/2000/svg";

export class Batch {
  #client = new Client();
  #metric;
  #open;
  #takeTable;
  #files = [];
  #isSwapped = false;
  #turn = 0;

  // `metric()` returns the current { metric, dialect }; `open(segment)` shows one segment above; `takeTable(file)` gets a
  // dropped paraphrase table.
  constructor(metric, open, takeTable) {
    this.#takeTable = takeTable;
    this.#metric = metric;
    this.#open = open;
    const input = byId("files");
    input.addEventListener("change", () => this.#take([...input.files]));
    // Files may have been chosen before this was loaded.
    if (input.files.length > 0) this.#take([...input.files]);
    const veil = byId("veil");
    const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    addEventListener("dragenter", (event) => {
      if (hasFiles(event)) veil.hidden = false;
    });
    addEventListener("dragover", (event) => {
      if (hasFiles(event)) event.preventDefault();
    });
    addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) veil.hidden = true;
    });
    addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      veil.hidden = true;
      const files = [...event.dataTransfer.files];
      if (files.length === 1 && /^paraphrase-\w+\.gz$/i.test(files[0].name)) {
        this.#takeTable(files[0]);
        return;
      }
      this.#take(files);
      byId("batch").scrollIntoView({ block: "start" });
    });
  }

  #take(files) {
    this.#files = files;
    this.#isSwapped = false;
    this.#run();
  }

  async #run() {
    const turn = ++this.#turn;
    if (this.#client.isBusy) this.#client.stop();
    const body = byId("batch-body");
    const problem = byId("batch-problem");
    problem.hidden = true;
    body.replaceChildren();
    try {
      const batch = await readBatch(this.#files, this.#isSwapped);
      const { metric, dialect } = this.#metric();
      const bar = h("progress", { max: batch.segments.length, value: 0, "aria-label": t("Scoring") });
      const stop = h("button", {
        type: "button", class: "quiet", onclick: () => {
          this.#turn++;
          this.#client.stop();
          body.replaceChildren(h("p", { class: "hint" }, t("Stopped.")));
        },
      }, t("Stop"));
      body.replaceChildren(h("p", {}, `${batch.about}. ${t("Scoring {n} segment…|Scoring {n} segments…", { n: batch.segments.length })}`),
        h("div", { class: "row" }, bar, stop));
      const start = performance.now();
      await this.#client.call("corpusStart", { metric });
      const scored = [];
      for (let at = 0; at < batch.segments.length; at += SLICE) {
        const slice = batch.segments.slice(at, at + SLICE);
        const added = await this.#client.call("corpusAdd", {
          hypotheses: slice.map(({ hypothesis }) => hypothesis),
          references: slice.map(({ references }) => references),
        });
        if (turn !== this.#turn) return;
        scored.push(...added);
        bar.value = scored.length;
      }
      const corpus = await this.#client.call("corpusFinish");
      if (turn !== this.#turn) return;
      const seconds = (performance.now() - start) / 1000;
      this.#show({ batch, scored, corpus, metric, dialect, seconds });
    } catch (error) {
      if (turn !== this.#turn) return;
      body.replaceChildren();
      problem.textContent = error.message;
      problem.hidden = false;
    }
  }

  #show({ batch, scored, corpus, metric, dialect, seconds }) {
    const { decimals } = dialect;
    const values = scored.map(({ score }) => score);
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    const sorted = [...values].sort((a, b) => a - b);
    const median = (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
    const fact = (label, value) => h("div", { class: "tile" }, h("dt", {}, label), h("dd", {}, value));
    const again = (text, action) => h("button", { type: "button", class: "quiet", onclick: action }, text);
    byId("batch-body").replaceChildren(
      h("p", {}, `${batch.about}. `, around("Scored in {seconds} s with {signature}.", { seconds: seconds.toFixed(2), signature: h("code", {}, corpus.signature) })),
      h("dl", { class: "tiles" },
        fact(t("Corpus score"), corpus.score.toFixed(decimals)), fact(t("Segments"), grouped(values.length)),
        fact(t("Mean of segments"), mean.toFixed(decimals)), fact(t("Median"), median.toFixed(decimals)),
        fact(t("Lowest"), sorted[0].toFixed(decimals)), fact(t("Highest"), sorted.at(-1).toFixed(decimals))),
      h("div", { class: "row" },
        again(t("Download CSV"), () => download(`${batch.name.replace(/\.[^.]*$/, "")}.scores.csv`,
          new Blob([toCsv(batch.name, metric, scored)], { type: "text/csv" }))),
        again(t("Score again with the options above"), () => this.#run()),
        batch.canSwap ? again(t("⇅ Swap hypotheses and references"), () => {
          this.#isSwapped = !this.#isSwapped;
          this.#run();
        }) : null),
      histogram(values, dialect, byId("batch-body").clientWidth),
      this.#table(batch, scored, decimals),
    );
  }

  #table(batch, scored, decimals) {
    const order = scored.map((_, at) => at);
    let [shown, from] = [order, 0];
    const body = h("tbody");
    const now = h("span");
    const back = h("button", { type: "button", class: "quiet", onclick: () => turn(-ROWS) }, t("← Previous"));
    const on = h("button", { type: "button", class: "quiet", onclick: () => turn(ROWS) }, t("Next →"));
    const fill = () => {
      const rows = shown.slice(from, from + ROWS).map((at) => {
        const { hypothesis, references } = batch.segments[at];
        return h("tr", {}, h("th", { scope: "row" }, h("button", {
          type: "button", class: "link", onclick: () => this.#open(batch.segments[at]),
          "aria-label": t("Show segment {at} above", { at: at + 1 }),
        }, String(at + 1))),
        h("td", { class: "number" }, scored[at].score.toFixed(decimals)),
        h("td", { class: "text" }, h("bdi", {}, hypothesis)), h("td", { class: "text" }, h("bdi", {}, references[0])));
      });
      body.replaceChildren(...rows);
      now.textContent = t("{from} to {to} of {all}", { from: from + 1, to: Math.min(from + ROWS, shown.length), all: shown.length });
      back.disabled = from === 0;
      on.disabled = from + ROWS >= shown.length;
    };
    const turn = (by) => {
      from = Math.max(0, from + by);
      fill();
    };
    const sort = h("select", {
      "aria-label": t("Order"), onchange: () => {
        const score = (at) => scored[at].score;
        shown = [...order];
        if (sort.value === "low") shown.sort((a, b) => score(a) - score(b) || a - b);
        if (sort.value === "high") shown.sort((a, b) => score(b) - score(a) || a - b);
        from = 0;
        fill();
      },
    }, h("option", { value: "file" }, t("in file order")), h("option", { value: "low" }, t("lowest first")),
    h("option", { value: "high" }, t("highest first")));
    fill();
    return h("div", {}, h("div", { class: "row" }, h("h3", {}, t("Segments")), sort),
      scroller(t("Scores of the segments"), h("table", { class: "data segments" }, h("thead", {}, h("tr", {},
        [t("Segment"), t("Score"), t("Hypothesis"), t("Reference")].map((name) => h("th", { scope: "col" }, name)))), body)),
      h("div", { class: "row pager" }, back, now, on));
  }
}

// Drawn for the available width, so that its numbers keep their size; a narrow one has fewer bars.
function histogram(scores, { decimals }, room) {
  const node = (name, attributes, ...children) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.append(...children);
    return element;
  };
  const width = Math.max(240, Math.min(900, room));
  const n = width < 500 ? 10 : 20;
  const top = Math.max(decimals >= 3 ? 1 : 100, ...scores.filter(Number.isFinite));
  const bins = new Array(n).fill(0);
  for (const score of scores) {
    if (Number.isFinite(score)) bins[Math.max(0, Math.min(n - 1, Math.floor((score / top) * n)))]++;
  }
  const most = Math.max(...bins, 1);
  const [height, foot] = [190, 24];
  const step = width / n;
  const describe = (count, at) => t("{count} from {from} to {to}", { count, from: edge(at), to: edge(at + 1) });
  const label = t("Histogram: {bars}", { bars: bins.map((count, at) => (count ? describe(count, at) : "")).filter(Boolean).join("; ") });
  function edge(at) {
    return ((top * at) / n).toFixed(2);
  }
  const svg = node("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "histogram", role: "img", "aria-label": label });
  bins.forEach((count, at) => {
    const tall = ((height - foot - 18) * count) / most;
    const bar = node("rect", {
      x: at * step + 2, y: height - foot - tall, width: step - 4, height: tall, rx: 3, class: "column",
    }, node("title", {}, describe(count, at)));
    svg.append(bar);
    if (count > 0) {
      svg.append(node("text", {
        x: (at + 0.5) * step, y: height - foot - tall - 4, "text-anchor": "middle", class: "tick",
      }, grouped(count)));
    }
  });
  for (let at = 0; at <= n; at += n / 5) {
    const anchor = at === 0 ? "start" : at === n ? "end" : "middle";
    svg.append(node("text", { x: at * step, y: height - 6, "text-anchor": anchor, class: "tick" }, edge(at)));
  }
  return h("figure", {}, svg, h("figcaption", { class: "hint" }, t("Number of segments by score")));
}
