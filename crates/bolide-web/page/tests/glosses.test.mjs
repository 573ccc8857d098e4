// Notes about synonyms: the meaning of the shared synset, which is loaded when the first note names one.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DIST, openPage, site, startServer, visit } from "./setup.mjs";

const here = site();
const TABLE = "wordnet-3.0-glosses.txt";
const LINK = "#h=a+big+house&r=a+large+house&m=meteor%3Aclassic";
const LARGE = "the synset large.a (big): “above average in size or number or quantity or magnitude or extent”";
const big = '.al-token[data-side="hypothesis"][data-at="1"]';
const asked = (seen) => seen.requests.filter((address) => /gloss(es\.js|es\.txt)/.test(address)).length;
const shows = (page, id, text) => page.waitForFunction(([place, part]) => document.querySelector(place).textContent.includes(part), [id, text]);

test("the note says what the words mean together; nothing of it is loaded before", () => visit(here, { fragment: LINK }, async (page, seen) => {
  await page.waitForFunction(() => document.querySelector("#compare").dataset.turn);
  await page.hover('.al-token[data-side="hypothesis"][data-at="0"]');
  assert.match(await page.textContent("#popover"), /same word/);
  assert.equal(asked(seen), 0);
  await page.hover(big);
  // At once without the meaning.
  assert.match(await page.textContent("#popover"), /^“big” matches “large”: synonym \(the synset large\.a \(big\)/);
  await shows(page, "#popover", `“big” matches “large”: synonym (${LARGE}). Chunk 1 of 1.`);
  assert.equal(await page.textContent("#detail"), await page.textContent("#popover"));
  assert.doesNotMatch(await page.textContent("#popover"), /with.child|pregnan/);
  assert.equal(asked(seen), 2);
  for (const side of ["hypothesis", "reference"]) {
    assert.match(await page.getAttribute(`.al-token[data-side="${side}"][data-at="1"]`, "aria-label"), /above average in size/);
  }
  // The link, the matrix and the table say the same, and the table of glosses is loaded once.
  await page.locator(".al-link.al-synonym").dispatchEvent("pointerover");
  assert.ok((await page.textContent("#popover")).includes(LARGE));
  await page.check('input[name="view"][value="matrix"]', { force: true });
  await page.hover(".al-cell.al-synonym");
  assert.ok((await page.textContent("#popover")).includes(LARGE));
  await page.check('input[name="view"][value="table"]', { force: true });
  assert.ok((await page.textContent("#drawing")).includes(LARGE));
  assert.equal(asked(seen), 2);
  // The popover stays inside the window.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.check('input[name="view"][value="links"]', { force: true });
  await page.hover(big);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
}));

test("the table view loads the meanings too, and so does another language of the page", () => visit(here, { fragment: `?lang=de${LINK}` }, async (page, seen) => {
  assert.equal(asked(seen), 0);
  await page.check('input[name="view"][value="table"]', { force: true });
  await shows(page, "#drawing", "das Synset large.a (big): “above average in size");
}));

test("without the table, or with a damaged one, the note names the synset", async () => {
  const text = readFileSync(join(DIST, "pkg", TABLE), "utf8");
  const cases = {
    absent: (route) => route.fulfill({ status: 404, body: "404 Not Found" }),
    damaged: (route) => route.fulfill({ status: 200, body: text.slice(0, 500_000) }),
    "another page": (route) => route.fulfill({ status: 200, contentType: "text/html", body: "<!doctype html><title>Hello</title>" }),
    offline: (route) => route.abort(),
  };
  for (const [name, answer] of Object.entries(cases)) {
    const { page, seen, close } = await openPage(here.browser, here.server.address, { fragment: LINK });
    let n = 0;
    await page.context().route(`**/${TABLE}`, (route) => {
      n += 1;
      return answer(route);
    });
    const note = async () => {
      await page.hover('.al-token[data-side="hypothesis"][data-at="0"]');
      await page.hover(big);
      await page.waitForTimeout(200);
      assert.match(await page.textContent("#popover"), /^“big” matches “large”: synonym \(the synset large\.a \(big\)\)\. Chunk 1 of 1\.$/, name);
    };
    await note();
    await note();
    // Only without a network is it worth another try.
    assert.equal(n, name === "offline" ? 2 : 1, name);
    assert.deepEqual(seen.complaints.filter((line) => !/Failed to load|ERR_FAILED/.test(line)), [], name);
    assert.deepEqual(await page.evaluate(async () => (await (await caches.open("bolide")).keys()).filter(({ url }) => url.includes("gloss") && !url.endsWith(".js")).length), 0);
    await close();
  }
});

test("a gloss is text, whatever it contains", async () => {
  const text = readFileSync(join(DIST, "pkg", TABLE), "utf8")
    .replace("\nabove average in size or number or quantity", () => "\n<img src=x onerror=alert(1)> {synset} $& above average in size");
  const { page, seen, close } = await openPage(here.browser, here.server.address, { fragment: LINK });
  await page.context().route(`**/${TABLE}`, (route) => route.fulfill({ body: text }));
  await page.hover(big);
  await shows(page, "#popover", "(big): “<img src=x onerror=alert(1)> {synset} $& above average in size");
  assert.equal(await page.locator("#popover *, #detail *").count(), 0);
  assert.deepEqual(seen.complaints, []);
  await close();
});

test("meanings work offline once one was shown", async () => {
  const own = await startServer("--dir", DIST);
  const { page, close } = await openPage(here.browser, own.address, { fragment: LINK });
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.hover(big);
  await shows(page, "#popover", LARGE);
  for (const part of ["wordnet-3.0.dat", TABLE, "glosses.js"]) {
    await page.waitForFunction(async (name) => (await (await caches.open("bolide")).keys()).some(({ url }) => url.includes(name)), part);
  }
  own.stop();
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector("#score-body[data-shown]:not([data-provisional])");
  await page.hover(big);
  await shows(page, "#popover", LARGE);
  await close();
});
