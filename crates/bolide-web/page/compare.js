// "Which METEOR?": scores the same pair with every dialect of the registry, in a separate worker.
//
// If a dialect takes too long on this pair, its worker is ended and a new one scores the remaining
// dialects; new input ends the current run.

import { byId, h, scroller } from "./dom.js";
import { Client, lexicon } from "./engine.js";
import { t } from "./strings.js";

const PATIENCE = 10_000;
// If the input changes, a call that has run for this long is ended.
const QUICK = 1000;

export class Compare {
  #client = new Client();
  #choose;
  #dialects = [];
  #rows = new Map();
  #turn = 0;
  #input = null;
  #since = 0;
  // WordNet is fetched for this table only if somebody looks at it.
  #isSeen = false;

  // `choose` is called with the name of the dialect that the user wants to see.
  constructor(choose) {
    this.#choose = choose;
    lexicon.addEventListener("change", () => {
      if (lexicon.state === "ready" && this.#input) this.run(this.#input);
    });
    new IntersectionObserver(([{ isIntersecting }], observer) => {
      if (!isIntersecting) return;
      observer.disconnect();
      this.#isSeen = true;
      if (lexicon.state === "absent" && this.#input) this.run(this.#input);
    }).observe(byId("which"));
  }

  set dialects(list) {
    this.#dialects = list;
    this.#rows.clear();
    const aligned = list.filter(({ alignment }) => alignment);
    const others = list.filter(({ alignment }) => !alignment);
    const titles = (dialects) => [...new Set(dialects.map(({ title }) => title))].join(", ");
    const table = (dialects, caption, isFirst) => scroller(t("{metrics}, by dialect", { metrics: caption }), h("table", { class: "data compare" },
      h("caption", {}, caption),
      h("thead", {}, h("tr", {},
        [t("Dialect"), t("Score"), h("span", { class: "visually-hidden" }, t("As a bar")), ...(isFirst ? [t("Difference"), t("Matches"), t("Chunks")] : []),
          t("Reproduces")].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, dialects.map((dialect) => this.#row(dialect, isFirst)))));
    byId("compare").replaceChildren(
      table(aligned, titles(aligned), true),
      h("details", { class: "more" }, h("summary", {}, titles(others)), table(others, t("Other metrics"), false)),
    );
  }

  #row(dialect, isFirst) {
    const cells = {
      score: h("td", { class: "number" }), bar: h("td", { class: "meter" }), change: h("td", { class: "number" }),
      matches: h("td", { class: "number" }), chunks: h("td", { class: "number" }),
    };
    const button = h("button", {
      type: "button", class: "link", onclick: () => this.#choose(dialect.name),
      title: t("Show {dialect} above", { dialect: dialect.name }),
    }, dialect.name);
    const row = h("tr", {}, h("th", { scope: "row" }, button), cells.score, cells.bar,
      isFirst ? [cells.change, cells.matches, cells.chunks] : null,
      h("td", { class: "wide", lang: "en" }, dialect.reproduces));
    this.#rows.set(dialect.name, { dialect, row, cells });
    return row;
  }

  // Scores the pair with every dialect; `chosen` names the one shown above and its score.
  async run(input) {
    this.#input = input;
    const turn = ++this.#turn;
    if (this.#client.isBusy && performance.now() - this.#since > QUICK) this.#client.stop();
    for (const { row, dialect } of this.#rows.values()) {
      row.classList.toggle("is-chosen", dialect.name === input.chosen);
      row.classList.add("is-old");
    }
    for (const dialect of this.#dialects) {
      const outcome = await this.#score(dialect.name, input);
      if (turn !== this.#turn) return;
      this.#show(dialect, outcome, input);
    }
    byId("compare").dataset.turn = String(turn);
  }

  // Another table was given.
  forgetOwnTable() {
    this.#client.forgetOwnTable();
  }

  // Without a text there is nothing to compare.
  clear() {
    this.#input = null;
    this.#turn++;
    for (const { row, cells } of this.#rows.values()) {
      row.classList.remove("is-old");
      for (const cell of Object.values(cells)) cell.replaceChildren();
    }
  }

  async #score(metric, { hypothesis, references }) {
    const client = this.#client;
    this.#since = performance.now();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      client.stop();
    }, PATIENCE);
    try {
      const call = client.call("score", { metric, hypothesis, references }, { fetchLexicon: this.#isSeen });
      return { score: await call };
    } catch (problem) {
      if (isLate) return { note: t("takes too long in the browser") };
      if (problem.name === "Unavailable") return { note: needs(problem.message) };
      return { note: problem.name === "Stopped" ? "" : problem.message };
    } finally {
      clearTimeout(timer);
    }
  }

  #show(dialect, { score, note }, { score: chosen, family }) {
    const { row, cells } = this.#rows.get(dialect.name);
    row.classList.remove("is-old");
    for (const cell of Object.values(cells)) cell.replaceChildren();
    cells.bar.hidden = !score;
    cells.score.colSpan = score ? 1 : 2;
    if (!score) {
      cells.score.append(h("span", { class: "hint" }, note));
      return;
    }
    // Without a largest score, 1 or 100 as for the others of its kind; NIST has none.
    const scale = dialect.range[1] ?? (dialect.alignment ? 1 : dialect.lower_is_better ? 100 : null);
    cells.score.append(score.score.toFixed(dialect.decimals), dialect.lower_is_better ? " ↓" : "");
    if (dialect.lower_is_better) cells.score.title = t("An error rate: lower is better.");
    if (scale !== null) {
      const meter = h("span", { class: "meter-fill" });
      meter.style.width = `${Math.max(0, Math.min(1, score.score / scale)) * 100}%`;
      cells.bar.append(h("span", { class: "meter-back", "aria-hidden": "true" }, meter));
    }
    if (dialect.family === family) {
      const change = score.score - chosen;
      const text = Math.abs(change) < 5e-5 ? t("same") : `${change > 0 ? "+" : "−"}${Math.abs(change).toFixed(4)}`;
      cells.change.append(text);
      cells.change.classList.toggle("less", text.startsWith("−"));
      cells.change.classList.toggle("more-score", text.startsWith("+"));
    }
    // METEOR 1.5 matches phrases, so the two sides may have different numbers of matched words.
    const { matches, hypothesis_matches: ours, reference_matches: theirs, chunks, breaks } = score.components;
    const matched = matches ?? (ours === theirs ? ours : `${ours} / ${theirs}`);
    if (matched !== undefined) cells.matches.append(String(matched));
    // A dialect counts the chunks or the breaks between them.
    const n = chunks ?? (breaks !== undefined && matches > 0 ? breaks + 1 : breaks);
    if (n !== undefined) cells.chunks.append(String(n));
  }
}

// What a dialect lacks, in a few words.
function needs(message) {
  if (message.includes("WordNet")) return t("needs the WordNet table");
  if (message.includes("paraphrase")) return t("needs the paraphrase table");
  return message.match(/needs [^,:]*/)?.[0] ?? message;
}
