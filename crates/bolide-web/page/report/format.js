// Numbers and names as the report writes them.

import { h } from "../dom.js";

// A score with the decimals of its metric; a number that does not exist is "n/a", as in the command's tables.
export function fixed(x, decimals) {
  return Number.isFinite(x) ? x.toFixed(decimals).replace("-", "−") : "n/a";
}

// A difference with its sign.
export function signed(x, decimals) {
  const text = fixed(x, decimals);
  return x > 0 ? `+${text}` : text;
}

// A p-value in the least room: .042, <.001.
export const shortP = (p) => (p < 0.001 ? "<.001" : p.toFixed(3).replace(/^0/, ""));

export const count = (n) => n.toLocaleString("en");

export const percent = (part, whole) => (whole > 0 ? `${Math.round((100 * part) / whole)} %` : "–");

// The name of a system as the command has it, in the colour of A or B. The style sheet cuts a very long one; its title is whole.
export const systemName = (name, key = null) => h("span", { class: `system${key === null ? "" : ` key-${key}`}`, title: name }, h("bdi", {}, name));
