// The inputs in the fragment of the address, which browsers do not send to a server.
//
// #h=…&r=…&r=…&m=…&s=… holds hypothesis, references, the metric's partial signature and the step shown. Long texts are
// packed: #z= is the same text, deflated, in base64url. #m=… alone is a metric for whatever texts there are.

import { t } from "./strings.js";

const LONG = 1500;

export async function toFragment({ hypothesis, references, metric, step = 0 }) {
  const fields = new URLSearchParams();
  fields.append("h", hypothesis);
  for (const reference of references) fields.append("r", reference);
  fields.append("m", metric);
  if (step > 0) fields.append("s", String(step));
  const text = fields.toString();
  if (text.length <= LONG || !("CompressionStream" in globalThis)) return text;
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  return `z=${toBase64(packed)}`;
}

// The inputs in a fragment, or null if it has none. Without texts there are no `hypothesis` and `references`.
export async function fromFragment(fragment) {
  const given = fragment.replace(/^#/, "");
  if (given === "") return null;
  let fields = new URLSearchParams(given);
  const packed = fields.get("z");
  if (packed !== null) {
    try {
      const bytes = await through(fromBase64(packed), new DecompressionStream("deflate-raw"));
      fields = new URLSearchParams(new TextDecoder().decode(bytes));
    } catch {
      throw new Error(t("This link is damaged: its text cannot be unpacked"));
    }
  }
  const references = fields.getAll("r");
  const hasText = fields.has("h") || references.length > 0;
  // Without a name, the page shows the first metric of its list.
  const metric = fields.get("m") ?? "";
  if (!hasText && metric === "") return null;
  return {
    ...(hasText ? { hypothesis: fields.get("h") ?? "", references: references.length > 0 ? references : [""] } : {}),
    metric,
    step: Math.min(99, Math.max(0, Math.trunc(Number(fields.get("s"))) || 0)),
  };
}

async function through(bytes, stream) {
  const output = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await output.arrayBuffer());
}

function toBase64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}
