// One segment: its texts, the systems' scores, and their alignments.

import { STAGES, describe, drawLinks, index, watch, windows } from "../alignment.js";
import { byId, download, h, plural, scroller, toast } from "../dom.js";
import { drawMatrix } from "../matrix.js";
import { toPngBlob, toSvgBlob } from "../picture.js";
import { explanationOf } from "./alignments.js";
import { roomOf } from "./charts.js";
import { count, fixed, signed, systemName } from "./format.js";
import { drawOverlay, overlayWindows, watchOverlay } from "../overlay.js";
import { touches } from "./state.js";

const HINT = "Point at a word, or move there with the arrow keys, to see why it matches or what it costs.";

export class Detail {
  #app;
  #body = byId("detail");
  #view = "both";
  #page = 0;
  #picture = null;
  #isWaiting = false;

  constructor(app) {
    this.#app = app;
    app.state.subscribe((changed) => {
      if (changed.has("segment")) this.#page = 0;
      if (touches(changed, "segment", "a", "b", "metric", "alignments", "texts")) this.#soon();
      else if (changed.has("width")) this.#draw();
    });
    this.draw();
  }

  // A change of systems also changes the rows and the segment: draw only once.
  #soon() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    queueMicrotask(() => {
      this.#isWaiting = false;
      this.draw();
    });
  }

  draw() {
    const { state, texts } = this.#app;
    this.#body.hidden = state.segment === null || !texts;
    if (this.#body.hidden) return;
    const { segment } = state;
    const focused = this.#body.contains(document.activeElement) ? document.activeElement.id : null;
    const systems = state.b === null ? [state.a] : [state.a, state.b];
    if (state.b === null && this.#view === "both") this.#view = "a";
    const line = (name, text, marks = []) => h("div", { class: "text-line" }, h("dt", {}, name, marks), h("dd", { dir: "auto" }, text || h("i", { class: "hint" }, "(empty)")));
    const chosen = new Set(systems.map((system) => this.#explanation(system)?.reference_idx));
    const references = texts.references[segment];
    const lines = [
      texts.source ? line("Source", texts.source[segment]) : null,
      ...references.map((text, at) => line(references.length > 1 ? `Reference ${at + 1}` : "Reference", text,
        references.length > 1 && chosen.has(at) ? [h("span", { class: "tag" }, "counted")] : [])),
      ...systems.map((system, side) => line(systemName(this.#app.names[system], side === 0 ? "a" : "b"),
        texts.hypotheses[system][segment])),
    ];
    this.#body.replaceChildren(
      h("div", { class: "card-head detail-head" },
        h("h3", { id: "detail-title" }, `Segment ${count(segment + 1)}`),
        h("div", { class: "row tight" },
          h("button", { type: "button", class: "quiet", id: "detail-back", onclick: () => this.#app.step(-1) }, "← Previous"),
          h("button", { type: "button", class: "quiet", id: "detail-on", onclick: () => this.#app.step(1) }, "Next →"))),
      h("div", { class: "facts" }, h("dl", { class: "texts" }, lines), this.#numbers(systems)),
      this.#tools(systems),
      h("ul", { class: "legend", id: "legend", "aria-label": "Colours" }),
      h("div", { class: "drawing", id: "drawing" }),
      h("p", { class: "detail is-quiet", id: "say", role: "status", "aria-live": "polite" }, HINT),
      h("div", { class: "pager row", id: "pager", hidden: true }));
    this.#draw();
    if (focused) byId(focused)?.focus({ preventScroll: true });
  }

  #explanation(system) {
    const { alignments, texts, state } = this.#app;
    return alignments && texts ? explanationOf(alignments, texts, system, state.segment) : null;
  }

  #numbers(systems) {
    const { summary, columns, state, names } = this.#app;
    const { segment } = state;
    const row = (label, values, decimals, lower = false) => {
      const [a, b] = values;
      const cells = values.map((value) => h("td", { class: "number" }, fixed(value, decimals)));
      const difference = b - a;
      const kind = !(Math.abs(difference) > 0) ? "" : (difference > 0) !== lower ? "better" : "worse";
      return h("tr", {}, h("th", { scope: "row" }, label), cells,
        values.length > 1 ? h("td", { class: `number ${kind}` }, signed(difference, decimals)) : null);
    };
    const explanations = systems.map((system) => this.#explanation(system));
    const counts = (name) => explanations.map((explanation) => explanation?.[name] ?? NaN);
    const of = (lists) => systems.map((system) => lists[system][segment]);
    return scroller("Numbers of the segment", h("table", { class: "data numbers" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, "Measure")), systems.map((system, side) => h("th", { scope: "col", class: "number" }, systemName(names[system], side === 0 ? "a" : "b"))),
        systems.length > 1 ? h("th", { scope: "col", class: "number" }, "B − A") : null)),
      h("tbody", {},
        summary.metrics.map(({ name, decimals, lower_is_better }, metric) => row(name, of(columns.scores[metric]), decimals, lower_is_better)),
        row("precision", of(columns.precision), 4), row("recall", of(columns.recall), 4),
        row("fragmentation", of(columns.fragmentation), 4, true),
        row("matches", counts("matches"), 0), row("chunks", counts("chunks"), 0, true),
        columns.human ? row("human", of(columns.human), 2) : null)));
  }

  #tools(systems) {
    const choice = (value, label) => h("label", {}, h("input", {
      type: "radio", name: "view", value, checked: this.#view === value, onchange: () => {
        this.#view = value;
        this.#page = 0;
        this.#draw();
      },
    }), h("span", {}, label));
    const choices = systems.length > 1
      ? [["both", "Both"], ["a", "A"], ["b", "B"], ["matrix-a", "Matrix A"], ["matrix-b", "Matrix B"], ["table", "Table"]]
      : [["a", "Links"], ["matrix-a", "Matrix"], ["table", "Table"]];
    return h("div", { class: "tools drawing-tools" },
      h("div", { class: "segmented", role: "radiogroup", "aria-label": "Alignment" }, choices.map(([value, label]) => choice(value, label))),
      h("div", { class: "row tight", role: "group", "aria-label": "Save the picture" },
        h("button", { type: "button", class: "quiet", id: "save-svg", onclick: () => this.#save("svg") }, "SVG"),
        h("button", { type: "button", class: "quiet", id: "save-png", onclick: () => this.#save("png") }, "PNG")));
  }

  async #save(kind) {
    if (!this.#picture) return;
    const name = `segment-${this.#app.state.segment + 1}.${kind}`;
    try {
      download(name, kind === "png" ? await toPngBlob(this.#picture) : toSvgBlob(this.#picture));
    } catch (problem) {
      toast(problem.message);
    }
  }

  #draw() {
    const { alignments, texts, state, names } = this.#app;
    const place = byId("drawing");
    if (!place || state.segment === null) return;
    if (!alignments || !texts) {
      place.replaceChildren(h("p", { class: "hint" }, "Unpacking the alignments…"));
      return;
    }
    const width = roomOf(place);
    const first = this.#explanation(state.a);
    const second = state.b === null ? null : this.#explanation(state.b);
    const say = (text) => {
      byId("say").textContent = text ?? HINT;
      byId("say").classList.toggle("is-quiet", text === null);
    };
    const one = this.#view.endsWith("b") ? second : first;
    const shown = this.#view === "both" || this.#view === "table" ? [first, second].filter((item) => item) : [one];
    this.#picture = null;
    let n = 1;
    if (this.#view === "table") {
      place.replaceChildren(this.#table(first, second));
    } else if (this.#view.startsWith("matrix")) {
      this.#picture = drawMatrix(one, { width });
      place.replaceChildren(this.#picture);
      watch(this.#picture, one, say);
    } else if (this.#view === "both" && first.reference_idx === second.reference_idx) {
      const both = [names[state.a], names[state.b]];
      n = overlayWindows(first, second);
      this.#picture = drawOverlay(first, second, { width, page: this.#page, names: both });
      place.replaceChildren(this.#picture);
      watchOverlay(this.#picture, first, second, both, say);
    } else if (this.#view === "both") {
      n = Math.max(windows(first), windows(second));
      const parts = [[first, "a", state.a], [second, "b", state.b]].map(([explanation, key, system]) => {
        const picture = drawLinks(explanation, { width, page: Math.min(this.#page, windows(explanation) - 1) });
        watch(picture, explanation, say);
        return h("div", { class: "one-of-two" }, h("p", { class: "hint" }, systemName(names[system], key), `, against reference ${explanation.reference_idx + 1}`), picture);
      });
      place.replaceChildren(h("p", { class: "hint" }, "The systems have different best references, so their alignments are drawn separately."), ...parts);
    } else {
      n = windows(one);
      this.#picture = drawLinks(one, { width, page: this.#page });
      place.replaceChildren(this.#picture);
      watch(this.#picture, one, say);
    }
    for (const id of ["save-svg", "save-png"]) byId(id).disabled = this.#picture === null;
    this.#legend(shown);
    this.#pages(n);
  }

  #legend(explanations) {
    const counts = new Map();
    for (const { pairs } of explanations) for (const { stage } of pairs) counts.set(stage, (counts.get(stage) ?? 0) + 1);
    const items = Object.entries(STAGES).filter(([stage]) => counts.has(stage)).map(([stage, { label }]) => (
      h("li", {}, h("i", { class: `swatch stage-${stage}` }), `${label} · ${counts.get(stage)}`)));
    items.push(h("li", {}, h("i", { class: "swatch stage-lone" }), "no partner"));
    for (const { chunks, proven } of explanations) {
      items.push(h("li", {}, h("i", { class: "swatch stage-chunk" }), `${plural(chunks, "chunk")}${proven === true ? ", proven the fewest" : ""}`));
    }
    byId("legend").replaceChildren(...items);
  }

  #pages(n) {
    const pager = byId("pager");
    pager.hidden = n < 2;
    if (n < 2) return;
    const go = (by) => {
      this.#page = Math.min(n - 1, Math.max(0, this.#page + by));
      this.#draw();
    };
    pager.replaceChildren(
      h("button", { type: "button", class: "quiet", disabled: this.#page === 0, onclick: () => go(-1) }, "← Earlier words"),
      h("span", {}, `part ${this.#page + 1} of ${n}`),
      h("button", { type: "button", class: "quiet", disabled: this.#page === n - 1, onclick: () => go(1) }, "Later words →"));
  }

  // The reference word by word, with the matching words of each system: the alignments as a table.
  #table(first, second) {
    const { state, names } = this.#app;
    const explanations = [first, second].filter((item) => item && item.reference_idx === first.reference_idx);
    const known = explanations.map((explanation) => index(explanation));
    const head = ["Reference", ...explanations.map((_, side) => systemName(names[side === 0 ? state.a : state.b]))];
    const cell = (side, at) => {
      const link = known[side].reference[at];
      if (!link) return h("td", { class: "lone-cell" }, "missing");
      const words = explanations[side].tokens.hypothesis.slice(link.hypothesis, link.hypothesis + link.hypothesis_tokens);
      return h("td", { title: describe(explanations[side], "reference", at, known[side]) }, h("bdi", {}, words.map(({ text }) => text).join(" ")),
        h("small", {}, ` ${link.stage}, chunk ${link.chunk + 1}`));
    };
    const rows = first.tokens.reference.map(({ text }, at) => h("tr", {}, h("th", { scope: "row" }, h("bdi", {}, text)), explanations.map((_, side) => cell(side, at))));
    const extra = explanations.map((explanation, side) => h("td", {}, explanation.tokens.hypothesis.filter((_, at) => !known[side].hypothesis[at]).map(({ text }) => text).join(" ") || "–"));
    return h("table", { class: "data" }, h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, rows, h("tr", {}, h("th", { scope: "row" }, h("i", {}, "not in the reference")), extra)));
  }
}
