// Numbers and names as the report writes them.

// A score with the decimals of its metric; a number that does not exist is a dash.
export function fixed(x, decimals) {
  return x === null || x === undefined || Number.isNaN(x) ? "–" : x.toFixed(decimals).replace("-", "−");
}

// A difference with its sign.
export function signed(x, decimals) {
  const text = fixed(x, decimals);
  return x > 0 ? `+${text}` : text;
}

// A p-value in the least room: .042, <.001.
export const shortP = (p) => (p < 0.001 ? "<.001" : p.toFixed(3).replace(/^0/, ""));

export const count = (n) => n.toLocaleString("en");

export const percent = (part, whole) => (whole > 0 ? `${Math.round((100 * part) / whole)} %` : "–");

// Short names of systems: "out/system-a.txt" becomes "system-a". A common beginning and end of all names, up to a dot or a
// slash, is removed too.
export function shortNames(names) {
  const stems = common(names).map((name) => name.replace(/^.*\/(?=.)/, "").replace(/(?<=.)(\.[a-z]{2,6})+$/i, ""));
  return new Set(stems).size === new Set(names).size ? stems : [...names];
}

function common(names) {
  if (names.length < 2) return [...names];
  const isSeparator = (letter) => /[./]/.test(letter);
  const cut = (list) => {
    const [first] = list;
    let end = 0;
    for (let at = 0; at < first.length && list.every((name) => name[at] === first[at]); at++) {
      if (isSeparator(first[at])) end = at + 1;
    }
    return end;
  };
  const reversed = names.map((name) => [...name].reverse().join(""));
  const [start, tail] = [cut(names), cut(reversed)];
  const short = names.map((name) => name.slice(start, name.length - tail));
  const distinct = new Set(short).size === names.length && short.every((name) => name.length > 0);
  return distinct ? short : [...names];
}
