// The page's side of the workers: the compiled module, which they share, and the only copy of the synonym table.
//
// A metric that needs WordNet fails in the worker with the name Unavailable; the page then fetches
// the table, once, passes it on and repeats the call. Nothing is fetched before it is needed.

const MODULE = "pkg/bolide_wasm_bg.wasm";
const TABLE = "pkg/wordnet-3.0.dat";
// Where the user's own table is stored: not a file of the page.
const OWN_TABLE = "own/paraphrases";

let compiled = null;

// The page is painted before its largest file takes the network. A page that nobody sees is not painted.
const painted = new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, 300);
});

// Compiles while the bytes arrive, if the server sends their type. After a failure, the next call tries again.
function compile() {
  compiled ??= (async () => {
    await painted;
    const response = await fetch(MODULE);
    if (!response.ok) throw new Error(`${MODULE}: status ${response.status}`);
    const isNamed = response.headers.get("Content-Type") === "application/wasm";
    return isNamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
  })().catch((problem) => {
    compiled = null;
    throw problem;
  });
  return compiled;
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
    const packed = "DecompressionStream" in globalThis;
    const address = packed ? `${TABLE}.gz` : TABLE;
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
    let blob = new Blob(parts);
    // Some servers unpack .gz files before sending them; the first two bytes show it.
    const [first, second] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
    if (first === 0x1f && second === 0x8b) {
      const stream = blob.stream().pipeThrough(new DecompressionStream("gzip"));
      blob = await new Response(stream).blob();
    }
    const bytes = new Uint8Array(await blob.arrayBuffer());
    this.#tell("ready");
    return bytes;
  }
})();

// Stores a response for offline use; sw.js serves it.
async function keep(address, response) {
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

// A worker with the engine. Calls are answered in order; `stop` ends the worker at any time.
export class Client {
  #worker = null;
  #waiting = new Map();
  #next = 1;
  #hasLexicon = false;
  #hasOwnTable = false;

  #start() {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data: { id, result, error } }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (!waiting) return;
      if (error) waiting.reject(Object.assign(new Error(error.message), { name: error.name }));
      else waiting.resolve(result);
    });
    worker.addEventListener("error", (event) => {
      // The module could not be loaded, or it trapped: this worker cannot be used any more.
      this.stop(event.message || "the engine could not be started");
    });
    this.#worker = worker;
    this.#hasLexicon = false;
    this.#hasOwnTable = false;
    compile().then((module) => worker.postMessage({ module }), (problem) => this.stop(problem.message));
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
      const id = this.#next++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, call, ...args });
    });
  }

  // Calls the worker. A missing table is fetched if `fetchLexicon` is true, or passed on if the page already has it. The
  // user's own table is passed on if there is one; otherwise its lack remains an error.
  async call(call, args = {}, { fetchLexicon = true } = {}) {
    try {
      return await this.#send(call, args);
    } catch (problem) {
      if (problem.name !== "Unavailable") throw problem;
      if (problem.message.includes("WordNet") && !this.#hasLexicon && (fetchLexicon || lexicon.state === "ready")) {
        const bytes = await lexicon.load();
        if (!this.#hasLexicon) await this.#send("lexicon", { bytes });
        this.#hasLexicon = true;
      } else if (problem.message.includes("paraphrase") && !this.#hasOwnTable) {
        const table = await storedTable();
        if (!table) throw problem;
        if (!this.#hasOwnTable) await this.#send("paraphrases", { table });
        this.#hasOwnTable = true;
      } else {
        throw problem;
      }
    }
    return this.call(call, args, { fetchLexicon });
  }

  // After another table was given: the next call that needs it passes it on.
  forgetOwnTable() {
    this.#hasOwnTable = false;
  }
}
