// CSV and LaTeX, as `bolide score` and `bolide compare` write them.

export function csvField(value) {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const text = String(value ?? "");
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function toCsv(header, rows) {
  return [header, ...rows].map((row) => `${row.map(csvField).join(",")}\n`).join("");
}

const SPECIAL = {
  "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "&": "\\&", "%": "\\%", $: "\\$", "#": "\\#", _: "\\_",
  "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}",
  '"': "\\textquotedbl{}", "\n": " ", "\r": " ",
};

export function latexText(text) {
  return String(text).replace(/[\\{}&%$#_~^<>|"\n\r]/g, (letter) => SPECIAL[letter]);
}

// A number; one that does not exist is "n/a".
export const latexNumber = (x, decimals) => (Number.isFinite(x) ? x.toFixed(decimals) : "n/a");

// A table with the rules of booktabs. Cells are LaTeX; `comments` come before the table.
export function toLatex(columns, header, rows, { comments = [], long = false } = {}) {
  const lines = comments.map((comment) => `% ${comment.replaceAll("\n", " ")}`);
  const name = long ? "longtable" : "tabular";
  lines.push(`\\begin{${name}}{${columns}}`, "\\toprule", `${header.join(" & ")} \\\\`, "\\midrule");
  if (long) lines.push("\\endhead");
  for (const row of rows) lines.push(`${row.join(" & ")} \\\\`);
  lines.push("\\bottomrule", `\\end{${name}}`);
  return `${lines.join("\n")}\n`;
}
