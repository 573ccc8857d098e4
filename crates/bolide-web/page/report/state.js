// The user's choices: two systems, a metric, filters, an order and a segment. Views subscribe to the
// state and change it; no view knows another.

export class State {
  #listeners = [];
  #waiting = new Set();
  #isTelling = false;

  constructor(values) {
    Object.assign(this, values);
    // Filters by key: { label, test(segment) }.
    this.filters = new Map();
  }

  // Calls `listener` with the set of changed names, after every change.
  subscribe(listener) {
    this.#listeners.push(listener);
  }

  set(changes) {
    const changed = new Set();
    for (const [name, value] of Object.entries(changes)) {
      if (this[name] !== value) {
        this[name] = value;
        changed.add(name);
      }
    }
    this.#tell(changed);
  }

  // Adds a filter, or removes it if it is already set.
  toggleFilter(key, filter) {
    if (this.filters.get(key)?.id === filter.id) this.filters.delete(key);
    else this.filters.set(key, filter);
    this.#tell(new Set(["filters"]));
  }

  removeFilter(key) {
    if (this.filters.delete(key)) this.#tell(new Set(["filters"]));
  }

  clearFilters() {
    if (this.filters.size === 0 && !this.query) return;
    this.filters.clear();
    const changed = new Set(["filters"]);
    if (this.query) {
      this.query = "";
      changed.add("query");
    }
    this.#tell(changed);
  }

  // A listener may change the state again: listeners hear of it after the current change.
  #tell(changed) {
    for (const name of changed) this.#waiting.add(name);
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      while (this.#waiting.size > 0) {
        const now = this.#waiting;
        this.#waiting = new Set();
        for (const listener of this.#listeners) listener(now);
      }
    } finally {
      this.#isTelling = false;
    }
  }
}

// Whether any of the names is in the set.
export const touches = (changed, ...names) => names.some((name) => changed.has(name));
