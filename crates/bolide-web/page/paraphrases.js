// The user's own paraphrase table of METEOR 1.5: compiled in a worker and kept in this browser.
//
// The table may not be redistributed, so the page cannot have it. Whoever has METEOR 1.5 has the file; this page reads it
// and sends it nowhere.

import { h, toast } from "./dom.js";
import { Client, keepTable } from "./engine.js";
import { t } from "./strings.js";

const NAME = /^paraphrase-([a-z]{2,})\.gz$/i;

// Compiles the table of a file; `changed` is called when it can be used.
export async function takeTable(file, changed) {
  const client = new Client();
  try {
    toast(t("Reading {name}: this takes about a minute for a whole table", { name: file.name }), { label: t("Stop"), run: () => client.stop() });
    const [, language] = file.name.match(NAME) ?? [];
    if (!language) throw new Error(t("its name does not say its language, as paraphrase-en.gz does"));
    const { table, n } = await client.call("compileParaphrases", { file, language: language.toLowerCase() });
    const isKept = await keepTable(table);
    const values = { n };
    toast(isKept ? t("{n} paraphrase read and kept in this browser|{n} paraphrases read and kept in this browser", values)
      : t("{n} paraphrase read; this browser cannot keep them|{n} paraphrases read; this browser cannot keep them", values));
    changed();
  } catch (problem) {
    if (problem.name !== "Stopped") toast(t("{name} cannot be used: {problem}", { name: file.name, problem: problem.message }));
  } finally {
    client.stop();
  }
}

// What to do about a score that needs the table.
export function request(take) {
  const input = h("input", {
    type: "file", id: "paraphrase-file", accept: ".gz", "aria-label": t("Paraphrase table"),
    onchange: () => {
      if (input.files.length > 0) take(input.files[0]);
    },
  });
  return h("div", { class: "notice table-request" },
    h("p", {}, t("This dialect needs the paraphrase table of METEOR 1.5, which may not be redistributed. Drop paraphrase-en.gz, from the data folder of METEOR, anywhere on this page, or choose it here. It is read and kept in this browser only.")),
    input);
}
