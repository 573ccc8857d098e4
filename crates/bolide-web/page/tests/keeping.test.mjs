// Typed text is never lost, and the metric of a link is never silently replaced.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, site, visit } from "./setup.mjs";

const here = site();

const withPage = (options, body) => visit(here, options, body);

const score = (page, text) => page.waitForFunction((wanted) => document.querySelector(".score-value")?.textContent === wanted, text);
const hypothesis = (page) => page.inputValue("#hypothesis");
const address = (page, part) => page.waitForFunction((text) => decodeURIComponent(location.hash).includes(text), part);

test("what is typed while the page loads stays", async () => {
  for (const held of ["**/app.js", "**/*.wasm"]) {
    const context = await here.browser.newContext();
    const page = await context.newPage();
    let release;
    const released = new Promise((resolve) => { release = resolve; });
    await page.route(held, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(here.server.address, { waitUntil: "commit" });
    await page.waitForSelector("#hypothesis");
    await page.fill("#hypothesis", "on the mat sat the cat");
    release();
    await score(page, "0.9375");
    assert.equal(await hypothesis(page), "on the mat sat the cat", held);
    await context.close();
  }
});

test("files that are chosen while the page loads are scored", async () => {
  const context = await here.browser.newContext();
  const page = await context.newPage();
  let release;
  const released = new Promise((resolve) => { release = resolve; });
  await page.route("**/batch.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(here.server.address);
  await page.setInputFiles("#files", ["a.txt", "ref.txt"].map((name) => ({ name, mimeType: "text/plain", buffer: Buffer.from("a cat\nb\n") })));
  release();
  await page.waitForSelector(".histogram");
  await context.close();
});

test("the skip link leaves the address alone", () => withPage({ fragment: "#h=a+b&r=a+c&m=meteor%3Aclassic" }, async (page) => {
  await page.locator("#skip").focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "result");
  await page.reload();
  await page.waitForSelector(".score-value");
  assert.equal(await hypothesis(page), "a b");
  assert.match(page.url(), /h=a\+b/);
}));

test("a long text leaves no other text in the address, and a reload keeps it", () => withPage({ fragment: "#h=first+text&r=a+c&m=meteor%3Aclassic" }, async (page) => {
  const long = "word ".repeat(3000).trim();
  await page.fill("#hypothesis", long);
  await page.waitForFunction(() => !location.hash.includes("first"));
  assert.doesNotMatch(page.url(), /#./);
  await page.reload();
  await page.waitForSelector(".score-value");
  assert.equal(await hypothesis(page), long);
  assert.equal(await page.locator("#references textarea").first().inputValue(), "a c");
}));

test("a reload at once keeps what was just typed", () => withPage({}, async (page) => {
  await page.fill("#hypothesis", "typed a moment ago");
  await page.reload();
  await page.waitForSelector(".score-value");
  assert.equal(await hypothesis(page), "typed a moment ago");
}));

test("clear, swap, remove and examples can be undone", () => withPage({}, async (page) => {
  await page.fill("#hypothesis", "my own text");
  await address(page, "my+own+text");
  await page.click("#clear");
  assert.equal(await hypothesis(page), "");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector("#hypothesis").value === "my own text");
  // By the button of the message.
  await page.locator(".chip", { hasText: "Stems" }).click();
  await score(page, "0.6389");
  await page.click(".toast-action");
  await page.waitForFunction(() => document.querySelector("#hypothesis").value === "my own text");
  // By Back, and by Forward again.
  await page.click("#swap");
  assert.equal(await hypothesis(page), "the cat sat on the mat");
  await address(page, "h=the+cat+sat");
  await page.goBack();
  await page.waitForFunction(() => document.querySelector("#hypothesis").value === "my own text");
  await page.goForward();
  await page.waitForFunction(() => document.querySelector("#hypothesis").value === "the cat sat on the mat");
  await page.goBack();
  await page.waitForFunction(() => document.querySelector("#hypothesis").value === "my own text");
  await page.click("#add-reference");
  await page.locator("#references textarea").nth(1).fill("a second reference");
  await page.locator("#references .remove").nth(1).click();
  assert.equal(await page.locator("#references textarea").count(), 1);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelectorAll("#references textarea")[1]?.value === "a second reference");
}));

test("a later edit ends the offer to undo", () => withPage({}, async (page) => {
  await page.click("#clear");
  await page.locator("#hypothesis").pressSequentially("new");
  await page.keyboard.press("Control+z");
  assert.notEqual(await hypothesis(page), "the cat is on the mat");
}));

test("an unknown metric in a link is refused, not replaced", () => withPage({ fragment: "#h=a+b&r=a+c&m=meteor%3Anonsense" }, async (page) => {
  assert.match(await page.textContent("#score-body"), /nonsense/);
  assert.equal(await page.locator(".score-value").count(), 0);
  assert.equal(await page.inputValue("#dialect"), "meteor:nonsense");
  await page.selectOption("#dialect", "meteor:nltk");
  await page.waitForSelector(".score-value");
  assert.equal(await page.locator("#dialect .unknown").count(), 0);
}));

test("empty boxes say nothing about a score", () => withPage({}, async (page) => {
  await page.click("#clear");
  await page.waitForSelector("#score-body .invitation");
  assert.match(await page.textContent(".invitation"), /Type a hypothesis and a reference/);
  assert.equal(await page.locator(".score-value, .rating, .step, #parts .tile, .glance b").count(), 0);
  assert.equal(await page.textContent("#spoken"), "");
  await page.fill("#hypothesis", "a cat");
  await page.waitForFunction(() => /^Type a reference/.test(document.querySelector(".invitation")?.textContent));
}));

test("a score is dimmed from the keystroke until it is that of the text", () => withPage({}, async (page) => {
  const dimmed = await page.evaluate(() => {
    const box = document.querySelector("#hypothesis");
    box.value += " today";
    box.dispatchEvent(new Event("input", { bubbles: true }));
    return Number(getComputedStyle(document.querySelector("#score-body")).opacity);
  });
  assert.ok(dimmed < 1, `${dimmed}`);
  await page.waitForFunction(() => getComputedStyle(document.querySelector("#score-body")).opacity === "1");
  assert.match(await page.textContent(".change"), /▼ −0\.\d{4}/);
}));

test("the rating says how much matches, whatever the dialect", () => withPage({ fragment: "#h=the+cat+is+on+the+mat&r=the+cat+sat+on+the+mat&m=meteor%3A1.5-nopara" }, async (page) => {
  assert.equal(await page.textContent(".rating"), "Most words match");
  assert.match(await page.textContent(".strip-words"), /5 of 6 hypothesis words and 5 of 6 reference words match/);
}));

test("the step is part of the link", () => withPage({ fragment: "#h=the+cats+sat&r=the+cat+sat&m=meteor%3Aclassic&s=3" }, async (page) => {
  assert.match(await page.textContent("#player"), /3\/10 Stem.*1 pair/);
  assert.equal(await page.locator(".al-link.is-dim").count(), 2);
  for (const [name, check] of [["Synonym", /none here/], ["Chunks", /1 here/], ["Precision", /3 of 3/]]) {
    await page.click("[aria-label='Next step']");
    assert.match(await page.textContent("#player"), new RegExp(name));
    assert.match(await page.textContent("#player"), check);
  }
  assert.equal(await page.locator(".al-token.is-counted").count(), 3);
  assert.match(await page.textContent(".step.is-lit"), /Precision is/);
  await address(page, "s=6");
  await page.keyboard.press("ArrowLeft");
  assert.match(await page.textContent("#player"), /5\/10 Chunks/);
}));

test("the derivation as Markdown and as LaTeX", () => withPage({ permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
  const copied = async (id, what) => {
    await page.click(id);
    await page.waitForFunction((text) => document.querySelector("#toast").textContent === text, `${what} copied`);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await page.fill("#hypothesis", "the cat is on_the mat & 5% {x}");
  await page.waitForFunction(() => document.querySelector("#score-body").getAttribute("aria-busy") === "false" && document.querySelector("#hypothesis-count").textContent.startsWith("8"));
  await page.waitForTimeout(400);
  const value = await page.textContent(".score-value");
  const markdown = await copied("#copy-markdown", "Markdown");
  assert.ok(markdown.includes(`**${value}**`) && markdown.includes("on\\_the"), markdown);
  const latex = await copied("#copy-latex", "LaTeX");
  assert.ok(latex.includes(`= ${value}`) && latex.includes("on\\_the mat \\& 5\\% \\{x\\}"), latex);
}));

test("what another dialect does follows the text", () => withPage({ fragment: "#h=on+the+mat+sat+the+cat&r=the+cat+sat+on+the+mat&m=meteor%3Aclassic" }, async (page) => {
  await page.selectOption("#beside-dialect", "meteor:textbook");
  await page.waitForFunction(() => /instead of 3/.test(document.querySelector(".beside-text")?.textContent) && /meteor:textbook|Both/.test(document.querySelector(".beside-text").textContent));
  await page.selectOption("#beside-dialect", "meteor:nltk");
  await page.fill("#hypothesis", "the cat sat on the mat");
  await page.waitForFunction(() => document.querySelector(".beside-text")?.textContent === "Both pair the same words. The scores are the same.");
}));

test("a dialect that counts chunks in the hypothesis only says what it ignores", () => withPage({ fragment: "#h=on+the+mat+sat+the+cat&r=the+cat+sat+on+the+mat&m=meteor%3Atextbook" }, async (page) => {
  assert.match(await page.textContent(".badge"), /hypothesis only: the order of the words in the reference costs nothing/);
  assert.equal(await page.textContent(".rating"), "All words match, in another order");
}));

test("what cannot be seen is told: invisible characters, composition", () => withPage({}, async (page) => {
  const told = async (text) => {
    await page.fill("#hypothesis", text);
    return page.textContent("#hypothesis-limit");
  };
  assert.match(await told("the c\u200bat sat"), /1 invisible character in this text \(U\+200B\)/);
  await page.locator("#references textarea").first().fill("caf\u00e9");
  assert.match(await told("cafe\u0301"), /separate characters \(NFD\)/);
  // Spaces count words, where there are any.
  for (const [text, count] of [["猫在垫子上坐着", "7 characters"], ["猫 坐 在 垫子 上", "5 words · 10 characters"], ["the cat", "2 words · 7 characters"]]) {
    await page.fill("#hypothesis", text);
    assert.equal(await page.textContent("#hypothesis-count"), count);
  }
  for (const plain of ["the cat", "👩‍👩‍👧 family", "caf\u00e9", "猫 坐 在 垫子 上"]) assert.equal(await told(plain), "", plain);
}));

test("metrics without an alignment have steps of their own", () => withPage({ fragment: "#h=the+big+cat+is+on+the+mat&r=the+large+cat+sat+on+the+mat&m=bleu" }, async (page) => {
  await page.waitForSelector(".other-steps table");
  const cells = await page.$$eval(".other-steps tbody tr", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(cells.slice(0, 2), [["1 word", "5", "7", "71.43"], ["2 words", "2", "6", "33.33"]]);
  assert.match(await page.textContent(".other-steps"), /clipping.*smoothed/s);
  assert.equal(await page.locator("#alignment").isVisible(), false);
  await page.selectOption("#dialect", "ter:sacrebleu");
  await page.waitForFunction(() => /100·2 \/ 7.*28\.57/s.test(document.querySelector(".other-steps")?.textContent));
  await page.selectOption("#dialect", "chrf:sacrebleu");
  await page.waitForFunction(() => /Recall/.test(document.querySelector(".other-steps")?.textContent));
}));

test("the small view for other pages", async () => {
  const { page, close } = await openPage(here.browser, `${here.server.address}?embed=1`, { fragment: "#h=a+cat&r=the+cat&m=meteor%3Aclassic" });
  assert.equal(await page.locator("#alignment").isVisible(), true);
  assert.equal(await page.locator(".top, .examples, #which, #batch, .prose").filter({ visible: true }).count(), 0);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 720 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "nothing is wider than the frame");
  }
  await close();
});
