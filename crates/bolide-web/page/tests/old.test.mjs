// Both pages in Chromium 119, which has no light-dark(), no scheduler.yield and no Promise.try: the colours, the score,
// the drawing, the languages, the user's own table and the report.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { reportPage } from "./report-page.mjs";
import { DIST, SCREENSHOTS, openPage, startBrowser, startServer } from "./setup.mjs";

let browser;
let server;
before(async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  assert.ok(process.env.OLD_CHROMIUM, "scripts/test-web installs Chromium 119 and names it in OLD_CHROMIUM");
  server = await startServer("--dir", DIST);
  browser = await startBrowser(process.env.OLD_CHROMIUM);
});
after(async () => {
  await browser?.close();
  server?.stop();
});

const LINK = "#h=the+cats+was+good+on+the+mat&r=the+cat+sat+well+on+the+mat&m=meteor%3Aclassic";
const BACK = { light: "rgb(244, 246, 248)", dark: "rgb(13, 18, 25)" };

test("it is an old browser", () => {
  assert.match(browser.version(), /^119\./);
});

test("the calculator in light and dark at three widths", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [390, 820, 1440]) {
      const { page, seen, close } = await openPage(browser, server.address, { fragment: LINK, colorScheme, viewport: { width, height: 900 } });
      assert.equal(await page.evaluate(() => CSS.supports("color", "light-dark(red, blue)")), false);
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), BACK[colorScheme]);
      const ink = await page.evaluate(() => getComputedStyle(document.querySelector(".al-word")).fill);
      assert.equal(ink, colorScheme === "dark" ? "rgb(229, 234, 241)" : "rgb(24, 33, 47)");
      assert.equal(await page.locator(".al-link").count(), 6);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
      assert.deepEqual(seen.complaints, []);
      await page.screenshot({ path: join(SCREENSHOTS, `chromium-119-${colorScheme}-${width}.png`), fullPage: true });
      await close();
    }
  }
});

test("typing, the chosen colours, other metrics, a table and a language", async () => {
  const { page, seen, close } = await openPage(browser, `${server.address}?lang=de`, { fragment: "#h=many+cats&r=a+lot+of+cats&m=meteor%3A1.5" });
  await page.setInputFiles("#paraphrase-file", { name: "paraphrase-en.gz", mimeType: "application/gzip", buffer: gzipSync("0.5\nmany\na lot of\n") });
  await page.waitForSelector(".al-token.al-paraphrase");
  await page.selectOption("#dialect", "ter:sacrebleu");
  await page.waitForSelector(".edit");
  await page.selectOption("#dialect", "meteor:classic");
  await page.fill("#hypothesis", "a lot of dogs");
  await page.waitForFunction(() => document.querySelector(".rating")?.textContent === "Die meisten Wörter passen");
  for (let click = 0; click < 2; click++) await page.click("#theme");
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), BACK.dark);
  await page.locator("#player button").nth(1).click();
  assert.match(await page.textContent("#player"), /^◀▶1\//);
  assert.deepEqual(seen.complaints, []);
  await close();
});

test("the report", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page, close } = await reportPage(browser, { colorScheme });
    const [red] = (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(/\d+/g).map(Number);
    assert.ok(colorScheme === "dark" ? red < 60 : red > 200, `${colorScheme}: ${red}`);
    assert.ok(await page.locator("table tbody tr").count() > 0);
    await page.screenshot({ path: join(SCREENSHOTS, `chromium-119-report-${colorScheme}.png`), fullPage: true });
    await close();
  }
});
