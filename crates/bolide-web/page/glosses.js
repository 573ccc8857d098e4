// What WordNet's synsets mean, for notes about synonyms: loaded when a note first names one, and stored for offline use, as
// WordNet is. `cargo xtask wordnet` writes the table.

import { explainSynsets } from "./alignment.js";

const TABLE = "pkg/wordnet-3.0-glosses.txt";
// Of a hash.
const DIGITS = 8;

const encoder = new TextEncoder();

// FNV-1a of the name of a synset.
function hash(name) {
  let sum = 0x811c9dc5;
  for (const byte of encoder.encode(name)) sum = Math.imul(sum ^ byte, 0x01000193);
  return (sum >>> 0).toString(16).padStart(DIGITS, "0");
}

// A function that returns the gloss of a synset by its name, or null. Returns null if the text is not a whole table.
export function readGlosses(text) {
  const [head, hashes = "", ...glosses] = text.split("\n");
  const [, n] = head.match(/^glosses of WordNet 3\.0, format 1;.* synsets: (\d+)$/) ?? [];
  // The last line, too, has an end.
  if (hashes.length !== DIGITS * n || glosses.length !== Number(n) + 1) return null;
  return (name) => {
    const wanted = hash(name);
    let at = hashes.indexOf(wanted);
    while (at % DIGITS > 0) at = hashes.indexOf(wanted, at + 1);
    return at < 0 ? null : glosses[at / DIGITS];
  };
}

async function load() {
  const response = await fetch(TABLE);
  // A host without the table: the notes name the synset only.
  if (!response.ok) return false;
  const stored = response.clone();
  const look = readGlosses(await response.text());
  if (!look) return false;
  (await import("./engine.js")).keep(TABLE, stored);
  explainSynsets(look);
  return true;
}

// Whether notes now say what synsets mean. Without a network, the next call tries again.
let loading = null;
export function loadGlosses() {
  loading ??= load().catch(() => {
    loading = null;
    return false;
  });
  return loading;
}
