// Pairs of texts made from a seed: inflections, synonyms, shuffles, repeats, punctuation, other
// scripts. The same seed gives the same pairs.

const VOCABULARY = (
  "the the the a a of in on and to is was were are cat cats dog dogs house houses run runs running ran good well " +
  "goods better quick quickly rapid rapidly physician doctor doctors child children kid kids buy bought purchase " +
  "purchased begin start started commence big large little small happy glad mouse mice walk walked strolling talk " +
  "speak spoke car automobile film movie fall fell autumn answer reply sea ocean stone rock it's don't won't U.S. " +
  "Mr. 3.14 1,000 50% $5 e-mail well-known “quoted” (aside) end. stop! what? yes, no; café naïve Straße ΣΟΦΟΣ İstanbul " +
  "привет мир 你好 世界 こんにちは مرحبا שלום 🙂 👩‍👩‍👧 ﬁne <b> </script> & \"x\" 'y' _ - — … \u00a0 e\u0301"
).split(" ");

export function random(seed) {
  let state = seed >>> 0;
  return (n) => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  };
}

export function words(next, n) {
  return Array.from({ length: n }, () => VOCABULARY[next(VOCABULARY.length)]);
}

// A hypothesis made from its reference by edits and moves.
function altered(next, reference) {
  const list = [...reference];
  for (let edits = next(6); edits > 0; edits--) {
    const at = next(list.length + 1);
    const kind = next(4);
    if (kind === 0) list.splice(at, 1);
    else if (kind === 1) list.splice(at, 0, ...words(next, 1));
    else if (kind === 2) list.splice(at, 1, ...words(next, 1));
    else list.splice(next(list.length + 1), 0, ...list.splice(at, 1 + next(4)));
  }
  return list;
}

// Pairs of 60 to 300 words with few different ones, which are aligned by other ways than sentences.
export function longPairs(count, seed = 1) {
  const next = random(seed);
  return Array.from({ length: count }, (_, at) => {
    const different = words(next, [2, 3, 4, 8, 20, 60][at % 6]);
    const text = () => Array.from({ length: 60 + next(240) }, () => different[next(different.length)]).join(" ");
    return { hypothesis: text(), reference: text() };
  });
}

export function pairs(count, seed = 1) {
  const next = random(seed);
  return Array.from({ length: count }, (_, at) => {
    if (at === 0) return { hypothesis: "", reference: "" };
    if (at === 1) return { hypothesis: "the cat", reference: "" };
    if (at === 2) return { hypothesis: "", reference: "the cat" };
    const reference = words(next, 1 + next(28));
    const hypothesis = next(8) === 0 ? words(next, next(20)) : altered(next, reference);
    return { hypothesis: hypothesis.join(" "), reference: reference.join(" ") };
  });
}
