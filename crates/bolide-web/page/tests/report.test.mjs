// The HTML report in a real browser, opened as a file. Before that, its modules in node.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { inflateSync } from "node:zlib";
import { explanationOf } from "../report/alignments.js";
import { Bins, ticks } from "../report/charts.js";
import { latexText, toCsv } from "../report/exports.js";
import { shortP } from "../report/format.js";
import { State } from "../report/state.js";
import { verdict } from "../report/verdict.js";
import { poorContrast } from "./contrast.mjs";
import { HOSTILE, corpus, full, total, withReport, writeReport } from "./report-page.mjs";
import { SCREENSHOTS, bolide, startBrowser } from "./setup.mjs";
import { withinTime } from "./times.mjs";

let browser;
before(async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  browser = await startBrowser();
});
after(() => browser?.close());

function block(html, name) {
  const text = html.split(`id="data-${name}">`)[1].split("</script>")[0];
  return JSON.parse(inflateSync(Buffer.from(text, "base64")).toString());
}

async function saved(page, id) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(id)]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

const choose = (page, view) => page.locator(`label:has(input[name="view"][value="${view}"])`).click();
const shown = (page) => page.$$eval(".list-row", (rows) => rows.map((row) => Number(row.querySelector(".cell-id").textContent)));

test("unpacked alignments equal those of bolide explain", () => {
  const made = corpus(60, 9);
  const html = readFileSync(writeReport(made, "-m", "meteor"), "utf8");
  const [alignments, texts] = [block(html, "alignments"), block(html, "texts")];
  for (let segment = 0; segment < made.n; segment += 3) {
    for (const system of [0, 1]) {
      const [hypothesis, reference] = [texts.hypotheses[system][segment], texts.references[segment][0]];
      const told = JSON.parse(bolide("explain", "--format", "json", "--", hypothesis, reference));
      const found = explanationOf(alignments, texts, system, segment);
      for (const key of ["matches", "chunks", "crossings", "proven", "reference_idx"]) assert.equal(found[key], told[key], key);
      const bytes = (text, { start, end }) => Buffer.from(text).subarray(start, end).toString();
      assert.deepEqual(found.tokens.hypothesis.map(({ text }) => text), told.tokens.hypothesis.map((token) => bytes(hypothesis, token)));
      assert.deepEqual(found.tokens.reference.map(({ text }) => text), told.tokens.reference.map((token) => bytes(reference, token)));
      // A reason of the first stage only repeats the word, and credits follow from the stages.
      const plain = ({ credit: _, ...link }) => ({ ...link, reason: link.stage === "exact" ? "" : link.reason });
      assert.deepEqual(found.pairs.map(plain), told.pairs.map(plain));
      for (const list of ["hypothesis_words", "reference_words", "breaks"]) {
        assert.deepEqual(found.losses[list].map(({ at }) => at), told.losses[list].map(({ at }) => at));
        found.losses[list].forEach(({ cost }, at) => assert.ok(Math.abs(cost - told.losses[list][at].cost) <= 5.1e-7));
      }
    }
  }
});

test("bins, ticks, exports, state", () => {
  const bins = Bins.around([[0, 0.05, 0.5, 1, NaN]], 1);
  assert.deepEqual([0, 0.05, 0.5, 0.999, 1].map((value) => bins.of(value)), [0, 1, 10, 19, 19]);
  assert.equal(bins.of(NaN), -1);
  assert.equal([...bins.count([0, 0.5, 0.5, NaN])].reduce((sum, n) => sum + n), 3);
  const wide = Bins.around([[0, 90, 400]], 100);
  assert.ok(wide.isOpen && wide.high === 150 && wide.of(400) === wide.n - 1);
  assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticks(-0.31, 0.24, 5), [-0.2, 0, 0.2]);
  assert.equal(toCsv(["a", "b"], [["x,\"y\"", NaN], ["line\nbreak", 0.5]]), 'a,b\n"x,""y""",\n"line\nbreak",0.5\n');
  assert.equal(latexText("50% & {x_1} \\ <b>"), "50\\% \\& \\{x\\_1\\} \\textbackslash{} \\textless{}b\\textgreater{}");
  // A listener may change the state without losing the change, and the same call adds and removes a filter.
  const state = new State({ x: 1, y: 1 });
  const told = [];
  state.subscribe((changed) => {
    told.push([...changed].join());
    if (changed.has("x")) state.set({ y: state.x });
  });
  state.set({ x: 2 });
  state.toggleFilter("k", { id: 1 });
  state.toggleFilter("k", { id: 1 });
  assert.deepEqual(told, ["x", "y", "filters", "filters"]);
  assert.equal(state.filters.size, 0);
});

test("equal scores are never significant, whatever their p", () => {
  const standing = (score, p) => ({ score, p_values: [p, p] });
  const of = (scores, p, lower = false) => verdict({ standings: [scores.map((score) => standing(score, p))], metrics: [{ lower_is_better: lower }], test: { level: 0.05 } }, 0, 1, 0);
  assert.equal(of([0.5, 0.5], 0.001), "");
  assert.equal(of([0.5, 0.5], 0.001, true), "");
  assert.equal(of([0.5, 0.5], 1), "");
  assert.equal(of([0.5, 0.6], 0.05), "better");
  assert.equal(of([0.5, 0.6], 0.05, true), "worse");
  assert.equal(of([0.5, 0.4], 0.001), "worse");
  assert.equal(of([0.5, 0.4], 0.051), "");
  assert.equal(of([null, 0.4], null), null);
});

test("a p of one is not shown as .000", () => {
  assert.deepEqual([1, 0.9996, 0.9994, 0.042, 0.0009].map(shortP), ["1.000", "1.000", ".999", ".042", "<.001"]);
});

test("a copy of the baseline has no mark, in no table and no file", async () => {
  const made = corpus(40, 14);
  const copy = join(made.folder, "copy.txt");
  writeFileSync(copy, readFileSync(made.systems[0]));
  const options = ["-m", "meteor", "bleu", "ter"];
  const file = writeReport({ ...made, systems: [made.systems[0], copy, made.systems[1]] }, ...options);
  const compared = bolide("compare", "-q", "-r", made.reference, "-i", made.systems[0], copy, made.systems[1], "-n", "100", "--format", "csv", ...options);
  const significant = (csv) => Object.fromEntries(csv.trim().split("\n").slice(1).map((line) => line.split(","))
    .map((cells) => [`${cells[0]} ${cells[1]}`, cells.at(-1)]).toSorted());
  await withReport(browser, file, {}, async (page) => {
    const marks = await page.$$eval(".board tbody tr", (list) => Object.fromEntries(list.map((row) => [row.querySelector("bdi").textContent, [...row.querySelectorAll(".mark")].map((mark) => mark.textContent)])));
    assert.deepEqual(marks, { first: ["", "", ""], copy: ["", "", ""], "second-system": ["▼", "▼", "▼"] });
    await page.click("text=Who beats whom");
    // Each of the two beats the third system, which loses to both.
    assert.deepEqual([await page.locator(".pairs td.better").count(), await page.locator(".pairs td.worse").count()], [2, 2]);
    const { text } = await saved(page, "#leaderboard-csv");
    assert.deepEqual(significant(text), significant(compared));
    assert.equal(significant(text)["copy meteor"], "false");
    const latex = await saved(page, "#leaderboard-latex");
    assert.doesNotMatch(latex.text.split("\n").find((line) => line.startsWith("copy &")), /arrow/);
    assert.match(latex.text.split("\n").find((line) => line.startsWith("second-system &")), /downarrow/);
  });
});

test("the leaderboard: ranks, marks, another baseline, exports", () => withReport(browser, full(corpus(90)), {}, async (page) => {
  assert.match(await page.textContent("#title"), /^Made pairs <script>/);
  const rows = () => page.$$eval(".board tbody tr", (list) => list.map((row) => row.querySelector("th").textContent));
  assert.equal((await rows())[0], "third");
  const marks = () => page.$$eval(".board tbody tr", (list) => Object.fromEntries(list.map((row) => [row.querySelector("bdi").textContent, row.querySelector(".mark").textContent])));
  assert.deepEqual(await marks(), { third: "▲", first: "", "second-system": "▼" });
  await page.selectOption("#baseline", "2");
  assert.deepEqual(await marks(), { third: "", first: "▼", "second-system": "▼" });
  assert.match((await rows())[0], /baseline/);
  // By TER, where lower is better.
  await page.locator(".board thead .link", { hasText: "ter" }).click();
  assert.equal(await page.inputValue("#choose-metric"), "2");
  assert.match((await rows())[0], /^third/);
  await page.click("text=Who beats whom");
  assert.equal(await page.locator(".pairs tbody td.better").count(), 3);
  const csv = await saved(page, "#leaderboard-csv");
  assert.equal(csv.name, "leaderboard.csv");
  assert.match(csv.text, /^system,metric,signature,baseline,score,mean,half_width,p_value,significant\nthird,meteor,meteor:classic\|/);
  assert.equal(csv.text.trim().split("\n").length, 1 + 9);
  const latex = await saved(page, "#leaderboard-latex");
  assert.match(latex.text, /\\begin\{tabular\}\{lrrr\}\n\\toprule\nsystem & meteor & bleu & ter \\\\/);
}));

test("a bar of a histogram keeps its segments, in all charts and in the list", () => withReport(browser, full(corpus(90)), {}, async (page) => {
  const all = await total(page);
  const counts = await page.$$eval('[data-chart="precision"] .bar-button', (bars) => bars.map((bar) => (
    { bar: bar.dataset.bar, n: Number(bar.getAttribute("aria-label").match(/: (\d+) segments$/)[1]) })));
  assert.equal(counts.filter(({ bar }) => bar.endsWith(":0")).reduce((sum, { n }) => sum + n, 0), all);
  const { bar, n } = counts.find((entry) => entry.n > 1 && entry.bar.endsWith(":1"));
  await page.locator(`[data-chart="precision"] [data-bar="${bar}"]`).dispatchEvent("click");
  assert.equal(await total(page), n);
  assert.match(await page.textContent("#chips"), /second-system: Precision/);
  // The other charts show only the filtered segments.
  const kept = await page.$$eval('[data-chart="recall"] .side-b .kept', (bars) => bars.filter((rect) => Number(rect.getAttribute("height")) > 0).length);
  const before = await page.$$eval('[data-chart="recall"] .side-b .all', (bars) => bars.filter((rect) => Number(rect.getAttribute("height")) > 0).length);
  assert.ok(kept > 0 && kept < before);
  await page.locator("#chips .chip").click();
  assert.equal(await total(page), all);
  // The keyboard does the same.
  await page.locator('[data-chart="recall"] [tabindex="0"]').focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.bar), "19:1");
  await page.keyboard.press("Enter");
  assert.ok(await total(page) < all);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.bar), "19:1");
  await page.keyboard.press("Enter");
  assert.equal(await total(page), all);
}));

test("the list: order, search, keys, exports", () => withReport(browser, full(corpus(90)), {}, async (page) => {
  const change = () => page.$$eval(".list-row .cell-change", (cells) => cells.map((cell) => Number(cell.textContent.replace("−", "-"))));
  // The largest difference has the longest bar, half of the cell; the others are parts of it.
  const parts = async () => {
    const bars = await page.$$eval(".list-row .cell-change", (cells) => cells.map((cell) => parseFloat(cell.style.getPropertyValue("--part"))));
    return (await change()).map((value, at) => [Math.abs(value), bars[at]]).sort(([x], [y]) => y - x);
  };
  await page.selectOption("#order", "change");
  const [[most, longest], ...others] = await parts();
  assert.equal(longest, 50);
  for (const [value, part] of others) assert.ok(Math.abs(part - (50 * value) / most) < 0.2, `${value}: ${part} %`);
  await page.selectOption("#order", "gain");
  const falls = (list) => list.every((value, at) => at === 0 || value <= list[at - 1]);
  assert.ok(falls(await change()), "the biggest gain first");
  await page.selectOption("#order", "loss");
  assert.ok(falls((await change()).map((x) => -x)), "the biggest loss first");
  await page.selectOption("#order", "segment");
  assert.deepEqual((await shown(page)).slice(0, 3), [1, 2, 3]);
  await page.focus("#list");
  await page.keyboard.press("End");
  assert.equal(await page.textContent("#detail-title"), `Segment ${await total(page)}`);
  assert.equal(await page.getAttribute("#list", "aria-activedescendant"), `row-${await total(page) - 1}`);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.textContent("#detail-title"), "Segment 2");
  await page.click("#detail-on");
  assert.equal(await page.textContent("#detail-title"), "Segment 3");
  // The search also covers the source.
  await page.fill("#query", "quelle 77");
  await page.waitForFunction(() => /^1 of/.test(document.querySelector("#how-many").textContent));
  assert.deepEqual(await shown(page), [77]);
  await page.fill("#query", "(.*");
  await page.waitForFunction(() => /^0 of/.test(document.querySelector("#how-many").textContent));
  assert.equal(await page.locator("#detail").isHidden(), true);
  await page.fill("#query", "");
  await page.waitForFunction(() => /^\d+ segments/.test(document.querySelector("#how-many").textContent));
  const csv = await saved(page, "#segments-csv");
  assert.match(csv.text, /^segment,source,reference,first,first meteor,first bleu,first ter,first precision,first recall,first fragmentation,first human,second-system,/);
  const latex = await saved(page, "#segments-latex");
  assert.match(latex.text, /\\begin\{longtable\}/);
}));

test("hostile text is text everywhere", () => withReport(browser, full(corpus(30)), {}, async (page) => {
  await page.selectOption("#order", "segment");
  await page.focus("#list");
  await page.keyboard.press("Home");
  const texts = await page.$$eval("#detail dd", (list) => list.map((line) => line.textContent));
  assert.equal(texts[0], HOSTILE);
  assert.equal(texts[1], HOSTILE);
  for (const view of ["a", "b", "matrix-a", "matrix-b", "table", "both"]) {
    await choose(page, view);
  }
  assert.ok((await page.$$eval("#drawing .al-word", (list) => list.map((word) => word.textContent))).includes("script"));
  await page.locator("#buckets-tools label", { hasText: "kind" }).click();
  assert.match(await page.textContent("#buckets-body"), /<b>web<\/b>/);
  assert.equal(await page.locator("main img, main script, main b b").count(), 0);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
}));

test("two alignments on one reference", () => withReport(browser, full(corpus(60)), {}, async (page) => {
  await page.selectOption("#order", "segment");
  await page.focus("#list");
  await page.keyboard.press("ArrowDown");
  for (let round = 0; round < 12 && await page.locator(".al-overlay .al-link").count() < 4; round++) await page.keyboard.press("ArrowDown");
  const count = (selector) => page.locator(`.al-overlay ${selector}`).count();
  assert.ok(await count('.al-link[data-of="a"]') > 0);
  assert.ok(await count('.al-link[data-of="b"]') > 0);
  assert.equal(await count(".al-reference"), 1);
  await page.locator('.al-overlay [data-side="reference"]').first().hover();
  assert.match(await page.textContent("#say"), /first: .*second-system: |is missing from/);
  await page.locator('.al-overlay .al-token[tabindex="0"]').focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.textContent("#say"), /^first: /);
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.of), "r");
  // Enter goes from a matched word to the reference and back.
  const link = page.locator('.al-overlay .al-token[data-of="b"][data-link]').first();
  await link.focus();
  const told = await page.textContent("#say");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.of), "r");
  const word = await page.evaluate(() => document.activeElement.querySelector("text").textContent);
  assert.ok(told.includes(word), `${told}: ${word}`);
  await page.keyboard.press("Enter");
  assert.notEqual(await page.evaluate(() => document.activeElement.dataset.of), "r");
  // A and B swapped, and one system alone.
  await page.click(".swap");
  assert.equal(await page.inputValue("#choose-a"), "1");
  await choose(page, "a");
  assert.ok(await page.locator(".al-link").count() > 0);
  assert.equal(await page.locator(".al-overlay").count(), 0);
  const svg = await saved(page, "#save-svg");
  assert.match(svg.text, /^<svg xmlns/);
}));

test("a word that scrolls under a pointer at rest does not take over from the focused word", () => withReport(browser, full(corpus(60)), {}, async (page) => {
  await page.selectOption("#order", "segment");
  await page.focus("#list");
  await page.keyboard.press("ArrowDown");
  const tokens = page.locator("#drawing .al-token");
  const [focused, other] = [tokens.first(), tokens.last()];
  await other.scrollIntoViewIfNeeded();
  const box = await other.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const above = await page.evaluate(() => {
    const before = window.scrollY;
    window.scrollBy(0, -100);
    return before - window.scrollY;
  });
  assert.ok(above > 50, `${above}`);
  // The pointer rests where the other word will be.
  await page.mouse.move(x, y);
  await focused.evaluate((word) => word.focus({ preventScroll: true }));
  const told = await page.textContent("#say");
  assert.match(told, /^first: /);
  await page.evaluate((above) => window.scrollBy(0, above), above);
  assert.ok(await page.evaluate(([x, y]) => document.elementFromPoint(x, y).closest(".al-token") !== null, [x, y]));
  await page.waitForTimeout(500);
  assert.equal(await page.textContent("#say"), told);
  // It does once it is moved.
  await page.mouse.move(x, y - 100);
  await page.mouse.move(x, y);
  assert.notEqual(await page.textContent("#say"), told);
}));

test("several references: the best ones are marked, and drawn separately if they differ", async () => {
  const made = corpus(20);
  // The first system equals the first reference, the second system the second one.
  const file = writeReport({ ...made, systems: [made.reference, made.second] }, "-r", made.second);
  await withReport(browser, file, {}, async (page) => {
    await page.selectOption("#order", "segment");
    await page.focus("#list");
    await page.keyboard.press("End");
    assert.equal(await page.locator("#detail dt .tag").count(), 2);
    assert.match(await page.textContent("#drawing"), /different best references/);
    assert.equal(await page.locator("#drawing svg").count(), 2);
  });
});

test("buckets, words and n-grams lead to segments", () => withReport(browser, full(corpus(90)), {}, async (page) => {
  const all = await total(page);
  await page.locator("#buckets-tools label", { hasText: "kind" }).click();
  const row = page.locator(".bucket-table tbody tr").first();
  const n = Number((await row.locator("td").first().textContent()).split(" ")[0]);
  await row.locator("button").click();
  assert.equal(await total(page), n);
  await page.locator(".bucket-table tbody button").first().click();
  assert.equal(await total(page), all);
  await page.locator("#words-tools label", { hasText: "Not in the reference" }).click();
  await page.locator("#words-tools label", { hasText: "Difference" }).click();
  await page.locator("#words-tools label", { hasText: "Missing" }).click();
  // A word leads to the segments where one of the systems misses it.
  const row2 = page.locator(".word-table tbody tr").first();
  const text = await row2.locator("button").textContent();
  const most = (await row2.locator("td.number:not(.share)").allTextContents()).map(Number);
  await row2.locator("button").click();
  assert.ok((await page.textContent("#chips")).includes(`“${text}” missing from first or second-system`));
  const found = await total(page);
  assert.ok(found >= 1 && found <= most[0] + most[1], `${found} segments, ${most}`);
  await page.locator("#chips .chip").first().click();
  await page.locator("#ngrams-tools label", { hasText: /^1$/ }).click();
  const rows = await page.$$eval(".ngram-table", (tables) => tables.map((table) => [...table.querySelectorAll("tbody tr")].map((line) => [...line.querySelectorAll("td")].map((cell) => Number(cell.textContent)))));
  assert.ok(rows[0].length > 0);
  for (const [ours, theirs, more] of rows[0]) assert.equal(ours - theirs, more);
  const ngram = page.locator(".ngram-table").first().locator("tbody tr").first();
  const often = Number(await ngram.locator("td").first().textContent());
  await ngram.locator("button").click();
  const segments = await total(page);
  assert.ok(segments >= 1 && segments <= all, `${segments} segments, ${often} times`);
  await page.locator("#ngrams-tools label", { hasText: "Wrong" }).click();
}));

test("people: scatter, figures, a click opens the segment", () => withReport(browser, full(corpus(90)), {}, async (page) => {
  assert.match(await page.textContent("#human-body"), /judgements/);
  const figures = await page.$$eval("#human-body tbody tr", (rows) => rows.length);
  assert.equal(figures, 3 * 4);
  assert.equal(await page.locator(".system-point").count(), 3);
  const box = await page.locator(".points").boundingBox();
  let opened = false;
  const first = await page.textContent("#detail-title");
  await page.locator("#human").scrollIntoViewIfNeeded();
  for (let x = 60; x < box.width - 20 && !opened; x += 9) {
    for (let y = 20; y < box.height - 50 && !opened; y += 9) {
      await page.locator(".points").dispatchEvent("click", await page.evaluate(([dx, dy]) => {
        const { left, top } = document.querySelector(".points").getBoundingClientRect();
        return { clientX: left + dx, clientY: top + dy };
      }, [x, y]));
      opened = await page.textContent("#detail-title") !== first;
    }
  }
  assert.ok(opened);
}));

test("one system, and text without a match", async () => {
  const made = corpus(5);
  writeFileSync(join(made.folder, "r"), "a b\n\n🙂\n");
  writeFileSync(join(made.folder, "h"), "c d\n\n🙂\n");
  const file = writeReport({ folder: made.folder, reference: join(made.folder, "r"), systems: [join(made.folder, "h")] });
  await withReport(browser, file, {}, async (page) => {
    assert.equal(await page.locator("#choose-b, #ngrams:not([hidden]), #human:not([hidden])").count(), 0);
    assert.equal(await total(page), 3);
    assert.match(await page.textContent('[data-chart="fragmentation"]'), /Without a match: h 2/);
    await page.focus("#list");
    await page.keyboard.press("ArrowDown");
    assert.match(await page.textContent("#detail"), /\(empty\)/);
  });
});

test("an undefined score is n/a, not NaN and not a dash", async () => {
  const made = corpus(5);
  const lines = (name, text) => {
    writeFileSync(join(made.folder, name), text);
    return join(made.folder, name);
  };
  // NIST has no score for a corpus without five words in a row.
  const reference = lines("r", "a b c d e f\na b\n");
  const systems = [lines("short", "a b\nd\n"), lines("long", "a b c d e g\na b\n"), lines("none", "a\n\n")];
  const human = [1, 2, 3].map((at) => lines(`${at}.human`, `${at}\n${at + 1}\n`));
  const file = writeReport({ folder: made.folder, reference, systems }, "-m", "nist:nltk", "bleu", "--human", ...human);
  await withReport(browser, file, {}, async (page) => {
    const rows = () => page.$$eval(".board tbody tr", (list) => list.map((row) => [row.querySelector(".system").textContent, row.querySelector(".score-cell").textContent]));
    const [first, ...others] = await rows();
    assert.match(first.join(" "), /^long \d/, "what has a score comes first");
    assert.deepEqual(others, [["short", "n/a"], ["none", "n/a"]]);
    assert.match(await page.textContent(".board-note"), /n\/a: the score is undefined\.$/);
    assert.match(await page.textContent('[data-chart="score"] .means'), /^mean n\/a/);
    assert.match(await page.textContent('[data-chart="score"]'), /Without a score: short 2, long 1/);
    const latex = await saved(page, "#leaderboard-latex");
    assert.match(latex.text, /\nshort & n\/a & \d/);
    await saved(page, "#segments-latex").then(({ text }) => assert.match(text, /& n\/a & /));
    for (const metric of ["1", "0"]) {
      await page.selectOption("#choose-metric", metric);
      const texts = await page.evaluate(() => [document.body.innerText, ...[...document.querySelectorAll("[title], [aria-label]")].map((part) => part.title + part.getAttribute("aria-label"))].join("\n"));
      assert.doesNotMatch(texts, /NaN|Infinity|– ± –/);
      const drawn = await page.$$eval("svg *", (list) => list.flatMap((part) => [...part.attributes].map(({ value }) => value)).filter((value) => /NaN|Infinity/.test(value)));
      assert.deepEqual(drawn, []);
    }
  });
});

test("many segments: only those in sight are in the document", async () => {
  const made = corpus(3000, 3);
  await withReport(browser, writeReport({ ...made, systems: made.systems.slice(0, 2) }), {}, async (page) => {
    assert.ok(await page.locator(".list-row").count() < 40);
    await page.focus("#list");
    await page.keyboard.press("End");
    assert.equal(await page.getAttribute('.list-row[aria-selected="true"]', "aria-posinset"), String(made.n));
    await page.evaluate(() => { document.querySelector("#list").scrollTop = 40 * 1500; });
    await page.waitForFunction(() => [...document.querySelectorAll(".list-row")].some((row) => row.dataset.position === "1500"));
  });
});

test("labels, names, contrast, and screenshots", async () => {
  const file = full(corpus(120, 21));
  for (const [name, options] of Object.entries({
    report: {},
    "report-dark": { colorScheme: "dark" },
    "report-phone": { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  })) {
    await withReport(browser, file, options, async (page) => {
      const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, summary, a, [role=button]")]
        .filter((element) => element.checkVisibility() && !(element.getAttribute("aria-label") || element.textContent.trim() || element.labels?.length || element.title))
        .map((element) => element.outerHTML));
      assert.deepEqual(nameless, []);
      const ids = await page.$$eval("[id]", (list) => list.map(({ id }) => id));
      assert.equal(new Set(ids).size, ids.length, "ids are unique");
      assert.deepEqual(await poorContrast(page), [], `${name}: contrast under 4.5`);
      const room = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(room, 0, `${name}: the page is wider than its window`);
      await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
    });
  }
  await withReport(browser, file, {}, async (page) => {
    await page.click("#theme");
    await page.click("#theme");
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).colorScheme), "dark");
    await page.emulateMedia({ media: "print" });
    await page.screenshot({ path: join(SCREENSHOTS, "report-print.png"), fullPage: true });
    assert.equal(await page.locator("#bar").isVisible(), false);
  });
});

test("the policy holds: nothing else runs", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(pathToFileURL(writeReport(corpus(5))).href);
  const outcome = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.inline = 1";
    document.body.append(script);
    document.body.setAttribute("onclick", "window.inline = 2");
    document.body.click();
    const reached = await fetch("https://example.com/").then(() => true, () => false);
    return { inline: window.inline, reached };
  });
  assert.deepEqual(outcome, { inline: undefined, reached: false });
  await context.close();
});

test("paper has every metric, every column and every header", async () => {
  const made = corpus(40, 11);
  const file = writeReport(made, "-m", "meteor", "bleu", "chrf", "ter");
  await withReport(browser, file, { viewport: { width: 1440, height: 900 }, colorScheme: "dark" }, async (page) => {
    // Four metrics fit a wide window.
    const wide = await page.$eval("#leaderboard .scroll", (scroll) => scroll.scrollWidth - scroll.clientWidth);
    assert.equal(wide, 0, "the leaderboard overflows at 1440");
    await page.emulateMedia({ media: "print" });
    // The width of an upright A4 page with margins of 1 cm.
    await page.setViewportSize({ width: 718, height: 1000 });
    // The charts are drawn again for the new width a moment later. Labels of the old one would have no height.
    await page.waitForFunction(() => Number(document.querySelector("#buckets svg").getAttribute("width")) <= 718);
    const head = await page.$$eval(".board thead th", (list) => list.filter((cell) => cell.checkVisibility()).map((cell) => cell.textContent));
    for (const name of ["System", "meteor", "bleu", "chrf", "ter"]) assert.ok(head.some((text) => text.includes(name)), `${name} in ${head}`);
    const cut = await page.$$eval(".data", (tables) => tables.filter((table) => table.checkVisibility()).flatMap((table) => (
      [...table.querySelectorAll("th, td")].filter((cell) => cell.checkVisibility() && cell.getBoundingClientRect().right > 719).map((cell) => `${table.className}: ${cell.textContent}`))));
    assert.deepEqual(cut, [], "cells beyond the edge of the paper");
    const tall = await page.$$eval(".share", (list) => list.filter((cell) => cell.checkVisibility() && cell.getBoundingClientRect().height > 30).length);
    assert.equal(tall, 0, "a share stays on one line");
    const notes = await page.$$eval(".data small, .data .share", (list) => list.filter((note) => (
      note.checkVisibility() && parseFloat(getComputedStyle(note).fontSize) > parseFloat(getComputedStyle(note.closest("table")).fontSize))).length);
    assert.equal(notes, 0, "a remark is not larger than its number");
    const low = await page.$$eval("#buckets .tick", (list) => Math.min(...list.map((tick) => tick.getBoundingClientRect().height)));
    assert.ok(low >= 9, `labels of ${low} px`);
    const breaks = await page.evaluate(() => [[".list", "breakInside"], ["#detail .drawing", "breakInside"], ["#detail .legend", "breakAfter"], ["#list-head", "breakAfter"], ["main", "display"]]
      .map(([part, name]) => getComputedStyle(document.querySelector(part))[name]));
    assert.deepEqual(breaks, ["avoid", "avoid", "avoid", "avoid", "block"], "what belongs together stays on one page");
    const [back, ink] = await page.$eval("body", (body) => [getComputedStyle(body).backgroundColor, getComputedStyle(body).color]);
    assert.deepEqual([back, ink], ["rgb(255, 255, 255)", "rgb(24, 33, 47)"], "paper is light, whatever the screen is");
    await page.screenshot({ path: join(SCREENSHOTS, "report-print.png"), fullPage: true });
  });
});

test("the address holds A, B, the metric and the segment", async () => {
  const made = corpus(40, 12);
  const file = writeReport(made, "-m", "meteor", "ter");
  await withReport(browser, file, {}, async (page) => {
    await page.selectOption("#choose-a", "2");
    await page.selectOption("#choose-metric", "1");
    await page.locator(".list-row").nth(2).click();
    const segment = Number(await page.locator('.list-row[aria-selected="true"] .cell-id').textContent());
    await page.waitForFunction((n) => location.hash.includes(`segment=${n}`), segment);
    const address = page.url();
    assert.match(address, /#a=3&b=2&m=2&segment=\d+$/);
    // Links within the page leave it alone.
    await page.locator("#nav a", { hasText: "Buckets" }).click();
    assert.equal(page.url(), address);
    await page.goto("about:blank");
    await page.goto(address);
    await page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
    assert.deepEqual([await page.inputValue("#choose-a"), await page.inputValue("#choose-b"), await page.inputValue("#choose-metric")], ["2", "1", "1"]);
    assert.equal(await page.textContent("#detail-title"), `Segment ${segment}`);
    // Invalid values are ignored.
    await page.evaluate(() => { location.hash = "#a=99&b=x&segment=-1"; });
    assert.equal(await page.textContent("#detail-title"), `Segment ${segment}`);
  });
});

test("words come before punctuation, systems by their stems, buckets on a scale of their own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bolide-report-"));
  const lines = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const reference = lines("reference.txt", "a cat , , , , sat\n".repeat(4) + "one two three four five six seven eight nine ten eleven twelve , .\n".repeat(4));
  const systems = ["system-a.txt", "system-b.txt"].map((name, at) => lines(name, "a dog lay\n".repeat(4) + `one two three four five six seven eight nine ten ${at ? "eleven" : "x"}\n`.repeat(4)));
  const file = join(folder, "report.html");
  bolide("report", "-q", "-r", reference, "-i", ...systems, "-n", "100", "-m", "meteor", "-o", file);
  await withReport(browser, file, {}, async (page) => {
    assert.deepEqual(await page.$$eval("#choose-a option", (list) => list.map(({ textContent }) => textContent)), ["system-a", "system-b"]);
    const words = await page.$$eval(".word-table tbody th", (list) => list.map(({ textContent }) => textContent));
    const firstMark = words.findIndex((word) => !/\p{L}/u.test(word));
    assert.ok(words.includes(",") && words.slice(firstMark).every((word) => !/\p{L}/u.test(word)), words.join(" "));
    // The points use the height of the chart.
    const heights = await page.$$eval("#buckets circle", (list) => list.map((point) => Number(point.getAttribute("cy"))));
    assert.ok(Math.max(...heights) - Math.min(...heights) > 90, heights.join(" "));
  });
});

test("names of systems are those of the command, and long ones fit", async () => {
  const made = corpus(30, 15);
  const namesOf = async (labels, body) => {
    const file = writeReport({ ...made, systems: labels.map((label, at) => `${label}=${made.systems[at]}`) }, "--human", ...made.human.slice(0, labels.length));
    for (const viewport of [{ width: 1280, height: 900 }, { width: 390, height: 844 }]) {
      await withReport(browser, file, { viewport }, async (page) => {
        const texts = (where) => page.$$eval(where, (list) => list.map(({ textContent }) => textContent));
        assert.deepEqual(await texts("#choose-a option"), labels);
        assert.deepEqual(await texts("#baseline option"), labels);
        assert.deepEqual((await texts(".board th .system")).toSorted(), labels.toSorted());
        assert.deepEqual((await texts(".bucket-table th .system")).toSorted(), labels.toSorted());
        assert.deepEqual((await texts("#detail dt .system")), labels.slice(0, 2));
        assert.deepEqual(await page.$$eval(".board th .system", (list) => list.filter(({ title, textContent }) => title !== textContent)), []);
        await body(page, viewport);
      });
    }
  };
  for (const labels of [["gpt-4.1", "gpt-4.5"], ["v1.0", "v1.5"], ["facebook/nllb", "google/nllb"], ["abc", "abd"]]) await namesOf(labels, () => {});
  const long = ["facebook/nllb-200-distilled-600M-finetuned-on-news-and-subtitles", "facebook/nllb-200-distilled-1.3B-finetuned-on-news-and-subtitles", `${"x".repeat(300)} مرحبا`];
  await namesOf(long, async (page, { width }) => {
    await page.click("text=Who beats whom");
    await page.locator('label:has(input[name="view"][value="table"])').click();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, `${width}: the page is wider than its window`);
    const high = await page.$$eval(".system", (list) => Math.max(...list.filter((name) => name.checkVisibility()).map((name) => name.getBoundingClientRect().height)));
    assert.ok(high < 80, `a name is ${high} px high`);
    // The numbers leave room for the texts of a segment, and the mark of the baseline covers nothing.
    const room = await page.$$eval("#detail dd", (list) => Math.min(...list.map((text) => text.getBoundingClientRect().width)));
    assert.ok(room > 200, `the text of a segment has ${room} px`);
    const [tag, cell] = await page.$eval(".board .tag", (part) => [part, part.closest("th")].map((box) => box.getBoundingClientRect().right));
    assert.ok(tag <= cell, `the mark ends at ${tag}, its cell at ${cell}`);
    // Labels of the plot are cut too.
    const widest = await page.$$eval(".system-point text", (list) => Math.max(...list.map((name) => name.getBoundingClientRect().width)));
    assert.ok(widest < 200, `a label is ${widest} px wide`);
    await page.screenshot({ path: join(SCREENSHOTS, `report-names-${width}.png`), fullPage: true });
  });
});

test("another system or metric is there at once", async () => {
  const made = corpus(2000, 13);
  const file = writeReport(made, "-m", "meteor", "bleu");
  await withReport(browser, file, {}, async (page) => {
    const times = await page.evaluate(async () => {
      const list = [];
      const choose = (id, value) => {
        const start = performance.now();
        const select = document.getElementById(id);
        select.value = value;
        select.dispatchEvent(new Event("change", { bubbles: true }));
        return new Promise((resolve) => {
          requestAnimationFrame(() => setTimeout(() => {
            list.push(performance.now() - start);
            resolve();
          }));
        });
      };
      for (const [id, value] of [["choose-a", "2"], ["choose-metric", "1"], ["choose-a", "0"], ["choose-metric", "0"], ["choose-b", "2"]]) await choose(id, value);
      return list;
    });
    console.log(`another system or metric: ${times.map((time) => time.toFixed(0)).join(" ")} ms`);
    withinTime(times.sort((a, b) => a - b)[2] < 150, `${times} ms`);
  });
});
