// The page's side of the workers: the compiled modules, which they share, and the only copy of every table.
//
// A metric that needs something that its worker lacks fails there with the name Unavailable. The page then fetches it, once,
// passes it on and repeats the call: WordNet, the synonyms of another language, the dictionaries of words, or the larger module,
// which knows the other languages. Nothing is fetched before it is needed.

// The module of the first score, and the one with all languages: the engine compiled with more of its features.
const SMALL = "bolide_wasm";
const LARGE = "bolide_wasm_languages";
const TABLE = "pkg/wordnet-3.0.dat";
// Where the user's own table is stored: not a file of the page.
const OWN_TABLE = "own/paraphrases";

const compiled = new Map();
// Once a text needed the larger module, new workers start with it.
let edition = SMALL;

// What early.js has started: the first worker, and the small module that it fetches.
const { early } = globalThis;

// Compiles while the bytes arrive, if the server sends their type. After a failure, the next call tries again.
function compile(name) {
  if (!compiled.has(name)) {
    const module = name === SMALL ? early.module.catch(() => fetchModule(name)) : fetchModule(name);
    compiled.set(name, module.catch((problem) => {
      compiled.delete(name);
      throw problem;
    }));
  }
  return compiled.get(name);
}

async function fetchModule(name) {
  const address = `pkg/${name}_bg.wasm`;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: status ${response.status}`);
  if (name === LARGE) {
    keep(address, response.clone());
    // The worker imports it.
    fetch(`pkg/${name}.js`).then((script) => keep(`pkg/${name}.js`, script)).catch(() => {});
  }
  const isNamed = response.headers.get("Content-Type") === "application/wasm";
  return isNamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

export const lexicon = new (class extends EventTarget {
  state = "absent"; // absent, loading, ready, failed
  loaded = 0;
  total = 0;
  #bytes = null;

  // The bytes of the table; rejects if they cannot be loaded. The next call tries again.
  load() {
    this.#bytes ??= this.#fetch().catch((problem) => {
      this.#bytes = null;
      this.#tell("failed");
      const error = new Error(`The synonym table could not be loaded (${problem.message})`);
      error.name = "LexiconFailed";
      throw error;
    });
    return this.#bytes;
  }

  #tell(state) {
    this.state = state;
    this.dispatchEvent(new Event("change"));
  }

  async #fetch() {
    this.#tell("loading");
    const address = packed(TABLE);
    const response = await fetch(address);
    if (!response.ok) throw new Error(`status ${response.status}`);
    keep(address, response.clone());
    this.total = Number(response.headers.get("Content-Length")) || 0;
    const parts = [];
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      this.loaded += value.length;
      this.#tell("loading");
    }
    const bytes = await unpacked(new Blob(parts));
    this.#tell("ready");
    return bytes;
  }
})();

// The file to fetch: packed, if the browser can unpack it.
const packed = (address) => ("DecompressionStream" in globalThis ? `${address}.gz` : address);

// The bytes of such a file. Some servers unpack .gz files before sending them; the first two bytes show it.
async function unpacked(blob) {
  const [first, second] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  const isPacked = first === 0x1f && second === 0x8b;
  const whole = isPacked ? new Response(blob.stream().pipeThrough(new DecompressionStream("gzip"))) : blob;
  return new Uint8Array(await whole.arrayBuffer());
}

// Stores a response for offline use; sw.js serves it.
export async function keep(address, response) {
  try {
    await (await caches.open("bolide")).put(address, response);
  } catch {
    // The browser stores nothing, or has no space left.
  }
}

// The user's own paraphrase table, compiled: stored for later visits, or, if the browser stores nothing, kept until the page
// is left. Returns whether it is stored.
let ownTable = null;
export async function keepTable(bytes) {
  ownTable = null;
  try {
    await (await caches.open("bolide-tables")).put(OWN_TABLE, new Response(bytes));
    return true;
  } catch {
    ownTable = new Blob([bytes]);
    return false;
  }
}

async function storedTable() {
  if (ownTable) return ownTable;
  try {
    return await (await (await caches.open("bolide-tables")).match(OWN_TABLE))?.blob() ?? null;
  } catch {
    return null;
  }
}

// The synonyms of other languages, by the name of their file. They are stored for offline use, as WordNet is.
const synonyms = new Map();
function loadSynonyms(name) {
  if (!synonyms.has(name)) {
    const load = async () => {
      const address = `pkg/${name}`;
      const response = await fetch(address);
      if (!response.ok) throw new Error(`The synonyms could not be loaded (${address}: status ${response.status})`);
      keep(address, response.clone());
      return new Uint8Array(await response.arrayBuffer());
    };
    synonyms.set(name, load().catch((problem) => {
      synonyms.delete(name);
      throw problem;
    }));
  }
  return synonyms.get(name);
}

// The dictionaries of words, by the name of their file; stored for offline use too.
let words = null;
function loadWords(name) {
  words ??= (async () => {
    const address = packed(`pkg/${name}`);
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: status ${response.status}`);
    keep(address, response.clone());
    return unpacked(await response.blob());
  })().catch((problem) => {
    words = null;
    throw new Error(`The dictionaries could not be loaded (${problem.message}); tok:unspaced takes characters`);
  });
  return words;
}

// A worker with the engine. Calls are answered in order; `stop` ends the worker at any time.
export class Client {
  #worker = null;
  #waiting = new Map();
  #next = 1;
  #edition = null;
  // Called when the worker has the larger module.
  onLanguages = null;
  // What the worker was given beyond its module.
  #has = new Set();

  #start() {
    const first = takeFirst();
    const worker = first ?? new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => this.#take(data));
    worker.addEventListener("error", (event) => {
      // The module could not be loaded, or it trapped: this worker cannot be used any more.
      if (worker === this.#worker) this.stop(event.message || "the engine could not be started");
    });
    this.#worker = worker;
    this.#edition = edition;
    this.#has.clear();
    // The first worker has it, unless it could not fetch it.
    compile(edition).then(
      (module) => (first && !first.hasFailed) || worker.postMessage({ module, bindings: this.#edition === SMALL ? null : `./pkg/${this.#edition}.js` }),
      (problem) => {
        if (worker === this.#worker) this.stop(problem.message);
      });
  }

  #take({ id, result, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (!waiting) return;
    if (error) waiting.reject(Object.assign(new Error(error.message), { name: error.name }));
    else waiting.resolve(result);
  }

  get isBusy() {
    return this.#waiting.size > 0;
  }

  stop(reason = "stopped") {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    const error = Object.assign(new Error(reason), { name: "Stopped" });
    for (const { reject } of waiting) reject(error);
  }

  #send(call, args) {
    if (!this.#worker) this.#start();
    return new Promise((resolve, reject) => {
      const message = { id: this.#next++, call, ...args };
      this.#waiting.set(message.id, { resolve, reject, message });
      const asked = this.#worker === early.worker ? takeAsked(call, args) : null;
      if (asked) asked.then((answer) => this.#take({ ...answer, id: message.id }));
      else this.#worker.postMessage(message);
    });
  }

  // Calls the worker. What it lacks is passed on and the call repeated; WordNet is fetched only if `fetchLexicon` is true or
  // the page already has it. If there is nothing to pass on, the lack remains an error.
  async call(call, args = {}, { fetchLexicon = true } = {}) {
    try {
      return await this.#send(call, args);
    } catch (problem) {
      if (problem.name !== "Unavailable" || !(await this.#provide(problem.message, fetchLexicon))) throw problem;
    }
    return this.call(call, args, { fetchLexicon });
  }

  // Gives the worker what an error says is missing; false if there is nothing to give.
  async #provide(message, fetchLexicon) {
    const [table] = message.match(/synonyms-[a-z]+\.dat/) ?? [];
    if (table) return this.#give(table, async () => ["synonyms", { bytes: await loadSynonyms(table) }]);
    const [dictionaries] = message.match(/words-[\w.-]+\.dat/) ?? [];
    if (dictionaries) return this.#give(dictionaries, async () => ["words", { bytes: await loadWords(dictionaries) }]);
    if (message.includes("WordNet")) {
      if (!fetchLexicon && lexicon.state !== "ready") return false;
      return this.#give("WordNet", async () => ["lexicon", { bytes: await lexicon.load() }]);
    }
    if (message.includes("not part of this build")) return this.useLanguages();
    if (!message.includes("paraphrase")) return false;
    return this.#give("paraphrases", async () => {
      const own = await storedTable();
      return own && ["paraphrases", { table: own }];
    });
  }

  // Every table is given once: if it is missing afterwards, it is not the one that was asked for.
  async #give(what, prepare) {
    if (this.#has.has(what)) return false;
    const worker = this.#worker;
    const message = await prepare();
    if (!message) return false;
    if (worker === this.#worker && !this.#has.has(what)) await this.#send(...message);
    if (worker === this.#worker) this.#has.add(what);
    return true;
  }

  // Replaces the worker with one that has the larger module; calls that wait are asked again. False if it has it already.
  async useLanguages() {
    if (this.#edition === LARGE) return false;
    await compile(LARGE);
    if (this.#edition === LARGE) return true;
    edition = LARGE;
    this.#worker?.terminate();
    this.#start();
    for (const { message } of this.#waiting.values()) this.#worker.postMessage(message);
    this.onLanguages?.();
    return true;
  }

  // After another table was given: the next call that needs it passes it on.
  forgetOwnTable() {
    this.#has.delete("paraphrases");
  }
}

// The worker that early.js started, for the first client that asks, unless it could not be loaded.
let isTaken = false;
function takeFirst() {
  const isFree = !isTaken && !early.worker.hasFailed && edition === SMALL;
  isTaken = true;
  return isFree ? early.worker : null;
}

// The answer to what early.js has asked, if the page's first request is the same.
function takeAsked(call, args) {
  if (call !== "result") return null;
  const { asked } = early;
  early.asked = null;
  return asked?.request === JSON.stringify(args) ? asked.answer : null;
}
