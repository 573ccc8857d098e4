// METEOR's own paraphrase table (62 MB, 5 million records), dropped on the page: `scripts/test-web paraphrases` gets it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openPage, program, site } from "../setup.mjs";

const here = site();
const PAIR = ["a lot of people were able to reach an agreement on the matter", "many people could agree on this issue"];
const FRAGMENT = `#${new URLSearchParams([["h", PAIR[0]], ["r", PAIR[1]], ["m", "meteor:1.5"]])}`;

// Megabytes of the largest process that shows a page.
function memory() {
  const sizes = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((id) => {
    try {
      if (!readFileSync(`/proc/${id}/cmdline`, "utf8").includes("--type=renderer")) return 0;
      return Number(readFileSync(`/proc/${id}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1]) / 1024;
    } catch {
      // It ended meanwhile.
      return 0;
    }
  });
  return Math.max(...sizes);
}

test("the whole table is compiled in the browser, scores as the command does, and survives a reload", { timeout: 900_000 }, async () => {
  const file = process.env.PARAPHRASES;
  assert.ok(file, "PARAPHRASES names the table");
  const env = { ...process.env, BOLIDE_DATA: mkdtempSync(join(tmpdir(), "bolide-large-")) };
  const command = (...args) => execFileSync(program(), args, { encoding: "utf8", env });
  command("data", "import", file);
  const expected = JSON.parse(command("explain", ...PAIR, "-m", "meteor:1.5", "--format", "json"));
  assert.ok(expected.pairs.some(({ stage }) => stage === "paraphrase"));

  const { page, seen, close } = await openPage(here.browser, here.server.address, { fragment: FRAGMENT, permissions: ["clipboard-read", "clipboard-write"] });
  const copied = async () => {
    await page.click("#copy-json");
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith("{"));
    return JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  };
  const check = async () => {
    const { explanation, signature } = await copied();
    for (const key of ["score", "precision", "recall", "pairs", "losses"]) assert.deepEqual(explanation[key], expected[key], key);
    assert.equal(signature, expected.signature);
    await page.evaluate(() => navigator.clipboard.writeText(""));
  };
  let peak = 0;
  const timer = setInterval(() => { peak = Math.max(peak, memory()); }, 100);
  try {
    // The browser drops a file that it opened itself, as from a folder.
    await page.evaluate(() => document.body.append(Object.assign(document.createElement("input"), { type: "file", id: "probe" })));
    await page.setInputFiles("#probe", file);
    const since = Date.now();
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(document.querySelector("#probe").files[0]);
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    });
    await page.waitForSelector("#score-body[data-shown]", { timeout: 600_000 });
    console.log(`compiled in ${Date.now() - since} ms; at most ${peak.toFixed(0)} MB`);
    await check();
    peak = 0;
    const again = Date.now();
    await page.reload();
    await page.waitForSelector("#score-body[data-shown]", { timeout: 120_000 });
    console.log(`after a reload: ${Date.now() - again} ms; at most ${peak.toFixed(0)} MB`);
    await check();
    assert.ok(seen.requests.every((address) => address.startsWith(here.server.address)), "the table is sent nowhere");
  } finally {
    clearInterval(timer);
    await close();
  }
});
