// Reads the page's data: the summary at once, compressed blocks when they are needed.

// The summary: systems, metrics, standings, buckets.
export function readSummary() {
  return JSON.parse(document.getElementById("summary").textContent);
}

function bytesOf(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

// A block: "columns", "texts", "alignments" or "words". It is removed from the document, so that it
// is not in memory twice.
export async function readBlock(name) {
  const element = document.getElementById(`data-${name}`);
  if (!element) throw new Error(`The file is not complete: its ${name} are missing`);
  const packed = new Blob([bytesOf(element.textContent)]);
  element.remove();
  const text = await new Response(packed.stream().pipeThrough(new DecompressionStream("deflate"))).text();
  return JSON.parse(text);
}

// Columns of numbers as typed arrays, which are fast to sort and count. null becomes NaN.
export function toNumbers(list) {
  const numbers = new Float64Array(list.length);
  for (let at = 0; at < list.length; at++) numbers[at] = list[at] ?? NaN;
  return numbers;
}
