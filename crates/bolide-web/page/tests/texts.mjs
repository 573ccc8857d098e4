// The texts that the page uses, from its scripts and from its markup.

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL("..", import.meta.url));
const CALL = /\b(?:t|mark|around)\(\s*"((?:[^"\\]|\\.)*)"/g;

// Those of the scripts: every call has a literal.
export function textsOfScripts() {
  const names = readdirSync(PAGE).filter((name) => name.endsWith(".js"));
  return names.flatMap((name) => [...readFileSync(`${PAGE}${name}`, "utf8").matchAll(CALL)].map(([, text]) => JSON.parse(`"${text}"`)));
}

// Those of the markup, as the page itself finds them; `page` has opened it in English.
export async function textsOfMarkup(page, address) {
  await page.goto(`${address}?lang=en`);
  return page.evaluate(async () => {
    // The markup as it was sent, not as the scripts have left it.
    const sent = new DOMParser().parseFromString(await (await fetch("./")).text(), "text/html");
    return (await import("./language.js")).messages(sent).map(({ text }) => text);
  });
}
