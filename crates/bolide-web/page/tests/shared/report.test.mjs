// The report of a large task whose texts are in ../shared, which is not part of the repository: scripts/test shared
// runs this.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { total, withReport } from "../report-page.mjs";
import { ROOT, SCREENSHOTS, bolide, startBrowser } from "../setup.mjs";
import { withinTime } from "../times.mjs";

let browser;
before(async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  browser = await startBrowser();
});
after(() => browser?.close());

test("eleven systems of WMT17: painted within 2 s, and everything works", async () => {
  const folder = join(ROOT, "../shared/data/wmt17/systems/de-en");
  const systems = readdirSync(folder).filter((name) => name.startsWith("newstest")).sort().map((name) => join(folder, name));
  const file = join(mkdtempSync(join(tmpdir(), "bolide-report-")), "report.html");
  bolide("report", "-q", "-r", join(folder, "reference"), "-i", ...systems, "-m", "meteor", "bleu", "-o", file);
  const shot = (page, name) => page.screenshot({ path: join(SCREENSHOTS, `report-de-en-${name}.png`), fullPage: true });
  const times = [];
  for (const [name, options] of Object.entries({
    desktop: {}, dark: { colorScheme: "dark" }, phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  })) {
    await withReport(browser, file, options, async (page) => {
      times.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
      assert.equal(await page.locator(".board tbody tr").count(), 11);
      assert.equal(await total(page), 3004);
      await shot(page, name);
      if (name !== "desktop") return;
      // The best two systems, the segments that the second of them does best, a bar, a word.
      const names = await page.$$eval(".board bdi", (list) => list.map((element) => element.textContent));
      assert.equal(names[0], "newstest2017.uedin-nmt.4723.de-en");
      await page.locator(".board tbody tr").first().locator(".pick-a").click();
      await page.locator(".board tbody tr").nth(1).locator(".pick-b").click();
      assert.deepEqual(await page.$$eval(".list-head span", (list) => list.slice(1, 3).map((cell) => cell.textContent)), names.slice(0, 2));
      await page.selectOption("#order", "loss");
      await page.focus("#list");
      for (const key of ["PageDown", "ArrowDown", "End", "Home"]) await page.keyboard.press(key);
      assert.ok(await page.locator("#drawing .al-link").count() > 0);
      await page.locator('[data-chart="fragmentation"] [data-bar="8:1"]').dispatchEvent("click");
      assert.ok(await total(page) < 3004);
      await page.locator("#chips .chip").click();
      await page.locator(".word-table tbody button").first().click();
      assert.ok(await total(page) < 3004);
    });
  }
  console.log(`first paint after ${times.map((time) => time.toFixed(0)).join(", ")} ms`);
  // The best of three: the machine may be busy with other things.
  withinTime(Math.min(...times) < 2000, `${times} ms`);
});
