// Reads dropped or chosen files as segments.
//
// Two or more text files hold one segment per line; a table (TSV, CSV or JSON Lines) holds hypotheses and references in
// columns. Errors name the file and the line.

const MOST_BYTES = 100 * 1024 * 1024;
const LOOKS_LIKE_REFERENCE = /(^|[^a-z])(refs?|references?|gold|targets?)([^a-z]|$)/i;
const HYPOTHESIS = /^(hyp|hypothesis|hypotheses|output|system|mt|candidate|prediction|translation)$/i;
const REFERENCE = /^(ref|reference|references|gold|target)[\s_.-]*\d*$/i;

export function lines(text) {
  const list = text.replace(/^\ufeff/, "").split("\n").map((line) => line.replace(/\r$/, ""));
  if (list.at(-1) === "") list.pop();
  return list;
}

// The segments of some files: { name, segments: [{ hypothesis, references }], about, canSwap }.
export async function readBatch(files, isSwapped = false) {
  if (files.length === 0) throw new Error("No files were given");
  for (const { name, size } of files) {
    if (size > MOST_BYTES) throw new Error(`${name} is larger than 100 MB: use the command, bolide score`);
  }
  const texts = await Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })));
  const batch = texts.length === 1 ? fromTable(texts[0]) : fromLines(texts, isSwapped);
  if (batch.segments.length === 0) throw new Error(`${batch.name} contains no segments`);
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
      throw new Error(`${hypothesis.name} has ${hypothesis.lines.length} lines and ${reference.name} has ` +
        `${reference.lines.length}: they must have one line for each segment`);
    }
  }
  const names = references.map(({ name }) => name).join(", ");
  return {
    name: hypothesis.name,
    about: `Hypotheses from ${hypothesis.name}, references from ${names}`,
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
  const [mark, between] = isCsv ? ["commas", "a comma"] : ["tabs", "a tab"];
  // Rows with the number of their first line.
  const numbered = isCsv ? csvRows(file) : lines(text).map((line, at) => ({ line: at + 1, row: line.split("\t") }));
  const rows = numbered.map(({ row }) => row);
  if (rows.every((row) => row.length < 2)) {
    throw new Error(`${name} has no ${mark}. Drop two text files, or a table with hypotheses and references in columns`);
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
      throw new Error(`${name}, line ${numbered[at].line}: expected a hypothesis and a reference with ${between} between, got ` +
        `${row.length} ${row.length === 1 ? "column" : "columns"}`);
    }
    segments.push({ hypothesis: row[hypothesis], references: given.filter((text) => text !== undefined) });
  });
  const about = hasHead
    ? `Hypotheses from column “${head[hypothesis]}”, references from ${references.map((at) => `“${head[at]}”`).join(", ")}`
    : `Hypotheses from the first column, references from the ${references.length > 1 ? "others" : "second"}`;
  return { name, about: `${about} of ${name}`, canSwap: false, segments };
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
  if (isQuoted) throw new Error(`${name}, line ${start}: a quotation mark is not closed`);
  if (row.length > 0 || cell !== "") endRow();
  return rows;
}

// One object per line, with a hypothesis and a reference or a list of references, named as in a table.
function fromJsonLines({ name, text }) {
  const segments = [];
  lines(text).forEach((line, at) => {
    if (line.trim() === "") return;
    const wrong = (what) => new Error(`${name}, line ${at + 1}: ${what}`);
    let object;
    try {
      object = JSON.parse(line);
    } catch {
      throw wrong("not JSON");
    }
    if (object === null || typeof object !== "object") throw wrong("expected an object with a hypothesis and references");
    const keys = Object.keys(object);
    const hypothesis = object[keys.find((key) => HYPOTHESIS.test(key))];
    const references = keys.filter((key) => REFERENCE.test(key)).flatMap((key) => object[key]);
    if (typeof hypothesis !== "string" || references.length === 0 || !references.every((item) => typeof item === "string")) {
      throw wrong('expected "hypothesis" and "reference" (or "references") with texts');
    }
    segments.push({ hypothesis, references });
  });
  return { name, about: `Hypotheses and references from ${name}`, canSwap: false, segments };
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
