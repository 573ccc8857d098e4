// The derivation of a score for a paper or a worksheet, as Markdown and as LaTeX.

import { t } from "./strings.js";

const four = (x) => x.toFixed(4);
const given = (x) => String(Number(x.toFixed(6)));

// Escapes characters that Markdown or LaTeX would read as commands.
const plainMarkdown = (text) => text.replace(/[\\`*_{}[\]()#+\-.!|<>~]/g, "\\$&").replace(/\s+/g, " ");
const LATEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
const plainLatex = (text) => text.replace(/[\\~^]|[#$%&_{}]/g, (letter) => LATEX[letter] ?? `\\${letter}`).replace(/\s+/g, " ");

// The fractions of precision and recall, if they follow from the counts: where words have weights, the engine has sums for them.
function fractions({ explanation, evidence }) {
  if (evidence) return [null, null];
  const { matches, tokens: { hypothesis, reference } } = explanation;
  return [hypothesis, reference].map((words) => `${matches}/${words.length}`);
}

// Whether the penalty follows the textbook formula: some dialects count words of phrases or breaks, or have no penalty for
// a perfect match.
const isUsual = ({ chunks, matches, beta, gamma, penalty, counts_breaks: countsBreaks }) => !countsBreaks && matches > 0 && Math.abs(gamma * (chunks / matches) ** beta - penalty) < 1e-12;

function texts({ hypothesis, references }) {
  return [[t("Hypothesis"), hypothesis], ...references.map((text, at) => [references.length > 1 ? t("Reference {at}", { at: at + 1 }) : t("Reference"), text])];
}

export function toMarkdown(result, dialect) {
  const { explanation, value, signature } = result;
  const lines = texts(result).map(([name, text]) => `- ${name}: ${plainMarkdown(text)}`);
  if (explanation) {
    const { precision, recall, fmean, penalty, chunks, matches, alpha, beta, gamma } = explanation;
    const [p, r] = fractions(result);
    lines.push("", `| ${t("step")} | ${t("value")} |`, "|---|---|",
      `| P${p ? ` = ${p}` : ""} | ${four(precision)} |`, `| R${r ? ` = ${r}` : ""} | ${four(recall)} |`,
      `| Fmean = P·R / (${given(alpha)}·P + ${given(1 - alpha)}·R) | ${four(fmean)} |`,
      `| ${t("penalty")}${isUsual(explanation) ? ` = ${given(gamma)}·(${t("chunks")}/${t("matches")})^${given(beta)}` : ""}, ${t("chunks")} = ${chunks}, ${t("matches")} = ${matches} | ${four(penalty)} |`,
      `| ${dialect.title} = (1 − ${t("penalty")})·Fmean | **${four(value)}** |`);
  } else {
    lines.push("", `${dialect.title} = **${value.toFixed(dialect.decimals)}**`);
  }
  return `${[...lines, "", `\`${signature}\``].join("\n")}\n`;
}

export function toLatex(result, dialect) {
  const { explanation, value, signature } = result;
  const lines = texts(result).map(([name, text]) => `\\noindent\\textbf{${name}:} ${plainLatex(text)}\\\\`);
  if (explanation) {
    const { precision, recall, fmean, penalty, chunks, alpha, beta, gamma, matches } = explanation;
    const [p, r] = fractions(result).map((text) => text && text.replace(/(.*)\/(.*)/, "\\frac{$1}{$2} = "));
    const [P, R] = [four(precision), four(recall)];
    lines.push("\\begin{align*}",
      `P &= ${p ?? ""}${P} \\\\`, `R &= ${r ?? ""}${R} \\\\`,
      `F_\\mathrm{mean} &= \\frac{P R}{\\alpha P + (1 - \\alpha) R} = \\frac{${P} \\cdot ${R}}{${given(alpha)} \\cdot ${P} + ${given(1 - alpha)} \\cdot ${R}} = ${four(fmean)} \\\\`,
      isUsual(explanation)
        ? `\\mathrm{penalty} &= \\gamma \\left(\\frac{\\mathrm{chunks}}{\\mathrm{matches}}\\right)^{\\beta} = ${given(gamma)} \\left(\\frac{${chunks}}{${matches}}\\right)^{${given(beta)}} = ${four(penalty)} \\\\`
        : `\\mathrm{penalty} &= ${four(penalty)} \\\\`,
      `\\mathrm{${plainLatex(dialect.title)}} &= (1 - \\mathrm{penalty}) F_\\mathrm{mean} = ${four(value)}`, "\\end{align*}");
  } else {
    lines.push(`${plainLatex(dialect.title)} $= ${value.toFixed(dialect.decimals)}$`);
  }
  return `${[...lines, `\\texttt{${plainLatex(signature)}}`].join("\n")}\n`;
}
