// A report opened as a file in the browser, with what every test of it asks.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

export async function withReport(browser, file, options, body) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const [complaints, requests] = [[], []];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  try {
    await page.goto(pathToFileURL(file).href);
    await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, { timeout: 60_000 });
    await body(page);
    assert.deepEqual(complaints, [], "the console has complaints");
    assert.deepEqual(requests.filter((address) => !/^(file|data|blob):/.test(address)), [], "requests to elsewhere");
    assert.equal(await page.evaluate(() => window.hacked), undefined);
  } finally {
    await context.close();
  }
}

// How many segments the list shows.
export const total = async (page) => Number((await page.textContent("#how-many")).replace(/,/g, "").match(/^\d+/)[0]);
