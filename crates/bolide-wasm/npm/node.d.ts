import type { Engine, Score } from "./bolide_wasm.js";

/** The engine with WordNet, built on the first call. */
export function loadEngine(): Engine;
/** The metric that is meant if none is named. */
export function defaultMetric(): string;
/** Scores a text. */
export function score(hypothesis: string, references: string | string[], metric?: string): Score;
/** Whether a smaller score is better, as in an error rate. */
export function lowerIsBetter(metric: string): boolean;
/** Why a score is what it is: the alignment, or the components of a metric without one. */
export function reason(hypothesis: string, references: string | string[], metric?: string): string;
