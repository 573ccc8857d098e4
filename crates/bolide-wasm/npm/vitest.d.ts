import "vitest";

interface ScoreMatchers<R> {
  /** The score of this text by a metric is not below the limit. */
  toScoreAtLeast(references: string | string[], limit: number, metric?: string): R;
  /** The score of this text by a metric is not above the limit. */
  toScoreAtMost(references: string | string[], limit: number, metric?: string): R;
}

declare module "vitest" {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  interface Matchers<T = any> extends ScoreMatchers<T> {}
}

export const matchers: Record<string, (...args: unknown[]) => { pass: boolean; message: () => string }>;
