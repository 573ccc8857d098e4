// What makes the page an explanation: lessons, terms, the formula that lights its words, another dialect on the same
// reference, the steps of other metrics, and the user's own paraphrase table.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { EXAMPLES } from "../examples.js";
import { solution } from "../lesson.js";
import { SCREENSHOTS, bolide, openPage, program, site, visit } from "./setup.mjs";

const here = site();
mkdirSync(SCREENSHOTS, { recursive: true });

const withPage = (options, body) => visit(here, options, body);

const score = (page, text) => page.waitForFunction((wanted) => document.querySelector(".score-value")?.textContent === wanted, text);
const fragment = (hypothesis, reference, metric) => `#${new URLSearchParams([["h", hypothesis], ["r", reference], ["m", metric]])}`;

test("every lesson: its point, six lines of solution with the engine's numbers, a task that notices its solution", () => withPage({}, async (page) => {
  for (const example of EXAMPLES) {
    await page.locator("#examples .chip").filter({ hasText: example.name }).click();
    await score(page, example.score);
    await page.waitForSelector("#lesson .worked li", { state: "attached" });
    assert.ok((await page.textContent("#lesson")).includes(example.point), example.name);
    const lines = await page.$$eval("#lesson .worked li", (list) => list.map((line) => line.textContent));
    const command = JSON.parse(bolide("explain", example.hypothesis, ...example.references, "-m", example.metric, "--format", "json"));
    assert.deepEqual(lines, solution(command), example.name);
    assert.equal(lines.length, 6);
    assert.ok(lines[5].endsWith(`= ${example.score}`), lines[5]);
    assert.doesNotMatch(await page.textContent("#lesson"), /Solved/);
    await page.click("#lesson >> text=Show me");
    await score(page, example.solution.score);
    await page.waitForFunction((text) => document.querySelector("#lesson").textContent.includes(text), `✓ Solved: ${example.solution.score}.`);
  }
  // The learner's own solution counts too.
  await page.locator("#examples .chip").first().click();
  await score(page, "0.8067");
  await page.fill("#hypothesis", "the cat sat on the mat");
  await page.waitForFunction(() => document.querySelector("#lesson").textContent.includes("✓ Solved: 0.9977."));
  await page.click("#lesson .close");
  assert.equal(await page.locator("#lesson").isVisible(), false);
}));

test("a link to a word of another line goes straight from word to word", () => withPage({
  viewport: { width: 390, height: 844 },
  fragment: fragment("the committee said on tuesday that it would publish the final report of its inquiry", "on tuesday the committee announced that the final report on its inquiry will be published", "meteor:classic"),
}, async (page) => {
  const outside = await page.$$eval(".al-far", (links) => links.map((link) => {
    const path = link.getBoundingClientRect();
    const words = [...document.querySelectorAll(`.al-token[data-link="${link.dataset.link}"]`)].map((word) => word.getBoundingClientRect());
    return Math.max(Math.min(...words.map(({ top }) => top)) - path.top, path.bottom - Math.max(...words.map(({ bottom }) => bottom)));
  }));
  assert.ok(outside.length >= 3, `${outside.length} links between lines`);
  assert.ok(outside.every((excess) => excess <= 1), `a loop beyond its words: ${outside}`);
}));

test("pointing at a line of the formula lights its words, a click goes to its step", () => withPage({ viewport: { width: 1440, height: 1400 } }, async (page) => {
  const lit = () => page.locator(".al-token.is-counted").count();
  await page.hover(".steps .step >> nth=0");
  assert.equal(await lit(), 5);
  assert.equal(await page.locator('.al-token.is-counted[data-side="hypothesis"]').count(), 5);
  await page.hover(".steps .step >> nth=1");
  assert.equal(await page.locator('.al-token.is-counted[data-side="reference"]').count(), 5);
  await page.hover("#formula-title");
  assert.equal(await lit(), 0);
  await page.click(".steps .step >> nth=3");
  assert.match(await page.textContent("#player"), /Penalty Word order: 2 chunks for 5 matches/);
  assert.match(await page.textContent(".step.is-lit"), /The penalty is gamma/);
}));

test("terms have a dotted underline and explain themselves by pointer, keyboard and tap", async () => {
  await withPage({}, async (page) => {
    const term = page.locator('.term[data-term="chunk"]').first();
    assert.equal(await term.evaluate((element) => getComputedStyle(element).borderBottomStyle), "dotted");
    await term.hover();
    assert.match(await page.textContent("#popover"), /^Chunk: a run of matches/);
    await page.hover("#formula-title");
    assert.equal(await page.locator("#popover").isVisible(), false);
    await term.focus();
    assert.match(await page.textContent("#popover"), /^Chunk: /);
    assert.match(await page.textContent("#detail"), /^Chunk: /);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#popover").isVisible(), false);
    // Every term of the page is in the glossary.
    for (const each of await page.locator(".term").all()) {
      await each.focus();
      assert.ok((await page.textContent("#popover")).length > 40);
    }
  });
  const phone = await openPage(here.browser, here.server.address, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await phone.page.tap('.term[data-term="recall"]');
  const sheet = await phone.page.locator("#popover").boundingBox();
  assert.deepEqual([sheet.x, Math.round(sheet.width), Math.round(sheet.y + sheet.height)], [0, 390, 844]);
  await phone.close();
});

test("what NLTK does: both alignments on one reference, the differing links marked, and why", () => withPage({ fragment: fragment("on the mat sat the cat", "the cat sat on the mat", "meteor:classic") }, async (page) => {
  await page.click("#beside-rival");
  await page.waitForSelector("#beside-body .al-overlay");
  assert.equal(await page.inputValue("#beside-dialect"), "meteor:nltk");
  assert.match(await page.textContent(".beside-text"), /^meteor:nltk pairs 2 words differently \(marked\)\. That makes 6 chunks instead of 3\. Its score is 0\.5000: 0\.4375 less\. Why: .* not the one with the fewest chunks\.$/);
  // One reference between two hypotheses; two links of each differ.
  assert.equal(await page.locator("#beside-body .al-reference .al-token").count(), 6);
  assert.equal(await page.locator("#beside-body .al-hypothesis .al-token").count(), 12);
  for (const of of ["a", "b"]) assert.equal(await page.locator(`#beside-body .al-other[data-of="${of}"]`).count(), 2);
  await page.hover('#beside-body .al-token[data-of="r"][data-at="0"]');
  assert.match(await page.textContent("#popover"), /meteor:classic: .*meteor:nltk: /);
  await page.locator("#beside").screenshot({ path: join(SCREENSHOTS, "what-nltk-does.png") });
  // Another tokenizer: the alignments are drawn apart.
  await page.fill("#hypothesis", "The cat sat on the mat.");
  await page.waitForFunction(() => /splits the texts into other words/.test(document.querySelector(".beside-text")?.textContent));
  assert.equal(await page.locator("#beside-body .al-overlay").count(), 0);
}));

test("a note says the share of the loss and what the word alone would bring", () => withPage({}, async (page) => {
  await page.hover('.al-token[data-side="reference"][data-at="2"]');
  assert.equal(await page.textContent("#popover"), "“sat” of the reference is missing from the hypothesis. Missing words have a share of 0.1500 in the loss. Alone, a reference without it would bring 0.1424.");
}));

test("a saved picture has the score and the signature", () => withPage({}, async (page) => {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-svg")]);
  const svg = readFileSync(await file.path(), "utf8");
  const rows = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
  const signature = await page.textContent("#signature");
  assert.ok(rows.includes("0.8067"));
  assert.ok(rows.join("").endsWith(signature), rows.join("|"));
  // The rows are inside the picture.
  const [, , height] = svg.match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/);
  assert.ok([...svg.matchAll(/<text[^>]* y="([\d.]+)"/g)].every(([, y]) => Number(y) < Number(height)));
}));

test("characters that nobody sees are shown by their code", () => withPage({ fragment: fragment("the c\u200bat", "the cat", "meteor:classic") }, async (page) => {
  const words = await page.$$eval(".al-word", (list) => list.map((word) => word.textContent));
  assert.ok(words.includes("c⟨200B⟩at"), words.join(" "));
  assert.equal(await page.inputValue("#hypothesis"), "the c\u200bat");
}));

test("on a laptop, both texts are drawn on the first screen, also with two references", async () => {
  for (const more of ["", "&r=The+doctor+examined+the+kids+quickly."]) {
    await withPage({ viewport: { width: 1440, height: 900 }, fragment: `#h=The+physician+examined+the+children+quickly.&r=The+doctor+rapidly+examined+the+children.${more}&m=meteor%3Aclassic` }, async (page) => {
      const bottoms = await page.$$eval(".al-token", (tokens) => tokens.map((token) => token.getBoundingClientRect().bottom));
      assert.ok(bottoms.length >= 12 && Math.max(...bottoms) <= 900, `${Math.max(...bottoms)} px`);
    });
  }
});

test("on a phone, the picture begins on the first screen, under a bar with the score", async () => {
  const { page, close } = await openPage(here.browser, here.server.address, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  // In one step: the picture is drawn again when WordNet arrives, and an element that was just replaced has no box.
  const bottoms = await page.$$eval('.al-token[data-side="reference"]', (tokens) => tokens.map((token) => token.getBoundingClientRect().bottom));
  assert.ok(bottoms.length === 6 && Math.max(...bottoms) < 844, `the reference ends at ${Math.max(...bottoms)} px`);
  await page.evaluate(() => scrollTo(0, 1500));
  const bar = await page.locator("#glance").boundingBox();
  assert.deepEqual([bar.y, await page.textContent("#glance b")], [0, "0.8067"]);
  assert.equal(await page.locator("#glance .piece").count(), 4);
  await close();
});

test("on a phone, the note of a word does not cover the word", async () => {
  const { page, close } = await openPage(here.browser, here.server.address, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await page.tap('.al-token[data-side="reference"][data-at="2"]');
  await page.waitForSelector("#popover:not([hidden])");
  const [word, note] = await page.evaluate(() => [document.querySelector('.al-token[data-side="reference"][data-at="2"]').getBoundingClientRect().bottom, document.querySelector("#popover").getBoundingClientRect().top]);
  assert.ok(word <= note, `the word ends at ${word}, its note begins at ${note}`);
  await close();
});

test("a line of the picture with words of one text only is one row", () => withPage({
  viewport: { width: 1440, height: 900 },
  fragment: fragment(`${"one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty "}and the rest of the text is much longer than the part that was moved to the end of the other text so that it keeps its place`,
    "and the rest of the text is much longer than the part that was moved to the end of the other text so that it keeps its place one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty", "meteor:classic"),
}, async (page) => {
  const [rows, captions] = await page.$eval(".al-rows", (svg) => [
    [...svg.querySelectorAll(".al-token")].map((token) => ({ side: token.dataset.side, at: token.dataset.at, x: token.getBBox().x, y: token.getBBox().y })),
    [...svg.querySelectorAll(".al-caption")].map((text) => ({ text: text.textContent, x: text.getBBox().x, y: text.getBBox().y + text.getBBox().height })),
  ]);
  const first = Math.min(...rows.map(({ y }) => y));
  assert.deepEqual([...new Set(rows.filter(({ y }) => y === first).map(({ side }) => side))], ["hypothesis"], "the first row has no partner");
  assert.ok(first < 40, `the picture begins with a row, not with space: ${first}`);
  for (const { text, x, y } of captions) {
    const word = rows.find(({ side, at }) => side === text.toLowerCase() && at === "0");
    assert.ok(y <= word.y && word.y - y < 30 && Math.abs(x - word.x) < 4, `${text} stands above its first word: ${[x, y]}, ${[word.x, word.y]}`);
  }
}));

test("points that a partial match loses are not called lost to missing words", async () => {
  for (const metric of ["meteor:2026", "meteor:1.5-nopara"]) {
    let text = "";
    await withPage({ fragment: fragment("The colour of the cats was grey", "the color of the cat was gray", metric) }, async (page) => { text = await page.textContent("#score-body"); });
    assert.match(text, /7 of 7 reference words match/);
    assert.match(text, /lost to missing or partly matched words/);
    assert.doesNotMatch(text, /lost to missing words/);
  }
  await withPage({ fragment: fragment("The colour of the cats was grey", "the color of the cat was gray", "meteor:classic") }, async (page) => {
    assert.doesNotMatch(await page.textContent("#score-body"), /partly/);
  });
});

test("meteor:2026 shows credit over weight, which is its definition, and its chunks", async () => {
  const lines = (page) => page.$$eval(".steps .step", (list) => list.slice(0, 2).map((step) => step.textContent));
  const chunks = async (page) => {
    await page.waitForFunction(() => document.querySelector("#compare").dataset.turn && !document.querySelector("#compare .is-old"), null, { timeout: 60_000 });
    return page.locator("#compare tr", { has: page.getByText("meteor:2026", { exact: true }) }).locator("td").nth(4).textContent();
  };
  // A case, a near word and a synonym earn a part of their weight.
  await withPage({ fragment: fragment("Gentle rain drops from the sky", "Rain falls gently from the sky", "meteor:2026") }, async (page) => {
    const [precision, recall] = await lines(page);
    assert.match(precision, /\(13 exact \+ 0\.5·5 case \+ 0\.7·6 synonym \+ 0\.5·7 near\) \/ 31\b.*0\.7484/);
    assert.match(precision, /Precision, with weighted words, is 0\.7484/);
    assert.match(recall, /Recall, with weighted words, is 0\.7484/);
    assert.match(await page.textContent("#formula"), /as it has characters, plus one; punctuation 0\.1 of that/);
    assert.equal(await chunks(page), "3");
  });
  // Words that all match are weighed too, not counted; punctuation weighs a tenth.
  await withPage({ fragment: fragment("the cat sat on the mat.", "the cat sat on the mat.", "meteor:2026") }, async (page) => {
    for (const line of await lines(page)) assert.match(line, /23\.2 exact \/ 23\.2/);
    assert.equal(await chunks(page), "1");
  });
  await withPage({ fragment: fragment("cat", "dog", "meteor:2026|punct:0.2") }, async (page) => {
    for (const line of await lines(page)) assert.match(line, /0 \/ 4/);
    assert.match(await page.textContent("#formula"), /punctuation 0\.2 of that/);
    assert.equal(await chunks(page), "0");
  });
  // METEOR 1.5 has weights of its own; other dialects count.
  await withPage({ fragment: fragment("the cat sat", "the cat sat", "meteor:1.5-nopara") }, async (page) => {
    assert.match(await page.textContent("#formula"), /content words weigh 0\.\d+, function words 0\.\d+/);
  });
});

test("the range of a score is that of its metric", async () => {
  for (const [metric, text] of [["cider", "From 0 to 10."], ["nist:nltk", "From 0 upwards, without a limit."], ["rouge1", "From 0 to 1."], ["chrf", "Out of 100."]]) {
    await withPage({ fragment: fragment("the cat is on the mat", "the cat sat on the mat", metric) }, async (page) => {
      assert.equal(await page.textContent(".rating"), text, metric);
    });
  }
});

test("without a score there are no empty cards, and the settings are those in effect", async () => {
  const isSeen = (page, part) => page.locator(part).isVisible();
  await withPage({ fragment: fragment("the cats sat", "the cat sat", "meteor:1.5") }, async (page) => {
    await page.waitForSelector(".is-whole");
    for (const part of ["#alignment", "#formula-title", ".whatif", "#signature"]) assert.equal(await isSeen(page, part), false, part);
    await page.selectOption("#dialect", "meteor:classic");
    await page.waitForSelector("#score-body[data-shown]");
    for (const part of ["#alignment", "#formula-title", ".whatif", "#signature"]) assert.equal(await isSeen(page, part), true, part);
  });
  await withPage({ fragment: fragment("", "the cat sat", "meteor:classic") }, async (page) => {
    await page.waitForFunction(() => document.querySelector("#key-alpha")?.value === "0.9" && document.querySelector("#matching input:checked")?.value === "exact+stem+synonym");
    assert.equal(await isSeen(page, ".whatif"), false);
    await page.selectOption("#dialect", "meteor:textbook");
    await page.selectOption("#dialect", "meteor:nltk");
    await page.waitForFunction(() => document.querySelector('.slider input[type="number"]')?.value === "0.9");
  });
});

test("n-grams, edits and common words are the command's", async () => {
  const [hypothesis, reference] = ["the the big cat is on the mat", "on the mat the large cat sat today"];
  const shown = (metric) => JSON.parse(bolide("explain", hypothesis, reference, "-m", metric, "--format", "json"));
  await withPage({ fragment: fragment(hypothesis, reference, "bleu:sacrebleu") }, async (page) => {
    await page.waitForSelector(".gram");
    const { orders, steps } = shown("bleu:sacrebleu");
    const rows = await page.$$eval(".other-steps tbody tr", (list) => list.map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.deepEqual(rows.map(([, matches, total]) => [matches, total]), orders.map(({ matches, hypothesis: total }) => [String(matches), String(total)]));
    // "the" is clipped: three in the hypothesis, two count.
    assert.match(await page.locator(".gram.clipped").first().textContent(), /^the 2\/3/);
    assert.deepEqual(await page.$$eval(".gram bdi", (list) => list.map((gram) => gram.textContent.replaceAll("\u00a0", " "))), orders.flatMap(({ ngrams }) => ngrams.map(({ text }) => text)));
    assert.ok((await page.textContent(".engine-steps")).includes(steps.at(-1).formula));
    await page.screenshot({ path: join(SCREENSHOTS, "bleu-steps.png"), fullPage: true });
    await page.selectOption("#dialect", "ter:sacrebleu");
    await page.waitForSelector(".edits");
    const { edits, words } = shown("ter:sacrebleu");
    const path = await page.$$eval(".edit", (list) => list.map((edit) => `${edit.className.replace("edit ", "")} ${edit.querySelector("del, span:not(.edit-kind)")?.textContent ?? ""} ${edit.querySelector("ins")?.textContent ?? ""}`));
    assert.deepEqual(path, edits.path.map(({ kind, hypothesis: ours, reference: theirs }) => (
      `${kind} ${ours === null ? "" : words.hypothesis[ours]} ${kind === "keep" || theirs === null ? "" : words.references[0][theirs]}`)));
    assert.equal(await page.locator(".moves li").count(), edits.shifts.length);
    assert.ok(edits.shifts.length > 0, "the pair has a moved block");
    await page.screenshot({ path: join(SCREENSHOTS, "ter-steps.png"), fullPage: true });
    await page.selectOption("#dialect", "rougeL:google");
    await page.waitForFunction(() => document.querySelectorAll(".gram.found").length > 0 && !document.querySelector(".edits"));
    assert.equal(await page.locator(".gram.found").count(), shown("rougeL:google").subsequence.length);
    await page.selectOption("#dialect", "chrf:sacrebleu");
    await page.waitForFunction(() => document.querySelectorAll(".other-steps tbody tr").length === 6);
  });
  // METEOR 1.5 shows its weights by stage and kind of word.
  await withPage({ fragment: fragment("the cats is on the mat", "the cat sat on the mat", "meteor:1.5-nopara") }, async (page) => {
    const command = JSON.parse(bolide("explain", "the cats is on the mat", "the cat sat on the mat", "-m", "meteor:1.5-nopara", "--format", "json"));
    const text = await page.textContent("#formula");
    for (const { formula } of command.steps.slice(0, 3)) assert.ok(text.includes(formula), formula);
    assert.ok(/0\.6·1 stem/.test(text), text);
  });
});

test("percentages have two decimals and counts none; the table of dialects fetches WordNet when somebody looks at it", () => withPage({
  fragment: fragment("the cat is on the mat today", "the cat sat on the mat", "bleu:sacrebleu"),
}, async (page, seen) => {
  await page.waitForSelector(".other-steps table");
  const cells = await page.$$eval(".other-steps tbody tr", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent).join(" ")));
  assert.deepEqual(cells, ["1 word 5 7 71.43", "2 words 3 6 50.00", "3 words 1 5 20.00", "4 words 0 4 12.50"]);
  assert.match(await page.textContent(".engine-steps li:last-child"), /= 30\.74$/);
  await page.waitForFunction(() => document.querySelector("#compare").dataset.turn);
  const row = page.locator("#compare tr", { has: page.getByText("meteor:classic", { exact: true }) });
  assert.match(await row.textContent(), /needs the WordNet table/);
  assert.ok(!seen.requests.some((address) => address.includes("wordnet")));
  await page.locator("#which").scrollIntoViewIfNeeded();
  await page.waitForFunction(() => !/needs the WordNet table/.test(document.querySelector("#compare").textContent));
  const { score } = JSON.parse(bolide("explain", "the cat is on the mat today", "the cat sat on the mat", "-m", "meteor:classic", "--format", "json"));
  assert.ok((await row.textContent()).includes(score.toFixed(4)));
}));

test("every dialect has steps, and no card is empty", () => withPage({ fragment: fragment("the cat is on the mat", "the cat sat on the mat", "meteor:classic") }, async (page) => {
  const names = await page.$$eval("#dialect option", (list) => list.map((option) => option.value));
  assert.ok(names.length > 20);
  for (const name of names.filter((each) => each !== "meteor:1.5")) {
    const before = await page.getAttribute("#score-body", "data-shown");
    if (await page.inputValue("#dialect") === name) continue;
    await page.selectOption("#dialect", name);
    await page.waitForFunction((old) => document.querySelector("#score-body").dataset.shown !== old, before);
    assert.ok(await page.locator("#formula .step, #formula .data tbody tr, #formula .edit, #formula .gram").count() > 0, name);
    assert.doesNotMatch(await page.textContent("#formula"), /undefined|NaN|null/, name);
  }
}));

// A small paraphrase table in METEOR's format.
const RECORDS = [["0.5", "a lot of", "many"], ["0.25", "many", "a lot of"], ["0.4", "in spite of", "despite"], ["0.1", "is able to", "can"], ["0.1", "can", "is able to"]];
const FILE = { name: "paraphrase-en.gz", mimeType: "application/gzip", buffer: gzipSync(`${RECORDS.flat().join("\n")}\n`) };

test("meteor:1.5 takes the user's own table, scores as the command does, and keeps it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bolide-paraphrases-"));
  const file = join(folder, FILE.name);
  writeFileSync(file, FILE.buffer);
  const env = { ...process.env, BOLIDE_DATA: folder };
  const command = (...args) => execFileSync(program(), args, { encoding: "utf8", env });
  command("data", "import", file);
  const pairs = [["many cats can swim", "a lot of cats is able to swim"], ["despite the rain many came", "in spite of the rain a lot of people came"], ["no paraphrase here", "none at all"]];
  const expected = pairs.map((pair) => JSON.parse(command("explain", ...pair, "-m", "meteor:1.5", "--format", "json")));
  assert.ok(expected[0].pairs.some(({ stage }) => stage === "paraphrase"));
  const { page, seen, close } = await openPage(here.browser, here.server.address, { fragment: fragment(...pairs[0], "meteor:1.5"), permissions: ["clipboard-read", "clipboard-write"] });
  assert.match(await page.textContent("#score-body"), /needs the paraphrase table of METEOR 1\.5.*Drop paraphrase-en\.gz/s);
  assert.doesNotMatch(await page.textContent("#score-body"), /bolide data import/);
  // On a phone, the request is on the first screen, and no empty picture stands before it.
  await page.setViewportSize({ width: 390, height: 844 });
  const request = await page.locator(".table-request").boundingBox();
  assert.ok(request.y + request.height < 844, `the request ends at ${request.y + request.height}`);
  assert.equal(await page.locator("#alignment").isVisible(), false);
  await page.setViewportSize({ width: 1280, height: 900 });
  // A file that is none is refused with the reason.
  await page.setInputFiles("#paraphrase-file", { ...FILE, buffer: gzipSync("not a number\nx\ny\n") });
  await page.waitForFunction(() => /cannot be used: line 1 is no number/.test(document.querySelector("#toast").textContent));
  const data = await page.evaluateHandle((bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], "paraphrase-en.gz"));
    return transfer;
  }, [...FILE.buffer]);
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
  await page.waitForSelector(".score-value");
  assert.match(await page.textContent("#toast"), /5 paraphrases read and kept in this browser/);
  const copied = async () => {
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await page.click("#copy-json");
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith("{"));
    return JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  };
  for (const [at, [hypothesis, reference]] of pairs.entries()) {
    await page.fill("#hypothesis", hypothesis);
    await page.locator("#references textarea").first().fill(reference);
    await score(page, expected[at].score.toFixed(4));
    await page.waitForFunction(([wanted]) => document.querySelector("#score-body").getAttribute("aria-busy") === "false" && document.querySelector("#hypothesis").value === wanted, [hypothesis]);
    await page.waitForTimeout(400);
    const { explanation, signature } = await copied();
    // The whole explanation is the command's, bit for bit.
    for (const key of ["score", "precision", "recall", "fmean", "penalty", "chunks", "pairs", "losses"]) assert.deepEqual(explanation[key], expected[at][key], `${hypothesis}: ${key}`);
    assert.equal(signature, expected[at].signature);
  }
  assert.ok(await page.locator("#compare tr", { hasText: /meteor:1\.5(?!-)/ }).first().textContent());
  await page.waitForFunction(() => !/needs the paraphrase/.test(document.querySelector("#compare").textContent));
  // It is still there after a reload, and nothing was sent.
  await page.reload();
  await page.waitForSelector(".score-value");
  assert.equal(await page.textContent(".score-value"), expected[2].score.toFixed(4));
  assert.ok(seen.requests.every((address) => address.startsWith(here.server.address) || address.startsWith("blob:")));
  assert.deepEqual(seen.complaints, []);
  await close();
});
