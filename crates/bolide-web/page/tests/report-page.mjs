// A report of generated pairs, opened as a file in the browser, and helpers for its tests.

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pairs, random } from "./pairs.mjs";
import { bolide } from "./setup.mjs";

export const HOSTILE = "<script>window.hacked=1</script> </script><img src=x onerror=window.hacked=1> \"quoted\" 'single' & 🙂👩‍👩‍👧 مرحبا بالعالم שלום \u202eevil";

// A corpus of generated pairs with three systems, human scores, labels and a source.
export function corpus(n, seed = 5) {
  const folder = mkdtempSync(join(tmpdir(), "bolide-report-"));
  const next = random(seed);
  const made = [{ hypothesis: HOSTILE, reference: HOSTILE }, ...pairs(n + 2, seed).slice(3)];
  const lines = (name, line) => {
    writeFileSync(join(folder, name), made.map((pair, at) => `${String(line(pair, at)).replace(/[\n\r]/g, " ")}\n`).join(""));
    return join(folder, name);
  };
  const worse = (text) => text.split(" ").filter(() => next(4) > 0).join(" ");
  return {
    folder,
    n: made.length,
    reference: lines("reference.txt", ({ reference }) => reference),
    second: lines("second.txt", ({ reference }) => `${reference} again`),
    systems: [lines("first.txt", ({ hypothesis }) => hypothesis), lines("second-system.txt", ({ hypothesis }) => worse(hypothesis)), lines("third.txt", ({ reference }) => reference)],
    human: ["first.human", "second.human", "third.human"].map((name) => lines(name, (_, at) => (at % 3 === 0 ? "" : next(100) / 10))),
    source: lines("source.txt", (_, at) => (at === 0 ? HOSTILE : `Quelle ${at + 1}`)),
    kinds: lines("kind.txt", (_, at) => ["news", "talk", "<b>web</b>"][at % 3]),
  };
}

export function writeReport(made, ...more) {
  const file = join(made.folder, "report.html");
  bolide("report", "-q", "-r", made.reference, "-i", ...made.systems, "-n", "100", "-o", file, ...more);
  return file;
}

export const full = (made) => writeReport(made, "-m", "meteor", "bleu", "ter", "--source", made.source, "--human", ...made.human, "--bucket", made.kinds, "--title", `Made pairs ${HOSTILE}`);

let made = null;

// A page with the full report; the caller closes it.
export async function reportPage(browser, options = {}) {
  made ??= full(corpus(60));
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  await page.goto(pathToFileURL(made).href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, { timeout: 60_000 });
  return { page, close: () => context.close() };
}

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
