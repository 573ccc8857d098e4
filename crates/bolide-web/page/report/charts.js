// Parts of charts: SVG elements, bins, axes.

const NAMESPACE = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

// Round steps between two numbers, at most `most` of them.
export function ticks(low, high, most = 5) {
  const span = high - low || 1;
  const raw = span / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw * 0.999);
  const list = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + step * 1e-9; at++) {
    list.push(Number((at * step).toPrecision(12)));
  }
  return list;
}

// The width that a container has for its content.
export function roomOf(element, least = 220) {
  const style = getComputedStyle(element);
  return Math.max(least, element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
}

// Counts values in bins of equal width; the last bin also counts all larger values.
export class Bins {
  constructor(low, high, n, isOpen = false) {
    Object.assign(this, { low, high, n, isOpen });
  }

  // Bins for values from 0 to `unit`, or somewhat beyond.
  static around(columns, unit, n = 20) {
    let [least, most] = [0, unit];
    for (const column of columns) {
      for (const value of column) {
        if (value < least) least = value;
        if (value > most) most = value;
      }
    }
    if (least >= 0 && most <= unit * (1 + 1e-9)) return new Bins(0, unit, n);
    // A few outliers must not squeeze all other values into one bar.
    const width = unit / n;
    const low = Math.max(-2 * unit, Math.floor(least / width) * width);
    const high = Math.min(1.5 * unit, Math.ceil(most / width) * width);
    return new Bins(low, high, Math.round((high - low) / width), true);
  }

  of(value) {
    if (Number.isNaN(value)) return -1;
    const at = Math.floor(((value - this.low) / (this.high - this.low)) * this.n + 1e-9);
    return Math.min(this.n - 1, Math.max(0, at));
  }

  edges(at) {
    const width = (this.high - this.low) / this.n;
    return [this.low + at * width, this.low + (at + 1) * width];
  }

  count(column, mask = null) {
    const counts = new Uint32Array(this.n);
    for (let at = 0; at < column.length; at++) {
      if (mask && !mask[at]) continue;
      const bin = this.of(column[at]);
      if (bin >= 0) counts[bin]++;
    }
    return counts;
  }
}
