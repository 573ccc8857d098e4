// Accessibility of both pages: axe, narrow windows, large text, forced colours, old browsers' colours.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { reportPage } from "./report-page.mjs";
import { DIST, ROOT, SCREENSHOTS, openPage, startBrowser, startServer, toolsFolder } from "./setup.mjs";

let browser;
let server;
before(async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  server = await startServer("--dir", DIST);
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  server?.stop();
});

const AXE = readFileSync(createRequire(join(toolsFolder(), "npm/")).resolve("axe-core/axe.min.js"), "utf8");
const LINK = "#h=the+cats+was+good+on+the+mat&r=the+cat+sat+well+on+the+mat&r=a+cat&m=meteor%3Aclassic";

// The problems that axe finds, including best practices.
async function findings(page) {
  await page.evaluate(`${AXE}; undefined`);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.split("\n").slice(1, 3).join(" ")}`));
}

const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("axe finds nothing in the calculator", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
      const { page, close } = await openPage(browser, server.address, { fragment: LINK, colorScheme, viewport });
      await page.waitForFunction(() => document.querySelector("#compare").dataset.turn && !document.querySelector("#compare .is-old"), null, { timeout: 60_000 });
      for (const details of await page.$$("details")) await details.evaluate((element) => { element.open = true; });
      assert.deepEqual(await findings(page), [], `${colorScheme}, ${viewport.width}`);
      for (const view of ["matrix", "table"]) {
        await page.check(`input[name="view"][value="${view}"]`, { force: true });
        assert.deepEqual(await findings(page), [], `${colorScheme}, ${viewport.width}, ${view}`);
      }
      await close();
    }
  }
});

test("axe finds nothing in the calculator with another metric, a batch and an error", async () => {
  const { page, close } = await openPage(browser, server.address, { fragment: "#h=a+cat&r=the+cat&m=bleu" });
  await page.waitForSelector(".other-steps table");
  await page.setInputFiles("#files", [
    { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("a cat\nb\n") },
    { name: "ref.txt", mimeType: "text/plain", buffer: Buffer.from("a dog\nb\n") },
  ]);
  await page.waitForSelector(".histogram");
  assert.deepEqual(await findings(page), []);
  await page.selectOption("#dialect", "ter:sacrebleu");
  await page.waitForSelector(".edit");
  assert.deepEqual(await findings(page), []);
  // A lesson with its solution, and another dialect on the same reference.
  await page.locator(".chip").nth(3).click();
  await page.waitForSelector("#lesson .worked li", { state: "attached" });
  await page.locator("#lesson summary").click();
  await page.click("#beside-rival");
  await page.waitForSelector(".al-overlay");
  assert.deepEqual(await findings(page), []);
  await page.selectOption("#dialect", "meteor:1.5");
  await page.waitForSelector(".table-request");
  assert.deepEqual(await findings(page), []);
  await page.click("#clear");
  await page.waitForSelector(".invitation");
  assert.deepEqual(await findings(page), []);
  await close();
});

test("axe finds nothing in the report", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page, close } = await reportPage(browser, { colorScheme });
    assert.deepEqual(await findings(page), [], colorScheme);
    await close();
  }
});

test("320 px and text at 200 % without scrolling sideways", async () => {
  for (const [name, options] of Object.entries({
    "320": { viewport: { width: 320, height: 640 } },
    "200-percent": { viewport: { width: 1280, height: 900 } },
    "200-percent-phone": { viewport: { width: 390, height: 844 } },
  })) {
    const { page, close } = await openPage(browser, server.address, { fragment: LINK, ...options });
    await page.waitForFunction(() => document.querySelector("#compare").dataset.turn, null, { timeout: 60_000 });
    if (name.startsWith("200")) await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(SCREENSHOTS, `calculator-${name}.png`), fullPage: true });
    assert.equal(await sideways(page), 0, `calculator, ${name}`);
    for (const view of ["matrix", "table"]) {
      await page.check(`input[name="view"][value="${view}"]`, { force: true });
      assert.equal(await sideways(page), 0, `calculator, ${name}, ${view}`);
    }
    if (name.startsWith("200")) {
      await page.check('input[name="view"][value="links"]', { force: true });
      assert.equal(await sideways(page), 0, `calculator, ${name}, links`);
      // Everything grows: the boxes, the sentences, and the picture as far as there is room.
      const sizes = await page.$$eval("#hypothesis, #score-body p:not([class]), .hint, select", (list) => list.filter((element) => element.checkVisibility())
        .map((element) => [element.id || element.className || element.textContent, parseFloat(getComputedStyle(element).fontSize)]));
      assert.deepEqual(sizes.filter(([, size]) => size < 26), [], name);
      const word = await page.$eval(".al-token .al-word", (text) => text.getBoundingClientRect().height);
      assert.ok(word > (name === "200-percent" ? 34 : 20), `${name}: a drawn word is ${word} px high`);
      await page.screenshot({ path: join(SCREENSHOTS, `calculator-${name}.png`), fullPage: true });
    }
    // Nothing is cut off inside its box.
    const cut = await page.$$eval("button, .segmented span, .tile dd, .score-value", (list) => list
      .filter((element) => element.checkVisibility() && element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "visible").map((element) => element.textContent));
    assert.deepEqual(cut, [], name);
    await close();
    const report = await reportPage(browser, options);
    if (name.startsWith("200")) await report.page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    await report.page.waitForTimeout(300);
    assert.equal(await sideways(report.page), 0, `report, ${name}`);
    await report.close();
  }
});

test("the two dark lists of a style sheet are the same", () => {
  for (const name of ["style.css", "report/report.css"]) {
    const css = readFileSync(join(ROOT, "crates/bolide-web/page", name), "utf8");
    const list = (selector) => css.slice(css.indexOf(selector)).match(/\{([^}]*)\}/)[1];
    assert.equal(list(':root:not([data-theme="light"])'), list(':root[data-theme="dark"]'), name);
    assert.doesNotMatch(css, /light-dark\(/, "Chromium 119, Safari 16.4 and Firefox 113 do not know it");
  }
});

test("frames of controls stand out by 3 to 1", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page, close } = await openPage(browser, server.address, { colorScheme });
    const poor = await page.evaluate(() => {
      const light = (color) => color.match(/[\d.]+/g).slice(0, 3).map((c) => c / 255)
        .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
      const list = [];
      for (const element of document.querySelectorAll("textarea, select, .quiet, .chip, .segmented, input[type=number]")) {
        if (!element.checkVisibility() || element.disabled) continue;
        const card = getComputedStyle(element.closest(".card, body")).backgroundColor;
        const [a, b] = [light(getComputedStyle(element).borderTopColor), light(card)];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 3) list.push(`${element.id || element.className}: ${ratio.toFixed(2)}`);
      }
      return list;
    });
    assert.deepEqual(poor, [], colorScheme);
    await close();
  }
});

test("forced colours keep the bars and the choice visible", async () => {
  const { page, close } = await openPage(browser, server.address, { forcedColors: "active" });
  const fills = await page.$$eval(".losses .piece", (list) => list.map((piece) => getComputedStyle(piece).fill));
  assert.equal(new Set(fills).size, 4, fills.join(" "));
  assert.notEqual(await page.$eval(".segmented input:checked + span", (span) => getComputedStyle(span).outlineStyle), "none");
  await page.screenshot({ path: join(SCREENSHOTS, "forced-colours.png"), fullPage: true });
  await close();
});

test("a word explains itself where it is, and Escape closes it", async () => {
  const { page, close } = await openPage(browser, server.address, { viewport: { width: 1440, height: 900 } });
  // The picture is above the fold.
  const bottom = await page.$eval("#drawing svg", (svg) => svg.getBoundingClientRect().bottom);
  assert.ok(bottom <= 900, `the drawing ends at ${bottom}`);
  await page.hover('.al-token[data-side="hypothesis"][data-at="2"]');
  const word = await page.locator('.al-token[data-side="hypothesis"][data-at="2"]').boundingBox();
  const note = await page.locator("#popover").boundingBox();
  assert.ok(Math.abs(note.y - word.y - word.height) < 20 && Math.abs(note.x + note.width / 2 - word.x - word.width / 2) < 200);
  assert.match(await page.textContent("#popover"), /“is” has no partner/);
  await page.locator('.al-token[tabindex="0"]').focus();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#popover").isVisible(), false);
  await close();
  const phone = await openPage(browser, server.address, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await phone.page.tap('.al-token[data-side="hypothesis"][data-at="2"]');
  const sheet = await phone.page.locator("#popover").boundingBox();
  assert.deepEqual([sheet.x, Math.round(sheet.width), Math.round(sheet.y + sheet.height)], [0, 390, 844]);
  await phone.close();
});

test("a long sentence wraps into pairs of rows that use the width", async () => {
  const words = Array.from({ length: 55 }, (_, at) => `word${at}`);
  const fragment = `#${new URLSearchParams([["h", words.join(" ")], ["r", [...words.slice(5), "last"].join(" ")], ["m", "meteor:classic|match:exact"]])}`;
  for (const [width, tallest] of [[1440, 900], [390, 3200]]) {
    const { page, close } = await openPage(browser, server.address, { fragment, viewport: { width, height: 900 } });
    // The drawing is made again when WordNet arrives.
    const drawn = await (await page.waitForFunction(() => {
      const { width, height } = document.querySelector("#drawing svg")?.getBoundingClientRect() ?? { width: 0, height: 0 };
      return width > 0 && { width, height };
    })).jsonValue();
    assert.ok(drawn.height < tallest, `${width}: ${drawn.height} tall`);
    assert.ok(drawn.width > (await page.locator("#drawing").boundingBox()).width * 0.8, `${width}: ${drawn.width} wide`);
    // Words that kept their order are aligned vertically.
    const middle = (side, at) => page.$eval(`.al-token[data-side="${side}"][data-at="${at}"] .al-pill`, (pill) => Number(pill.getAttribute("x")) + Number(pill.getAttribute("width")) / 2);
    assert.ok(Math.abs(await middle("hypothesis", 20) - await middle("reference", 15)) < 1);
    await page.locator("#alignment").screenshot({ path: join(SCREENSHOTS, `wrapped-${width}.png`) });
    await close();
  }
});

test("a tangle of links offers the matrix", async () => {
  const words = "one two three four five six seven eight nine ten eleven".split(" ");
  const fragment = `#${new URLSearchParams([["h", words.join(" ")], ["r", words.toReversed().join(" ")], ["m", "meteor:classic|match:exact"]])}`;
  const { page, close } = await openPage(browser, server.address, { fragment });
  await page.click("text=see the matrix");
  await page.waitForSelector(".al-cell");
  assert.equal(await page.locator(".al-cell").count(), 11);
  assert.equal(await page.locator("text=see the matrix").count(), 0);
  await close();
});
