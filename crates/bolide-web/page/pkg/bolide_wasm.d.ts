/* tslint:disable */
/* eslint-disable */
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



/**
 * A corpus in the making.
 */
export class Corpus {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Scores the next segments: one hypothesis and one list of references each.
     */
    add(hypotheses: string[], references: string[][]): Score[];
    /**
     * The score of everything added so far.
     */
    finish(): Score;
}

/**
 * The tables, and the metrics that were built with them.
 */
export class Engine {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Starts a corpus, to be fed in slices so that the caller can show its progress.
     */
    corpus(metric: string): Corpus;
    /**
     * One dialect of the registry: that of a metric by its name or its signature. Listing all takes longer than a score.
     */
    dialect(metric: string): Dialect;
    /**
     * The registry: every dialect, what it reproduces and declares, its keys, and what it is missing.
     */
    dialects(): Dialect[];
    /**
     * What the score of one segment was counted from: n-grams, edits, the steps of the formula; `undefined` for a
     * metric whose alignment shows all of it.
     */
    evidence(metric: string, hypothesis: string, references: string[]): Evidence | undefined;
    /**
     * The alignment of one segment and every step to its score; `undefined` for a metric that has
     * no alignment.
     */
    explain(metric: string, hypothesis: string, references: string[]): Explanation | undefined;
    /**
     * The families of dialects, in the same order.
     */
    families(): Family[];
    /**
     * Why the score of a segment may mean little, such as letters of another language; `undefined` for nearly all.
     */
    hint(metric: string, hypothesis: string, references: string[]): string | undefined;
    /**
     * Adds WordNet from the bytes of `wordnet-3.0.dat`.
     */
    loadLexicon(bytes: Uint8Array | number[]): void;
    /**
     * Adds METEOR 1.5's paraphrases from the bytes that a [`Paraphrases`] made, and returns how many there are.
     */
    loadParaphrases(bytes: Uint8Array | number[]): number;
    /**
     * An engine with the sentence model and METEOR 1.5's word lists, and without WordNet.
     */
    constructor();
    /**
     * The score of one segment.
     */
    score(metric: string, hypothesis: string, references: string[]): Score;
    /**
     * The full signature of a partial one.
     */
    signature(metric: string): string;
    /**
     * The version of bolide.
     */
    readonly version: string;
}

/**
 * A paraphrase table in the making, from the text of the user's own file, unpacked.
 */
export class Paraphrases {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The compiled table. `code` is the language, as in `paraphrase-en.gz`; `source` is the SHA-256 of the file,
     * which names the table in signatures.
     */
    finish(code: string, source: Uint8Array | number[]): Uint8Array;
    /**
     * A table without records.
     */
    constructor();
    /**
     * Reads the next bytes of the text.
     */
    read(bytes: Uint8Array | number[]): void;
}

export type InitInput = RequestInfo | URL | Response | BufferSource | WebAssembly.Module;

export interface InitOutput {
    readonly memory: WebAssembly.Memory;
    readonly __wbg_corpus_free: (a: number, b: number) => void;
    readonly __wbg_engine_free: (a: number, b: number) => void;
    readonly __wbg_paraphrases_free: (a: number, b: number) => void;
    readonly corpus_add: (a: number, b: number, c: number, d: any) => [number, number, number];
    readonly corpus_finish: (a: number) => [number, number, number];
    readonly engine_corpus: (a: number, b: number, c: number) => [number, number, number];
    readonly engine_dialect: (a: number, b: number, c: number) => [number, number, number];
    readonly engine_dialects: (a: number) => [number, number, number];
    readonly engine_evidence: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number];
    readonly engine_explain: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number];
    readonly engine_families: (a: number) => [number, number, number];
    readonly engine_hint: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number, number];
    readonly engine_loadLexicon: (a: number, b: number, c: number) => [number, number];
    readonly engine_loadParaphrases: (a: number, b: number, c: number) => [number, number, number];
    readonly engine_new: () => [number, number, number];
    readonly engine_score: (a: number, b: number, c: number, d: number, e: number, f: number, g: number) => [number, number, number];
    readonly engine_signature: (a: number, b: number, c: number) => [number, number, number, number];
    readonly engine_version: (a: number) => [number, number];
    readonly paraphrases_finish: (a: number, b: number, c: number, d: number, e: number) => [number, number, number, number];
    readonly paraphrases_new: () => number;
    readonly paraphrases_read: (a: number, b: number, c: number) => [number, number];
    readonly __wbindgen_malloc: (a: number, b: number) => number;
    readonly __wbindgen_realloc: (a: number, b: number, c: number, d: number) => number;
    readonly __wbindgen_free: (a: number, b: number, c: number) => void;
    readonly __wbindgen_exn_store: (a: number) => void;
    readonly __externref_table_alloc: () => number;
    readonly __wbindgen_externrefs: WebAssembly.Table;
    readonly __externref_drop_slice: (a: number, b: number) => void;
    readonly __externref_table_dealloc: (a: number) => void;
    readonly __wbindgen_start: () => void;
}

export type SyncInitInput = BufferSource | WebAssembly.Module;

/**
 * Instantiates the given `module`, which can either be bytes or
 * a precompiled `WebAssembly.Module`.
 *
 * @param {{ module: SyncInitInput }} module - Passing `SyncInitInput` directly is deprecated.
 *
 * @returns {InitOutput}
 */
export function initSync(module: { module: SyncInitInput } | SyncInitInput): InitOutput;

/**
 * If `module_or_path` is {RequestInfo} or {URL}, makes a request and
 * for everything else, calls `WebAssembly.instantiate` directly.
 *
 * @param {{ module_or_path: InitInput | Promise<InitInput> }} module_or_path - Passing `InitInput` directly is deprecated.
 *
 * @returns {Promise<InitOutput>}
 */
export default function __wbg_init (module_or_path?: { module_or_path: InitInput | Promise<InitInput> } | InitInput | Promise<InitInput>): Promise<InitOutput>;
