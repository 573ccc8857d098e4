// The page in seven languages: the tables are complete, and nothing on the page stays English.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DIST, ROOT, SCREENSHOTS, openPage, site } from "./setup.mjs";
import { textsOfMarkup, textsOfScripts } from "./texts.mjs";

const here = site();
mkdirSync(SCREENSHOTS, { recursive: true });
const FOLDER = join(ROOT, "crates/bolide-web/page/strings");
const LANGUAGES = readdirSync(FOLDER).map((name) => name.replace(".js", ""));
const tables = Object.fromEntries(await Promise.all(LANGUAGES.map(async (name) => [name, (await import(`../strings/${name}.js`)).default])));
const LINK = "#h=the+cats+was+good+on+the+mat&r=the+cat+sat+well+on+the+mat&r=a+cat&m=meteor%3Aclassic";

test("every text of the page is in every table, and no other", async () => {
  assert.deepEqual(LANGUAGES.toSorted(), ["de", "es", "fr", "hi", "ja", "zh"]);
  const { page, close } = await openPage(here.browser, here.server.address);
  const texts = [...new Set([...textsOfScripts(), ...await textsOfMarkup(page, here.server.address)])].toSorted();
  await close();
  assert.ok(texts.length > 400, `${texts.length} texts`);
  for (const [name, table] of Object.entries(tables)) assert.deepEqual(Object.keys(table).toSorted(), texts, name);
});

test("translations have the values, the elements and the forms of the original", () => {
  const all = (text, pattern) => [...text.matchAll(pattern)].map(([found]) => found).toSorted();
  for (const [name, table] of Object.entries(tables)) {
    let same = 0;
    for (const [text, other] of Object.entries(table)) {
      const [form] = text.split("|");
      const forms = other.split("|");
      assert.ok(forms.every((part) => part.trim() !== ""), `${name}: ${text}`);
      assert.ok(forms.length === 1 || forms.length === text.split("|").length, `${name}: ${other}`);
      // Languages without a plural have one form, the others two.
      if (text.includes("|")) assert.equal(forms.length, new Intl.PluralRules(name).resolvedOptions().pluralCategories.includes("one") ? 2 : 1, `${name}: ${other}`);
      for (const part of forms) {
        assert.deepEqual(all(part, /\{\w+\}/g), all(form, /\{\w+\}/g), `${name}: ${other}`);
        assert.deepEqual(all(part, /<\/?\w+>/g), all(form, /<\/?\w+>/g), `${name}: ${other}`);
        // Numbers, names of metrics and commands are the same everywhere.
        for (const pattern of [/\d+\.\d+/g, /\b(?:meteor:\w+|bolide|NLTK|WordNet|METEOR)\b/g]) assert.deepEqual(new Set(all(part, pattern)), new Set(all(form, pattern)), `${name}: ${other}`);
      }
      if (text === other) same++;
    }
    assert.ok(same < 25, `${name}: ${same} texts are as in English`);
  }
});

test("early.js, the picker and the tables have the same languages", () => {
  const page = (name) => readFileSync(join(ROOT, "crates/bolide-web/page", name), "utf8");
  const early = JSON.parse(page("early.js").match(/languages = (\[[^\]]*\])/)[1]);
  const picker = [...page("language.js").match(/NAMES = \{(.*)\}/)[1].matchAll(/(\w\w): "/g)].map(([, name]) => name);
  assert.deepEqual(early.toSorted(), ["en", ...LANGUAGES].toSorted());
  assert.deepEqual(picker, early);
});

// The visible texts of a page, without what the user typed, what the engine says and what is cited.
const visibleTexts = (page) => page.evaluate(() => {
  const list = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const { parentElement: parent } = node;
    if (parent.closest("[lang=en], code, option, script, textarea, bdi, .al-word, i, #language") || !parent.checkVisibility()) continue;
    list.push(node.data.replace(/\s+/g, " ").trim());
  }
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
    if (element.closest("[lang=en]")) continue;
    for (const name of ["aria-label", "title", "placeholder"]) list.push(element.getAttribute(name) ?? "");
  }
  return list.filter((text) => /[A-Za-z]{2}/.test(text));
});

// Words that are the same in every language: names, formulas, codes, and the examples' English words.
const NAMES = /\b(?:bolide|METEOR|BLEU|chrF|TER|ROUGE|CIDEr|GLEU|NIST|RIBES|NLTK|WordNet|JSON|CSV|TSV|Lines|Markdown|LaTeX|SVG|PNG|JavaScript|WebAssembly|MIT|Apache|Tab|Enter|Home|End|Esc(?:ape)?|Fmean|mean|score|MB|NF[CD]|word_tokenize|mteval|gram|Porter|Snowball|chunk|alpha|synset|meteor|classic|textbook|nltk|hf|nopara|paraphrase|gz|data|precision|recall)\b/g;
const QUOTED = /[“「『‘'«][^”」』’'»]*[”」』’'»]/g;

test("nothing stays English", async () => {
  const english = new Set(Object.keys(tables.de));
  for (const name of LANGUAGES) {
    const { page, seen, close } = await openPage(here.browser, `${here.server.address}?lang=${name}`, { fragment: LINK });
    assert.equal(await page.getAttribute("html", "lang"), name);
    await page.waitForFunction(() => document.querySelector("#compare").dataset.turn && !document.querySelector("#compare .is-old"), null, { timeout: 60_000 });
    await page.evaluate(() => { for (const details of document.querySelectorAll("details")) details.open = true; });
    const left = async (where) => {
      const texts = await visibleTexts(page);
      // A text that the table has is not shown in English, and in other scripts no English words are left at all.
      const wrong = texts.filter((text) => (english.has(text) && tables[name][text] !== text) ||
        (["zh", "ja", "hi"].includes(name) && /[A-Za-z]{3,} [A-Za-z]{2,}/.test(text.replace(QUOTED, "").replace(NAMES, "·"))));
      assert.deepEqual(wrong, [], `${name}, ${where}`);
    };
    await left("at first");
    for (let step = 1; step <= 10; step++) {
      await page.locator("#player button").nth(1).click();
      await left(`step ${step}`);
    }
    await page.hover('.al-token[data-side="hypothesis"][data-at="2"]');
    await left("note at a word");
    await page.click('.al-token[data-side="hypothesis"][data-at="2"]');
    await left("what if");
    await page.hover(".tile .term >> nth=4");
    await left("glossary");
    await page.click("#beside-rival");
    await page.waitForSelector("#beside-body svg");
    await left("another dialect");
    await page.check('input[name="view"][value="table"]', { force: true });
    await left("table");
    await page.locator(".chip").nth(3).click();
    await page.waitForSelector("#lesson .worked li", { state: "attached" });
    await left("lesson");
    await page.selectOption("#dialect", "ter:sacrebleu");
    await page.waitForSelector(".edits");
    await left("edits");
    await page.selectOption("#dialect", "meteor:1.5");
    await page.waitForSelector(".table-request");
    await left("a table is needed");
    await page.fill("#hypothesis", "");
    await page.waitForSelector(".invitation");
    await left("empty");
    await page.setInputFiles("#files", [
      { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("a cat\nb\n") },
      { name: "ref.txt", mimeType: "text/plain", buffer: Buffer.from("a dog\n") },
    ]);
    await page.waitForSelector("#batch-problem:not([hidden])");
    await left("an error");
    // One column of the table is loaded, no other.
    const loaded = [...new Set(seen.requests.filter((address) => address.includes("/strings/")))];
    assert.deepEqual(loaded, [`${here.server.address}strings/${name}.js`]);
    assert.deepEqual(seen.complaints, [], name);
    await close();
  }
});

test("numbers and signatures do not depend on the language, and English loads no table", async () => {
  const facts = async (address, options = {}) => {
    const { page, seen, close } = await openPage(here.browser, address, { fragment: LINK, ...options });
    const found = await page.evaluate(() => [document.querySelector(".score-value").textContent, document.querySelector("#signature").textContent,
      ...[...document.querySelectorAll("#parts dd, .losses dd")].map((cell) => cell.textContent)]);
    const strings = seen.requests.filter((request) => request.includes("/strings/")).length;
    const lang = await page.getAttribute("html", "lang");
    await close();
    return { found, strings, lang };
  };
  const english = await facts(here.server.address);
  assert.deepEqual([english.strings, english.lang], [0, "en"]);
  for (const name of LANGUAGES) assert.deepEqual((await facts(`${here.server.address}?lang=${name}`)).found, english.found, name);
  // The browser's language; ?lang= is stronger.
  assert.equal((await facts(here.server.address, { locale: "fr-CA" })).lang, "fr");
  assert.equal((await facts(here.server.address, { locale: "fi-FI" })).lang, "en");
  assert.equal((await facts(`${here.server.address}?lang=ja`, { locale: "fr-CA" })).lang, "ja");
});

test("the picker keeps the text and is remembered", async () => {
  const { page, close } = await openPage(here.browser, here.server.address);
  await page.fill("#hypothesis", "mein eigener Text");
  await page.selectOption("#language", "de");
  await page.waitForFunction(() => document.documentElement.lang === "de" && document.querySelector("#score-body").dataset.shown);
  assert.equal(await page.inputValue("#hypothesis"), "mein eigener Text");
  assert.match(await page.textContent("#copy-link"), /Link kopieren/);
  await page.goto(here.server.address);
  await page.waitForFunction(() => document.querySelector("#score-body").dataset.shown);
  assert.equal(await page.getAttribute("html", "lang"), "de");
  await close();
});

test("no language scrolls sideways on a phone", async () => {
  for (const name of LANGUAGES) {
    for (const width of [320, 390]) {
      const { page, close } = await openPage(here.browser, `${here.server.address}?lang=${name}`, { fragment: LINK, viewport: { width, height: 844 } });
      await page.waitForFunction(() => document.querySelector("#compare").dataset.turn, null, { timeout: 60_000 });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, `${name}, ${width}`);
      if (width === 390) await page.screenshot({ path: join(SCREENSHOTS, `language-${name}.png`), fullPage: true });
      await close();
    }
  }
});

test("the built page has every table", () => {
  assert.deepEqual(readdirSync(join(DIST, "strings")).toSorted(), LANGUAGES.map((name) => `${name}.js`).toSorted());
});
