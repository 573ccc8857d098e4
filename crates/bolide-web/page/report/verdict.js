// Whether a system is significantly better or worse than a baseline: the one rule for marks, CSV and LaTeX, which is that of
// `bolide compare`.

// "better" or "worse" if the difference is significant, "" if it is not, and null where there is no p: for the baseline itself and
// where a score is undefined. Equal scores do not differ, whatever their p.
export function verdict({ standings, metrics, test }, metric, system, baseline) {
  const { score: ours, p_values } = standings[metric][system];
  const { score: theirs } = standings[metric][baseline];
  const p = p_values[baseline];
  if (p === null) return null;
  if (p > test.level || ours === theirs) return "";
  return (ours > theirs) !== metrics[metric].lower_is_better ? "better" : "worse";
}
