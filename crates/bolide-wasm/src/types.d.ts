/** A dialect of the registry. */
export interface Dialect {
  name: string;
  /** The name of its family. */
  family: string;
  aliases: string[];
  reproduces: string;
  summary: string;
  agreement: string;
  decimals: number;
  /** The smallest and the largest score; null where there is no bound. */
  range: (number | null)[];
  lower_is_better: boolean;
  /** How several references combine. */
  references: "best" | "pooled" | "mean_length" | "mean" | "first";
  /** How the statistics of a corpus add up. */
  merging: "any_order" | "parts_in_order" | "segments_in_order";
  /** Whether there is an alignment to explain. */
  alignment: boolean;
  keys: Key[];
  /** The message about a table that is not loaded; null when the dialect can be used. */
  needs: string | null;
}

/** A language of the engine, as `bolide languages` lists it. Only the module with all languages has a list of them. */
export interface Language {
  /** Its BCP 47 code. */
  code: string;
  /** Its English name. */
  name: string;
  /** The default tokens. */
  tokens: string;
  stems: string | null;
  synonyms: string | null;
  /** Where stems and synonyms come from. */
  source: string | null;
  licence: string | null;
  /** The judgements on which the choice was measured. */
  proof: string;
}

/** A family of dialects. */
export interface Family {
  name: string;
  /** Its name as people write it. */
  title: string;
  /** The dialect that is meant without another one. */
  default: string;
}

/** A key of a partial signature and what it may be set to. */
export interface Key {
  name: string;
  expects: "word" | "number" | "whole" | "text";
  words?: string[];
  min?: number;
  max?: number;
}

/** A score and what it was made of. */
export interface Score {
  /** The full name of the metric; that of a corpus has the number of references, too. */
  signature: string;
  score: number;
  components: Record<string, number | boolean>;
}

/** A token and the UTF-8 bytes of the original text that it stands for. */
export interface Token {
  text: string;
  start: number;
  end: number;
}

/** The tokens of the hypothesis and of the reference that counted. */
export interface Tokens {
  hypothesis: Token[];
  reference: Token[];
}

/** A match of the alignment. Positions count from 0. */
export interface Link {
  hypothesis: number;
  hypothesis_tokens: number;
  reference: number;
  reference_tokens: number;
  stage: "exact" | "case" | "stem" | "synonym" | "near" | "paraphrase";
  reason: string;
  credit: number;
  chunk: number;
}

/** What repairing one thing would add to the score. */
export interface Cost {
  at: number;
  cost: number;
}

/** Where the points were lost. */
export interface Losses {
  unmatched_hypothesis: number;
  unmatched_reference: number;
  fragmentation: number;
  hypothesis_words: Cost[];
  reference_words: Cost[];
  breaks: Cost[];
}

/** Everything that led from two texts to a METEOR score. */
export interface Explanation {
  signature: string;
  tokens: Tokens;
  reference_idx: number;
  pairs: Link[];
  matches: number;
  chunks: number;
  crossings: number;
  proven: boolean | null;
  chunks_lower_bound: number | null;
  alpha: number;
  beta: number;
  gamma: number;
  precision: number;
  recall: number;
  fmean: number;
  fmean_check: number;
  penalty: number;
  counts_breaks: boolean;
  score: number;
  losses: Losses;
}

/** What a score was counted from. */
export interface Evidence {
  words: EvidenceWords;
  reference_idx: number | null;
  orders: Order[];
  edits: Edits | null;
  subsequence: Common[] | null;
  steps: Step[];
}

/** The words that were compared. */
export interface EvidenceWords {
  hypothesis: string[];
  references: string[][];
}

/** The n-grams of one order. */
export interface Order {
  unit: string;
  n: number;
  hypothesis: number;
  reference: number | null;
  matches: number;
  precision: number | null;
  recall: number | null;
  smoothed: boolean;
  ngrams: Ngram[];
}

/** One n-gram, and how often each side has it. */
export interface Ngram {
  text: string;
  hypothesis: number;
  reference: number;
  matches: number;
}

/** An edit path: moves of blocks, then edits. */
export interface Edits {
  shifts: Shift[];
  path: Edit[];
}

/** A moved block. */
export interface Shift {
  words: number[];
  from: number;
  to: number;
}

/** A step of an edit path. */
export interface Edit {
  kind: "keep" | "substitute" | "delete" | "insert";
  hypothesis: number | null;
  reference: number | null;
}

/** A word of a common subsequence. */
export interface Common {
  reference: number;
  hypothesis: number | null;
}

/** A step of a formula. */
export interface Step {
  name: string;
  formula: string;
  value: number;
}

/** Thrown by the engine; `name` is the kind. */
export interface EngineError extends Error {
  name: "UnknownDialect" | "InvalidSignature" | "InvalidSegment" | "InvalidTable" | "InvalidStatistics" | "NoAlignment" | "Unavailable";
}
