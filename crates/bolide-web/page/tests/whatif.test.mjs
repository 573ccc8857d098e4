// Edits of one word, and the matrix whose words stay in view.

import assert from "node:assert/strict";
import { test } from "node:test";
import { SCREENSHOTS, bolide, site, visit } from "./setup.mjs";
import { edited, edits } from "../whatif.js";

const here = site();

const withPage = (fragment, body) => visit(here, { fragment }, body);

const explain = (hypothesis, reference) => JSON.parse(bolide("explain", hypothesis, reference, "--format", "json"));
const score = (hypothesis, reference) => explain(hypothesis, reference).score.toFixed(4);

test("edits change one word and keep the rest of the text", () => {
  const text = "Ça va, the café  is good.";
  const { tokens } = explain(text, "the cafe was good");
  const at = (word) => tokens.hypothesis.findIndex((token) => token.text === word);
  assert.equal(edited(text, tokens.hypothesis, at("café"), {}), "Ça va, the  is good.");
  assert.equal(edited(text, tokens.hypothesis, 0, {}), "va, the café  is good.");
  assert.equal(edited(text, tokens.hypothesis, at("."), {}), "Ça va, the café  is good");
  assert.equal(edited(text, tokens.hypothesis, at("the"), { swap: true }), "Ça va, café the  is good.");
  assert.equal(edited(text, tokens.hypothesis, at("is"), { word: "was" }), "Ça va, the café  was good.");
});

test("a word can be left out, moved and replaced by what is missing", () => {
  const offered = (hypothesis, reference, at) => edits(hypothesis, explain(hypothesis, reference), at).map(({ what, text }) => `${what}: ${text}`);
  assert.deepEqual(offered("the cat is here", "the cat sat here", 2), [
    "left out: the cat here", "one word earlier: the is cat here", "one word later: the cat here is", "replaced by “sat”: the cat sat here",
  ]);
  assert.deepEqual(offered("cat", "dog", 0), ["replaced by “dog”: dog"], "the only word cannot be left out or moved");
});

test("the page scores every edit as the command does, applies it and takes it back", () => withPage("", async (page) => {
  const [hypothesis, reference] = ["the cat is on the mat", "the cat sat on the mat"];
  await page.click('.al-token[data-side="hypothesis"][data-at="2"]');
  await page.waitForFunction(() => [...document.querySelectorAll(".whatif .row > button b")].every((score) => score.textContent !== "…"));
  const shown = await page.$$eval(".whatif .row > button", (list) => list.map((button) => button.textContent));
  const expected = edits(hypothesis, explain(hypothesis, reference), 2).map(({ what, text }) => {
    const gain = explain(text, reference).score - explain(hypothesis, reference).score;
    return `${what} ${score(text, reference)} (${gain > 0 ? "+" : "−"}${Math.abs(gain).toFixed(4)})`;
  });
  assert.equal(expected.length, 4);
  assert.deepEqual(shown, expected);
  await page.screenshot({ path: `${SCREENSHOTS}/what-if.png`, fullPage: false });
  await page.click('.whatif .row > button:has-text("replaced by")');
  await page.waitForFunction((text) => document.querySelector(".score-value").textContent === text, score(reference, reference));
  assert.equal(await page.inputValue("#hypothesis"), reference);
  await page.click(".toast-action");
  await page.waitForFunction((text) => document.querySelector("#hypothesis").value === text, hypothesis);
}));

test("any other word can be tried", () => withPage("", async (page) => {
  await page.click('.al-token[data-side="hypothesis"][data-at="2"]');
  await page.fill('.whatif input', "sits");
  await page.press('.whatif input', "Enter");
  await page.waitForFunction((text) => document.querySelector(".score-value").textContent === text,
    score("the cat sits on the mat", "the cat sat on the mat"));
}));

test("the words of a matrix stay in view while it scrolls", async () => {
  const words = Array.from({ length: 100 }, (_, at) => `word${at}`).join(" ");
  const fragment = `#${new URLSearchParams([["h", words], ["r", words], ["m", "meteor:classic"]])}`;
  await withPage(fragment, async (page) => {
    await page.check('#views [value="matrix"]', { force: true });
    await page.waitForSelector(".al-matrix");
    const place = (selector) => page.$eval(selector, (element) => {
      const { left, top } = element.getBoundingClientRect();
      const frame = document.getElementById("drawing").getBoundingClientRect();
      return { left: Math.round(left - frame.left), top: Math.round(top - frame.top) };
    });
    const [first, topLabel] = ['.al-token[data-side="reference"][data-at="40"]', '.al-token[data-side="hypothesis"][data-at="20"]'];
    const [sideBefore, topBefore] = [await place(first), await place(topLabel)];
    await page.$eval("#drawing", (element) => element.scrollTo(150, 400));
    await page.waitForFunction(() => document.getElementById("drawing").style.getPropertyValue("--al-y") === "400px");
    const [sideAfter, topAfter] = [await place(first), await place(topLabel)];
    assert.equal(sideAfter.left, sideBefore.left, "reference words do not move sideways");
    assert.equal(sideAfter.top, sideBefore.top - 400);
    assert.equal(topAfter.top, topBefore.top, "hypothesis words do not move up");
    assert.equal(topAfter.left, topBefore.left - 150);
    await page.screenshot({ path: `${SCREENSHOTS}/matrix-scrolled.png` });
  });
});
