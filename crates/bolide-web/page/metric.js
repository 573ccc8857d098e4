// Partial signatures: a name and its keys. The page and its workers use it.

// A partial signature as a name and its keys, and back.
export function splitMetric(text) {
  const [name, ...parts] = text.split("|");
  const keys = new Map();
  for (const part of parts) {
    const at = part.indexOf(":");
    if (at > 0) keys.set(part.slice(0, at), part.slice(at + 1));
  }
  return { name, keys };
}

export function joinMetric(name, keys) {
  return [name, ...[...keys].map(([key, value]) => `${key}:${value}`)].join("|");
}

// The metric with the most stages among those that need no synonyms, if its dialect has such stages; otherwise null.
export function withoutSynonyms(metric, dialect) {
  const { name, keys } = splitMetric(metric);
  const words = dialect.keys.find((key) => key.name === "match")?.words ?? [];
  const wanted = keys.get("match")?.split("+");
  const able = words.filter((word) => !/synonym|paraphrase/.test(word) && (!wanted || word.split("+").every((stage) => wanted.includes(stage))));
  if (able.length === 0) return null;
  const most = able.reduce((a, b) => (b.split("+").length > a.split("+").length ? b : a));
  return joinMetric(name, new Map([...keys, ["match", most]]));
}
