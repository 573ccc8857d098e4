/** promptfoo's `javascript` assertion: see promptfoo.js for its config. */
export default function assertion(
  output: string,
  context: { vars?: Record<string, unknown>; config?: { metric?: string; threshold?: number; reference?: string | string[] } },
): { pass: boolean; score: number; reason: string };
