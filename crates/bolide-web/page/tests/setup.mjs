// What every test file needs: paths, the program, the engine in node, the browser.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
export const DIST = process.env.DIST ?? join(ROOT, "target/web-dist");
// The dictionaries of words.
export const WORDS = "words-icu4x-2.4.0.dat";
export const SCREENSHOTS = join(ROOT, "target/screenshots");
const TOOLS = process.env.BOLIDE_TOOLS ?? join(ROOT, "target/tools");
export const toolsFolder = () => TOOLS;
const PROGRAM = process.env.BOLIDE ?? join(ROOT, "target/release/bolide");
export const program = () => PROGRAM;

// The page has no tables of the user, so the program must not find any either.
const env = { ...process.env, BOLIDE_DATA: mkdtempSync(join(tmpdir(), "bolide-data-")) };

// The standard output of the bolide command.
export function bolide(...args) {
  return execFileSync(PROGRAM, args, { encoding: "utf8", maxBuffer: 1 << 30, env });
}

// The engine of a built module (a folder with bolide_wasm.js), in this process, with WordNet.
export async function loadEngine(folder, name = "bolide_wasm") {
  const module = await import(pathToFileURL(join(folder, `${name}.js`)));
  module.initSync({ module: readFileSync(join(folder, `${name}_bg.wasm`)) });
  const engine = new module.Engine();
  engine.loadLexicon(readFileSync(join(ROOT, "crates/bolide-data/data/wordnet-3.0.dat")));
  return engine;
}

// The engine of the larger module, with the synonyms of all languages and the dictionaries of words.
export async function loadLargeEngine(folder) {
  const engine = await loadEngine(folder, "bolide_wasm_languages");
  const tables = join(ROOT, "crates/bolide-synonyms/data");
  for (const name of readdirSync(tables).filter((file) => file.endsWith(".dat"))) engine.loadSynonyms(readFileSync(join(tables, name)));
  engine.loadWords(readFileSync(join(DIST, "pkg", WORDS)));
  return engine;
}

// `bolide serve` on a free port: { address, stop }.
export async function startServer(...args) {
  const server = spawn(PROGRAM, ["serve", "--port", "0", "--quiet", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).once("line", (text) => resolve([text]));
    server.once("exit", (code) => reject(new Error(`bolide serve ended with ${code}`)));
  });
  return { address: line, stop: () => server.kill() };
}

export async function startBrowser(executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium") {
  const { chromium } = createRequire(join(TOOLS, "npm/"))("playwright-core");
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });
}

// A server of the built page and a browser, from before the first test of a file until after its last.
export function site() {
  const site = {};
  before(async () => {
    site.server = await startServer("--dir", DIST);
    site.browser = await startBrowser();
  });
  after(async () => {
    await site.browser?.close();
    site.server?.stop();
  });
  return site;
}

// Opens a page of a site for `body`, and fails if the browser complains.
export async function visit({ browser, server }, options, body) {
  const { page, seen, close } = await openPage(browser, server.address, options);
  try {
    await body(page, seen);
    if (seen.complaints.length > 0) throw new Error(`the console has complaints: ${seen.complaints.join("\n")}`);
  } finally {
    await close();
  }
}

// A page, with its requests and its error messages.
export async function openPage(browser, address, { fragment = "", ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const seen = { requests: [], complaints: [] };
  page.on("request", (request) => seen.requests.push(request.url()));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.complaints.push(message.text());
  });
  page.on("pageerror", (error) => seen.complaints.push(error.message));
  page.on("requestfailed", (request) => {
    // If a page is left while it loads, its requests are cancelled.
    const reason = request.failure()?.errorText;
    if (reason !== "net::ERR_ABORTED") seen.complaints.push(`${reason}: ${request.url()}`);
  });
  await page.goto(`${address}${fragment}`);
  await page.waitForSelector("#score-body[data-shown]:not([data-provisional]), #score-body .notice, #score-body .invitation", { timeout: 30_000 })
    .catch((problem) => { throw new Error(`${problem.message}\n${seen.complaints.join("\n")}`); });
  // What is below the first screen comes after the score.
  await page.waitForSelector(".is-whole");
  return { page, seen, close: () => context.close() };
}
