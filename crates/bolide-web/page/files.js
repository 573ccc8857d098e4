// Reads dropped or chosen files as segments.
//
// Two or more text files hold one segment per line; a table (TSV, CSV or JSON Lines) holds hypotheses and references in
// columns. Errors name the file and the line.

import { t } from "./strings.js";

const MOST_BYTES = 100 * 1024 * 1024;
const LOOKS_LIKE_REFERENCE = /(^|[^a-z])(refs?|references?|gold|targets?)([^a-z]|$)/i;
const HYPOTHESIS = /^(hyp|hypothesis|hypotheses|output|system|mt|candidate|prediction|translation)$/i;
const REFERENCE = /^(ref|reference|references|gold|target)[\s_.-]*\d*$/i;

export function lines(text) {
  const list = text.replace(/^\ufeff/, "").split("\n").map((line) => line.replace(/\r$/, ""));
  if (list.at(-1) === "") list.pop();
  return list;
}

// The text of bytes, or null if they are not UTF-8.
function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

// Whether bytes begin with a mark of UTF-16, or with two of its characters that are in ASCII: the command's rule.
function isUtf16([first, second, third, fourth]) {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const isPair = (letter, zero) => letter > 0 && zero === 0;
  return isMarked || (isPair(first, second) && isPair(third, fourth)) || (isPair(second, first) && isPair(fourth, third));
}

// The text of a file. Only UTF-8 is read, as by the command: of others, characters would be scored that nobody wrote.
async function textOf(file) {
  const { name } = file;
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isUtf16(bytes)) throw new Error(t("{name} is UTF-16: save it as UTF-8 and drop it again", { name }));
  const text = decoded(bytes);
  if (text !== null) return text;
  let [line, start] = [0, 0];
  for (let isRead = true; isRead; line++) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    isRead = decoded(bytes.subarray(start, end)) !== null;
    start = end + 1;
  }
  throw new Error(t("{name}, line {line}: not UTF-8. Save the file as UTF-8 and drop it again", { name, line }));
}

// The segments of some files: { name, segments: [{ hypothesis, references }], about, canSwap }.
export async function readBatch(files, isSwapped = false) {
  if (files.length === 0) throw new Error(t("No files were given"));
  for (const { name, size } of files) {
    if (size > MOST_BYTES) throw new Error(t("{name} is larger than 100 MB: use the command, bolide score", { name }));
  }
  const texts = await Promise.all(files.map(async (file) => ({ name: file.name, text: await textOf(file) })));
  const batch = texts.length === 1 ? fromTable(texts[0]) : fromLines(texts, isSwapped);
  if (batch.segments.length === 0) throw new Error(t("{name} contains no segments", { name: batch.name }));
  return batch;
}

function fromLines(texts, isSwapped) {
  let order = [...texts];
  if (order.length === 2 && LOOKS_LIKE_REFERENCE.test(order[0].name) && !LOOKS_LIKE_REFERENCE.test(order[1].name)) {
    order.reverse();
  } else if (order.length > 2) {
    const isReference = ({ name }) => LOOKS_LIKE_REFERENCE.test(name);
    order = [...order.filter((file) => !isReference(file)), ...order.filter(isReference)];
  }
  if (isSwapped) order.reverse();
  const [hypothesis, ...references] = order.map(({ name, text }) => ({ name, lines: lines(text) }));
  for (const reference of references) {
    if (reference.lines.length !== hypothesis.lines.length) {
      throw new Error(t("{first} has {a} lines and {second} has {b}: they must have one line for each segment",
        { first: hypothesis.name, a: hypothesis.lines.length, second: reference.name, b: reference.lines.length }));
    }
  }
  const names = references.map(({ name }) => name).join(", ");
  return {
    name: hypothesis.name,
    about: t("Hypotheses from {hypotheses}, references from {references}", { hypotheses: hypothesis.name, references: names }),
    canSwap: order.length === 2,
    segments: hypothesis.lines.map((line, at) => ({
      hypothesis: line, references: references.map((reference) => reference.lines[at]),
    })),
  };
}

function fromTable(file) {
  if (/\.(jsonl|ndjson)$/i.test(file.name)) return fromJsonLines(file);
  const { name, text } = file;
  const isCsv = /\.csv$/i.test(name);
  // Rows with the number of their first line.
  const numbered = isCsv ? csvRows(file) : lines(text).map((line, at) => ({ line: at + 1, row: line.split("\t") }));
  const rows = numbered.map(({ row }) => row);
  if (rows.every((row) => row.length < 2)) {
    throw new Error(isCsv ? t("{name} has no commas. Drop two text files, or a table with hypotheses and references in columns", { name })
      : t("{name} has no tabs. Drop two text files, or a table with hypotheses and references in columns", { name }));
  }
  const head = rows[0].map((cell) => cell.trim());
  let hypothesis = head.findIndex((cell) => HYPOTHESIS.test(cell));
  let references = head.flatMap((cell, at) => (REFERENCE.test(cell) ? [at] : []));
  const hasHead = hypothesis >= 0 && references.length > 0;
  if (!hasHead) {
    hypothesis = 0;
    references = rows[0].map((_, at) => at).slice(1);
  }
  const segments = [];
  rows.forEach((row, at) => {
    if (hasHead && at === 0) return;
    const given = references.map((column) => row[column]);
    if (row[hypothesis] === undefined || given[0] === undefined) {
      const where = { name, line: numbered[at].line, n: row.length };
      throw new Error(isCsv ? t("{name}, line {line}: expected a hypothesis and a reference with a comma between, got {n} column|{name}, line {line}: expected a hypothesis and a reference with a comma between, got {n} columns", where)
        : t("{name}, line {line}: expected a hypothesis and a reference with a tab between, got {n} column|{name}, line {line}: expected a hypothesis and a reference with a tab between, got {n} columns", where));
    }
    segments.push({ hypothesis: row[hypothesis], references: given.filter((text) => text !== undefined) });
  });
  const about = hasHead
    ? t("Hypotheses from column “{hypotheses}” of {name}, references from {references}", { name, hypotheses: head[hypothesis], references: references.map((at) => `“${head[at]}”`).join(", ") })
    : t("Hypotheses from the first column of {name}, references from the others", { name });
  return { name, about, canSwap: false, segments };
}

// The rows of a CSV file: quoted cells may contain commas, line breaks and doubled quotes.
function csvRows({ name, text }) {
  const whole = text.replace(/^\ufeff/, "");
  const rows = [];
  let [row, cell, line, start, isQuoted] = [[], "", 1, 1, false];
  const endRow = () => {
    row.push(cell);
    // A blank line is not a row.
    if (row.length > 1 || cell !== "") rows.push({ line: start, row });
    [row, cell] = [[], ""];
  };
  for (let at = 0; at < whole.length; at++) {
    const letter = whole[at];
    if (letter === "\n") line++;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (whole[at + 1] === '"') cell += whole[++at];
      else isQuoted = false;
    } else if (letter === '"' && cell === "") {
      isQuoted = true;
    } else if (letter === ",") {
      row.push(cell);
      cell = "";
    } else if (letter === "\n") {
      endRow();
      start = line;
    } else if (letter !== "\r" || whole[at + 1] !== "\n") {
      cell += letter;
    }
  }
  if (isQuoted) throw new Error(t("{name}, line {line}: a quotation mark is not closed", { name, line: start }));
  if (row.length > 0 || cell !== "") endRow();
  return rows;
}

// One object per line, with a hypothesis and a reference or a list of references, named as in a table.
function fromJsonLines({ name, text }) {
  const segments = [];
  lines(text).forEach((line, at) => {
    if (line.trim() === "") return;
    const where = { name, line: at + 1 };
    let object;
    try {
      object = JSON.parse(line);
    } catch {
      throw new Error(t("{name}, line {line}: not JSON", where));
    }
    if (object === null || typeof object !== "object") throw new Error(t("{name}, line {line}: expected an object with a hypothesis and references", where));
    const keys = Object.keys(object);
    const hypothesis = object[keys.find((key) => HYPOTHESIS.test(key))];
    const references = keys.filter((key) => REFERENCE.test(key)).flatMap((key) => object[key]);
    if (typeof hypothesis !== "string" || references.length === 0 || !references.every((item) => typeof item === "string")) {
      throw new Error(t("{name}, line {line}: expected “hypothesis” and “reference” (or “references”) with texts", where));
    }
    segments.push({ hypothesis, references });
  });
  return { name, about: t("Hypotheses and references from {name}", { name }), canSwap: false, segments };
}

// Scores as the command writes them: system, segment, metric, score, then the components.
export function toCsv(system, metric, scores) {
  const quote = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  // A number that is not finite is an empty cell, as in the command's files.
  const cell = (value) => (typeof value === "number" && !Number.isFinite(value) ? "" : String(value));
  const names = Object.keys(scores[0]?.components ?? {});
  const head = ["system", "segment", "metric", "score", ...names].join(",");
  const rows = scores.map(({ score, components }, at) => (
    [quote(system), at + 1, quote(metric), cell(score), ...names.map((name) => cell(components[name]))].join(",")));
  return `${[head, ...rows].join("\n")}\n`;
}
