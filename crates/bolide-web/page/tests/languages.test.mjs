// Languages beside English: the module that is loaded when a text needs it, its numbers, the choice of a language, and hints.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { compare } from "./beside.mjs";
import { random } from "./pairs.mjs";
import { DIST, ROOT, WORDS, bolide, loadLargeEngine, openPage, site, startServer, visit } from "./setup.mjs";

const here = site();
const withPage = (options, body) => visit(here, options, body);
const fragment = (hypothesis, reference, metric) => `#${new URLSearchParams([["h", hypothesis], ["r", reference], ["m", metric]])}`;
const listed = JSON.parse(bolide("languages", "--format", "json")).languages;

const TEXTS = {
  de: "die Katzen saßen auf den kleinen Matten und schliefen während der Hund über die Straße lief weil er Hunger hatte",
  sv: "katterna satt på de små mattorna och sov medan hunden sprang över gatan eftersom den var hungrig vacker fin",
  ru: "кошки сидели на маленьких ковриках и спали пока собака бежала через улицу потому что она была голодна",
  zh: "我喜欢猫 我爱猫 猫坐在垫子上 狗跑过马路因为它饿了 今天天气很好",
  ja: "私は猫が好きです 猫はマットの上に座っている 犬は道を走った 今日は天気がいい",
  th: "ฉันชอบแมว แมวนั่งอยู่บนเสื่อ หมาวิ่งข้ามถนนเพราะมันหิว วันนี้อากาศดี",
  lo: "ຂ້ອຍມັກແມວຫຼາຍ ຂ້ອຍຮັກແມວ ແມວນັ່ງຢູ່ເທິງເສື່ອ ພາສາລາວ ມື້ນີ້ອາກາດດີ",
  km: "ខ្ញុំចូលចិត្តឆ្មា ខ្ញុំស្រឡាញ់ឆ្មា ភាសាខ្មែរជាភាសា ថ្ងៃនេះអាកាសធាតុល្អ",
  my: "ကျွန်တော်ကြောင်ကြိုက်တယ် ကျွန်တော်ကြောင်ကိုချစ်တယ် မြန်မာဘာသာစကား ဒီနေ့ရာသီဥတုကောင်းတယ်",
};
const METRICS = [
  "meteor|language:de", "meteor|language:de|match:exact", "meteor:2026|language:de", "meteor|language:sv", "meteor|language:ru",
  "meteor|language:zh", "meteor:2026|language:zh", "meteor|language:ja", "meteor|language:ja|match:exact+synonym", "meteor|language:th|tok:unspaced",
  "meteor|language:th", "meteor|language:lo", "meteor|language:km", "meteor|language:my", "meteor|language:zh|tok:words", "meteor|language:ja|tok:words",
  "meteor|language:ja|tok:words|match:exact",
];

// Texts from the pieces of a language, in another order and with other pieces.
function textsOf(language, seed) {
  const next = random(seed);
  const pieces = TEXTS[language].split(" ");
  return Array.from({ length: 60 }, () => Array.from({ length: 1 + next(9) }, () => pieces[next(pieces.length)]).join(" "));
}

test("the larger module gives the program's bits in other languages, fresh and committed", async () => {
  let numbers = 0;
  for (const folder of [join(DIST, "pkg"), join(ROOT, "crates/bolide-web/page/pkg")]) {
    const engine = await loadLargeEngine(folder);
    for (const metric of METRICS) {
      const [, language] = metric.match(/language:(\w\w)/);
      numbers += compare(engine, metric, textsOf(language, 1), [textsOf(language, 2)]);
    }
    assert.equal(engine.signature("meteor|language:th").match(/tok:([^|]*)/)[1], "icu4x-2.4.0");
    assert.deepEqual(engine.languages(), listed.map(({ tables, ...language }) => language));
  }
  assert.ok(numbers > 5000, `${numbers} numbers`);
});

// Checks that a page shows the command's number and signature, and returns what the command explains.
async function agrees(page, metric, hypothesis, reference) {
  const explained = JSON.parse(bolide("explain", hypothesis, reference, "-m", metric, "--format", "json"));
  assert.equal(await page.textContent(".score-value"), explained.score.toFixed(4), metric);
  assert.equal(await page.textContent("#signature"), explained.signature);
  return explained;
}

test("a link with a language loads the larger module and shows the command's number", async () => {
  for (const [metric, hypothesis, reference] of [
    ["meteor:classic|language:de", "die Katze saß auf den Matten", "die Katzen sitzen auf der Matte"],
    ["meteor:classic|language:zh", "我喜欢猫", "我爱猫"],
    ["meteor:classic|language:ja", "私は猫が好きです", "猫が好きだ"],
    ["meteor:classic|language:sv", "en vacker katt", "en fin katt"],
    ["meteor:classic|language:th|tok:unspaced", "ฉันชอบแมว", "ฉันรักแมว"],
  ]) {
    await withPage({ fragment: fragment(hypothesis, reference, metric) }, async (page, seen) => {
      await agrees(page, metric, hypothesis, reference);
      assert.ok(seen.requests.some((address) => address.endsWith("bolide_wasm_languages_bg.wasm")));
      assert.equal(seen.requests.some((address) => address.includes("synonyms-")), metric.endsWith("sv"), metric);
      await page.waitForFunction((code) => document.querySelector("#key-language")?.value === code, metric.match(/language:(\w\w)/)[1]);
    });
  }
});

test("the languages are the engine's, and come when they are asked for", () => withPage({}, async (page, seen) => {
  const asked = () => seen.requests.filter((address) => address.includes("languages")).length;
  assert.equal(asked(), 0);
  assert.deepEqual(await page.$$eval("#key-language option", (options) => options.map((option) => option.textContent)), ["English", "Other languages…"]);
  await page.selectOption("#key-language", "");
  await page.waitForFunction(() => document.querySelectorAll("#key-language option").length > 20);
  assert.ok(asked() > 0);
  const codes = await page.$$eval("#key-language option", (options) => options.map(({ value }) => value));
  assert.deepEqual(codes.toSorted(), listed.map(({ code }) => code).toSorted());
  assert.equal(await page.inputValue("#key-language"), "en");
  assert.equal(await page.evaluate(() => document.activeElement.id), "key-language");
  await page.selectOption("#key-language", "de");
  await page.waitForFunction(() => document.querySelector("#signature").textContent.includes("language:de"));
  assert.match(await page.textContent("#key-language-about"), /^tokens: intl; stems: snowball-3\.0$/);
  assert.equal(await page.isChecked('#matching [value="exact+stem"]'), true);
  assert.equal(await page.inputValue("#key-stemmer"), "snowball-3.0");
  await page.selectOption("#key-language", "en");
  await page.waitForFunction(() => !document.querySelector("#signature").textContent.includes("language:"));
}));

test("a text that does not fit its language is told, with a way out", () => withPage({ fragment: fragment("我喜欢猫和狗", "我爱猫和狗", "meteor:classic") }, async (page) => {
  await page.waitForSelector("#text-hint .advice");
  assert.match(await page.textContent("#text-hint .advice"), /^The text has no spaces between words, and meteor:classic splits at spaces/);
  assert.equal(await page.textContent(".score-value"), "0.0000");
  await page.click('#text-hint button:text("meteor:classic|language:zh")');
  // The score comes first, what the engine says beside it a moment later.
  await page.waitForFunction(() => Number(document.querySelector(".score-value")?.textContent) > 0);
  await page.waitForFunction(() => document.querySelector("#text-hint").textContent === "");
  // The other hint names no language.
  await page.fill("#hypothesis", "кошка сидит на коврике");
  await page.waitForFunction(() => /Cyrillic/.test(document.querySelector("#text-hint").textContent));
  await page.click('#text-hint button:text("Choose the language")');
  assert.equal(await page.evaluate(() => document.activeElement.id), "key-language");
}));

// What of the dictionaries was asked for.
const dictionaries = (seen) => seen.requests.filter((address) => address.includes("/words-"));

test("words by dictionaries: the program's number, and nothing of them for who does not ask", async () => {
  for (const [metric, hypothesis, reference] of [
    ["meteor:classic|language:th", "ฉันชอบแมว", "ฉันรักแมว"],
    ["meteor:classic|language:lo", "ຂ້ອຍມັກແມວຫຼາຍ", "ຂ້ອຍຮັກແມວ"],
    ["meteor:classic|language:km", "ខ្ញុំចូលចិត្តឆ្មា", "ខ្ញុំស្រឡាញ់ឆ្មា"],
    ["meteor:classic|language:my", "ကျွန်တော်ကြောင်ကြိုက်တယ်", "ကျွန်တော်ကြောင်ကိုချစ်တယ်"],
    ["meteor:classic|language:zh|tok:words", "我喜欢猫", "我爱猫"],
    ["meteor:classic|language:ja|tok:words", "私は猫が好きです", "猫が好きだ"],
  ]) {
    await withPage({ fragment: fragment(hypothesis, reference, metric) }, async (page, seen) => {
      const { signature, tokens } = await agrees(page, metric, hypothesis, reference);
      assert.match(signature, /tok:icu4x-2\.4\.0/);
      assert.equal(await page.locator(".al-hypothesis .al-token").count(), tokens.hypothesis.length);
      assert.deepEqual(dictionaries(seen).map((address) => address.split("/").at(-1)), [`${WORDS}.gz`]);
    });
  }
  await withPage({ fragment: fragment("我喜欢猫", "我爱猫", "meteor:classic|language:zh") }, (_, seen) => assert.deepEqual(dictionaries(seen), []));
});

test("without the dictionaries, words are refused with what to do instead", async () => {
  const answers = { absent: (route) => route.fulfill({ status: 404, body: "" }), damaged: (route) => route.fulfill({ body: "BOLIDEWD" }) };
  for (const [name, answer] of Object.entries(answers)) {
    const { page, close } = await openPage(here.browser, here.server.address);
    await page.context().route("**/words-*", answer);
    await page.evaluate((link) => { location.hash = link; }, fragment("ฉันชอบแมว", "ฉันรักแมว", "meteor:classic|language:th"));
    await page.waitForSelector("#score-body .notice");
    const text = await page.textContent("#score-body .notice");
    if (name === "absent") {
      assert.match(text, /The dictionaries could not be loaded \(pkg\/words-icu4x-2\.4\.0\.dat\.gz: status 404\); tok:unspaced takes characters/);
      await page.click('#score-body button:text("tok:unspaced")');
      await page.waitForSelector("#score-body[data-shown] .score-value");
      await agrees(page, "meteor:classic|language:th|tok:unspaced", "ฉันชอบแมว", "ฉันรักแมว");
    } else {
      assert.match(text, /^the dictionaries cannot be used/);
    }
    await close();
  }
});

test("a language and words work offline once they were used", async () => {
  for (const [metric, hypothesis, reference, table] of [
    ["meteor:classic|language:sv", "en vacker katt", "en fin katt", "synonyms-sv.dat"],
    ["meteor:classic|language:th", "ฉันชอบแมว", "ฉันรักแมว", WORDS],
  ]) {
    const own = await startServer("--dir", DIST);
    const { page, close } = await openPage(here.browser, own.address, { fragment: fragment(hypothesis, reference, metric) });
    await page.evaluate(() => navigator.serviceWorker.ready);
    for (const part of ["languages_bg.wasm", "languages.js", table, "worker.js"]) {
      await page.waitForFunction(async (name) => (await (await caches.open("bolide")).keys()).some(({ url }) => url.includes(name)), part);
    }
    own.stop();
    await page.context().setOffline(true);
    await page.reload();
    await page.waitForSelector("#score-body[data-shown]");
    const { signature } = await agrees(page, metric, hypothesis, reference);
    assert.match(signature, metric.endsWith("sv") ? /synonyms:builtin-sv/ : /tok:icu4x/);
    await close();
  }
});
