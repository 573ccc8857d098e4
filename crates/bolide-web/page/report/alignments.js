// Converts alignments from their compact form (crates/bolide-cli/src/commands/report/compact.rs) to
// the explanations that alignment.js draws.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUES = new Uint8Array(128);
for (let at = 0; at < LETTERS.length; at++) VALUES[LETTERS.charCodeAt(at)] = at;

const STAGE_NAMES = ["exact", "stem", "synonym", "paraphrase", "case", "near"];
const COST_UNIT = 1e6;

class Reader {
  constructor(text) {
    this.text = text ?? "";
    this.at = 0;
  }

  get isAtEnd() {
    return this.at >= this.text.length;
  }

  number() {
    let [value, scale] = [0, 1];
    for (;;) {
      const digit = VALUES[this.text.charCodeAt(this.at++)];
      value += (digit & 31) * scale;
      if (digit < 32) return value;
      scale *= 32;
    }
  }

  signed() {
    const value = this.number();
    return value % 2 === 1 ? -(value - 1) / 2 : value / 2;
  }
}

function tokens(letters, text) {
  const reader = new Reader(letters);
  const list = [];
  let end = 0;
  while (!reader.isAtEnd) {
    const start = end + reader.signed();
    end = start + reader.number();
    list.push({ text: text.slice(start, end), start, end });
  }
  return list;
}

function costs(letters) {
  const reader = new Reader(letters);
  const values = Array.from({ length: reader.number() }, () => reader.signed() / COST_UNIT);
  const list = () => {
    let at = 0;
    return Array.from({ length: reader.number() }, () => {
      at += reader.signed();
      return { at, cost: values[reader.number()] };
    });
  };
  return { hypothesis_words: list(), reference_words: list(), breaks: list() };
}

// The alignment of one system's hypothesis of a segment.
export function explanationOf(alignments, texts, system, segment) {
  const reader = new Reader(alignments.links[system][segment]);
  const [matches, chunks, crossings, proven, reference_idx] = Array.from({ length: 5 }, () => reader.number());
  const why = new Reader(alignments.why[system][segment]);
  const pairs = [];
  let [hypothesis, reference, chunk] = [0, 0, 0];
  while (!reader.isAtEnd) {
    const kind = reader.number();
    if (kind & 8) chunk += 1;
    hypothesis += reader.signed();
    reference += reader.signed();
    const phrases = (kind & 16) !== 0;
    const link = {
      hypothesis, hypothesis_tokens: phrases ? reader.number() : 1,
      reference, reference_tokens: phrases ? reader.number() : 1,
      stage: STAGE_NAMES[kind & 7], chunk,
      reason: (kind & 7) === 0 ? "" : alignments.reasons[why.number()],
    };
    hypothesis += link.hypothesis_tokens;
    reference += link.reference_tokens;
    pairs.push(link);
  }
  const text = texts.references[segment][reference_idx];
  return {
    tokens: {
      hypothesis: tokens(alignments.spans[system][segment], texts.hypotheses[system][segment]),
      reference: tokens(alignments.references[segment][reference_idx], text),
    },
    reference_idx, pairs, matches, chunks, crossings,
    proven: proven === 0 ? null : proven === 2,
    losses: costs(alignments.costs[system][segment]),
  };
}

// The tokens that NLTK's tokenizer makes of a straight quotation mark.
const isQuote = (word) => word === "``" || word === "''";

// Whether a system's segment has these words, in lower case, next to each other: among the unmatched
// words of the reference ("missing"), the unmatched words of the hypothesis ("extra"), or all words
// of the hypothesis ("said").
export function hasWords({ alignments, texts }, segment, system, words, how) {
  if (!alignments || !texts) return false;
  const raw = how === "missing" ? texts.references[segment] : [texts.hypotheses[system][segment]];
  // Most segments do not contain the words, so their alignments need not be unpacked.
  const stands = (text, word) => text.includes(word) || (isQuote(word) && text.includes('"'));
  if (!raw.some((text) => words.every((word) => stands(text.toLowerCase(), word)))) return false;
  const explanation = explanationOf(alignments, texts, system, segment);
  const side = how === "missing" ? "reference" : "hypothesis";
  const matched = new Uint8Array(explanation.tokens[side].length);
  if (how !== "said") {
    for (const link of explanation.pairs) matched.fill(1, link[side], link[side] + link[`${side}_tokens`]);
  }
  const is = (token, word) => {
    const text = token?.text.toLowerCase();
    return text === word || (isQuote(word) && text === '"');
  };
  return explanation.tokens[side].some((_, start) => words.every((word, i) => is(explanation.tokens[side][start + i], word) && !matched[start + i]));
}
