// Keeps the page for when there is no network.
//
// While there is a network every file comes from it, so that the files of two versions never mix; a server that
// knows ETags answers with a few bytes. Without one the kept files are used. The synonym table never changes under
// its name: it is kept by engine.js when it is first needed, and taken from here first.

const KEPT = "bolide";
const FILES = [
  "./", "style.css", "alignment.css", "icon.svg", "manifest.webmanifest", "early.js", "app.js", "alignment.js",
  "batch.js", "beside.js", "compare.js", "dom.js", "engine.js", "examples.js", "files.js", "formula.js", "inputs.js", "matrix.js",
  "options.js", "others.js", "permalink.js", "result.js", "steps.js", "takeaway.js", "worker.js", "pkg/bolide_wasm.js", "pkg/bolide_wasm_bg.wasm",
];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(answer(event, request));
});

async function answer(event, request) {
  const kept = await caches.open(KEPT);
  const known = await kept.match(request, { ignoreSearch: request.mode === "navigate" });
  if (known && request.url.includes("wordnet")) return known;
  try {
    const response = await fetch(request);
    if (response.ok && known) event.waitUntil(kept.put(request, response.clone()));
    return response;
  } catch (problem) {
    if (known) return known;
    throw problem;
  }
}
