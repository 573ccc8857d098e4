// The list of segments: filtered, sorted, and virtual. Only the visible rows are in the document, so
// that 100,000 segments scroll as smoothly as a hundred.

import { byId, debounce, download, h, plural } from "../dom.js";
import { latexNumber, latexText, toCsv, toLatex } from "./exports.js";
import { count, fixed, signed } from "./format.js";
import { touches } from "./state.js";

const ROW = 40;
const AHEAD = 6;
// Browsers limit the height of boxes: beyond this height, scroll positions are scaled.
const TALLEST = 12_000_000;

const ORDERS = {
  segment: "in corpus order",
  gain: "biggest gain of B over A",
  loss: "biggest loss of B against A",
  change: "biggest difference",
  "a-low": "A, worst first",
  "a-high": "A, best first",
  "b-low": "B, worst first",
  "b-high": "B, best first",
  "human-low": "human score of A, worst first",
  "human-high": "human score of A, best first",
};

export class Segments {
  #app;
  #body = byId("segments-body");
  #rows = new Int32Array(0);
  #list = null;
  #layer = null;
  #spacer = null;
  #pool = [];
  #compared = null;
  #frame = 0;

  constructor(app) {
    this.#app = app;
    this.#build();
    app.step = (by) => this.#step(by);
    app.state.subscribe((changed) => {
      if (touches(changed, "filters", "query", "texts") || (touches(changed, "a", "b") && app.state.query)) this.#filter();
      else if (touches(changed, "a", "b", "metric", "order")) this.#sort(changed.has("order"));
      else if (changed.has("segment")) this.#show();
      if (touches(changed, "a", "b")) this.#labels();
      if (touches(changed, "filters", "query")) this.#chips();
    });
    this.#labels();
    this.#filter();
  }

  #build() {
    const { state, summary, columns } = this.#app;
    const many = summary.systems.length > 1;
    const orders = Object.entries(ORDERS).filter(([key]) => (many || !/gain|loss|change|^b-/.test(key)) && (columns.human || !key.startsWith("human")));
    const order = h("select", { id: "order", onchange: (event) => state.set({ order: event.target.value }) },
      orders.map(([key, label]) => h("option", { value: key }, label)));
    order.value = state.order;
    const search = debounce((text) => state.set({ query: text }), 180);
    byId("segments-tools").append(
      h("label", { class: "field-inline" }, "Find ", h("input", { type: "search", id: "query", placeholder: "text of any side", dir: "auto", autocomplete: "off", spellcheck: false, oninput: (event) => search(event.target.value) })),
      h("label", { class: "field-inline" }, "Order ", order),
      h("div", { class: "row tight", role: "group", "aria-label": "Save these segments" },
        h("button", { type: "button", class: "quiet", id: "segments-csv", onclick: () => this.#csv() }, "CSV"),
        h("button", { type: "button", class: "quiet", id: "segments-latex", onclick: () => this.#latex() }, "LaTeX")));
    this.#layer = h("div", { class: "layer" });
    this.#spacer = h("div", { class: "spacer", role: "presentation" }, this.#layer);
    this.#list = h("div", {
      class: "list", id: "list", tabindex: 0, role: "listbox", "aria-label": "Segments", onkeydown: (event) => this.#key(event),
      onscroll: () => this.#later(), onclick: (event) => {
        const row = event.target.closest("[data-position]");
        if (row) state.set({ segment: this.#rows[Number(row.dataset.position)] });
      },
    }, this.#spacer);
    this.#body.replaceChildren(
      h("div", { class: "chips", id: "chips" }),
      h("div", { class: `list-head${many ? "" : " one"}`, id: "list-head", "aria-hidden": "true" }),
      this.#list,
      h("p", { class: "hint list-foot" }, "↑ ↓ Page Up Page Down Home End move through the list."));
    this.#list.classList.toggle("one", !many);
    new ResizeObserver(() => this.#later()).observe(this.#list);
    this.#chips();
  }

  #labels() {
    const { state, names } = this.#app;
    const cells = [h("span", { class: "cell-id" }, "#"), h("span", { class: "key-a", title: names[state.a] }, names[state.a])];
    if (state.b !== null) cells.push(h("span", { class: "key-b", title: names[state.b] }, names[state.b]), h("span", {}, "B − A"));
    cells.push(h("span", { class: "cell-text" }, "Reference"));
    byId("list-head").replaceChildren(...cells);
  }

  #chips() {
    const { state, summary } = this.#app;
    const chips = [...state.filters].map(([key, { label }]) => (
      h("button", { type: "button", class: "chip is-filter", onclick: () => state.removeFilter(key), "aria-label": `Remove the filter: ${label}` }, label, h("b", { "aria-hidden": "true" }, " ✕"))));
    if (state.query) {
      chips.push(h("button", { type: "button", class: "chip is-filter", onclick: () => this.clearQuery(), "aria-label": `Remove the filter: text ${state.query}` }, `“${state.query}”`, h("b", { "aria-hidden": "true" }, " ✕")));
    }
    const n = this.#rows.length;
    byId("chips").replaceChildren(
      h("span", { id: "how-many", role: "status" }, n === summary.segments ? plural(n, "segment") : `${count(n)} of ${plural(summary.segments, "segment")}`), ...chips,
      chips.length > 1 ? h("button", { type: "button", class: "link", onclick: () => { byId("query").value = ""; state.clearFilters(); } }, "Clear all") : "");
    if (byId("query").value !== state.query && document.activeElement !== byId("query")) byId("query").value = state.query;
  }

  clearQuery() {
    byId("query").value = "";
    this.#app.state.set({ query: "" });
  }

  #filter() {
    const { state, summary, texts, mask } = this.#app;
    const tests = [...state.filters.values()].map(({ test }) => test);
    if (state.query && texts) {
      const pattern = new RegExp(state.query.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "iu");
      const shown = [state.a, state.b].filter((system) => system !== null);
      tests.push((at) => (texts.source && pattern.test(texts.source[at])) || texts.references[at].some((text) => pattern.test(text)) ||
        shown.some((system) => pattern.test(texts.hypotheses[system][at])));
    }
    for (let at = 0; at < summary.segments; at++) mask[at] = tests.every((test) => test(at)) ? 1 : 0;
    this.#sort();
  }

  // A new order starts at the top; otherwise the visible segment stays.
  #sort(fromTop = false) {
    const { state, summary, columns, mask } = this.#app;
    const rows = [];
    for (let at = 0; at < summary.segments; at++) if (mask[at]) rows.push(at);
    const scores = columns.scores[state.metric];
    const a = scores[state.a];
    const b = state.b === null ? null : scores[state.b];
    // Larger is better, whatever the metric.
    const sign = summary.metrics[state.metric].lower_is_better ? -1 : 1;
    const human = columns.human?.[state.a];
    const keys = {
      gain: b && ((at) => -sign * (b[at] - a[at])),
      loss: b && ((at) => sign * (b[at] - a[at])),
      change: b && ((at) => -Math.abs(b[at] - a[at])),
      "a-low": (at) => sign * a[at],
      "a-high": (at) => -sign * a[at],
      "b-low": b && ((at) => sign * b[at]),
      "b-high": b && ((at) => -sign * b[at]),
      "human-low": human && ((at) => human[at]),
      "human-high": human && ((at) => -human[at]),
    };
    const key = keys[state.order];
    if (key) {
      const values = new Float64Array(summary.segments);
      // Segments without a value come last.
      for (const at of rows) values[at] = Number.isNaN(key(at)) ? Infinity : key(at);
      rows.sort((x, y) => (values[x] === values[y] ? x - y : values[x] < values[y] ? -1 : 1));
    }
    this.#rows = Int32Array.from(rows);
    this.#list.style.height = `${Math.max(2, Math.min(8.25, this.#rows.length)) * ROW + 2}px`;
    this.#spacer.style.height = `${Math.max(1, Math.min(TALLEST, this.#rows.length * ROW))}px`;
    const keep = !fromTop && this.#rows.includes(state.segment);
    if (!keep) this.#list.scrollTop = 0;
    this.#chips();
    state.set({ rows: this.#rows, segment: keep ? state.segment : this.#rows[0] ?? null });
    this.#show();
  }

  // Rows per row height of scrolling: 1 unless the list is too high.
  get #scale() {
    const real = this.#rows.length * ROW;
    const room = this.#list.clientHeight;
    return real <= TALLEST ? 1 : (real - room) / (TALLEST - room);
  }

  #later() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render();
    });
  }

  // Scrolls to the chosen row.
  #show() {
    const position = this.#rows.indexOf(this.#app.state.segment);
    if (position >= 0) {
      const scale = this.#scale;
      const [top, room] = [position * ROW, this.#list.clientHeight];
      const at = this.#list.scrollTop * scale;
      if (top < at) this.#list.scrollTop = top / scale;
      else if (top + ROW > at + room) this.#list.scrollTop = (top + ROW - room) / scale;
    }
    this.#render();
  }

  // The largest difference between two columns: the bars of the others are parts of its bar.
  #largest(a, b) {
    if (this.#compared?.a !== a || this.#compared.b !== b) {
      this.#compared = { a, b, largest: a.reduce((most, score, segment) => Math.max(most, Math.abs(b[segment] - score) || 0), 0) || 1 };
    }
    return this.#compared.largest;
  }

  #render() {
    const { state, summary, columns, texts } = this.#app;
    const scale = this.#scale;
    const top = this.#list.scrollTop;
    const first = Math.max(0, Math.floor((top * scale) / ROW) - AHEAD);
    const n = Math.min(this.#rows.length - first, Math.ceil(this.#list.clientHeight / ROW) + 2 * AHEAD);
    // Place the rows around the scroll position, whatever the scale.
    this.#layer.style.transform = `translateY(${(top + first * ROW - top * scale).toFixed(1)}px)`;
    while (this.#pool.length < n) this.#pool.push(this.#row());
    const { decimals, lower_is_better } = summary.metrics[state.metric];
    const scores = columns.scores[state.metric];
    const a = scores[state.a];
    const b = state.b === null ? null : scores[state.b];
    const unit = b ? this.#largest(a, b) : 1;
    let active = "";
    for (let i = 0; i < n; i++) {
      const [position, row] = [first + i, this.#pool[i]];
      const segment = this.#rows[position];
      const isChosen = segment === state.segment;
      row.element.dataset.position = position;
      row.element.id = `row-${segment}`;
      row.element.setAttribute("aria-selected", String(isChosen));
      row.element.setAttribute("aria-posinset", String(position + 1));
      row.element.setAttribute("aria-setsize", String(this.#rows.length));
      if (isChosen) active = row.element.id;
      row.id.textContent = String(segment + 1);
      row.a.textContent = fixed(a[segment], decimals);
      if (b) {
        const difference = b[segment] - a[segment];
        row.b.textContent = fixed(b[segment], decimals);
        row.change.textContent = signed(difference, decimals);
        const isBetter = (difference > 0) !== lower_is_better;
        row.change.className = `cell-change ${difference === 0 ? "" : isBetter ? "better" : "worse"}`;
        row.change.style.setProperty("--part", `${Math.min(50, (Math.abs(difference) / unit) * 50).toFixed(1)}%`);
      }
      row.text.textContent = texts ? texts.references[segment][0] : "";
    }
    if (this.#layer.childElementCount !== n) this.#layer.replaceChildren(...this.#pool.slice(0, n).map(({ element }) => element));
    if (active) this.#list.setAttribute("aria-activedescendant", active);
    else this.#list.removeAttribute("aria-activedescendant");
  }

  #row() {
    const row = {
      id: h("span", { class: "cell-id" }), a: h("span", {}), b: h("span", {}), change: h("span", { class: "cell-change" }),
      text: h("span", { class: "cell-text", dir: "auto" }),
    };
    const cells = this.#app.state.b === null ? [row.id, row.a, row.text] : [row.id, row.a, row.b, row.change, row.text];
    row.element = h("div", { class: "list-row", role: "option" }, cells);
    return row;
  }

  #key(event) {
    const page = Math.max(1, Math.floor(this.#list.clientHeight / ROW) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#step(by);
  }

  #step(by) {
    if (this.#rows.length === 0) return;
    const at = this.#rows.indexOf(this.#app.state.segment) + by;
    this.#app.state.set({ segment: this.#rows[Math.min(this.#rows.length - 1, Math.max(0, at))] });
  }

  #csv() {
    const { summary, state, columns, texts } = this.#app;
    if (!texts) return;
    const shown = [state.a, state.b].filter((system) => system !== null);
    const most = texts.references.reduce((n, list) => Math.max(n, list.length), 1);
    const header = ["segment", ...(texts.source ? ["source"] : []),
      ...Array.from({ length: most }, (_, at) => (most === 1 ? "reference" : `reference ${at + 1}`)),
      ...shown.flatMap((system) => {
        const name = summary.systems[system];
        return [name, ...summary.metrics.map((metric) => `${name} ${metric.name}`), `${name} precision`, `${name} recall`, `${name} fragmentation`,
          ...(columns.human ? [`${name} human`] : [])];
      })];
    const rows = [...this.#rows].map((at) => [at + 1, ...(texts.source ? [texts.source[at]] : []),
      ...Array.from({ length: most }, (_, idx) => texts.references[at][idx] ?? ""),
      ...shown.flatMap((system) => [texts.hypotheses[system][at], ...summary.metrics.map((_, metric) => columns.scores[metric][system][at]),
        columns.precision[system][at], columns.recall[system][at], columns.fragmentation[system][at],
        ...(columns.human ? [columns.human[system][at]] : [])])]);
    download("segments.csv", new Blob([toCsv(header, rows)], { type: "text/csv" }));
  }

  #latex() {
    const { summary, state, columns, texts } = this.#app;
    if (!texts) return;
    const shown = [state.a, state.b].filter((system) => system !== null);
    const { name, decimals, signature } = summary.metrics[state.metric];
    const scores = columns.scores[state.metric];
    const rows = [...this.#rows].map((at) => [String(at + 1), latexText(texts.references[at][0]), ...shown.map((system) => latexNumber(scores[system][at], decimals)),
      ...(shown.length > 1 ? [latexNumber(scores[state.b][at] - scores[state.a][at], decimals)] : [])]);
    const header = ["segment", "reference", ...shown.map((system) => latexText(summary.systems[system])), ...(shown.length > 1 ? ["difference"] : [])];
    const columnsOf = `rp{0.5\\textwidth}${"r".repeat(header.length - 2)}`;
    const text = toLatex(columnsOf, header, rows, { comments: [`${name}: ${signature}`], long: true });
    download("segments.tex", new Blob([text], { type: "text/x-tex" }));
  }
}
