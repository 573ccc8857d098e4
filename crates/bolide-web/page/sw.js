// Makes the page work offline.
//
// If there is a network, every file comes from it, so that files of two versions never mix; a server with ETags
// responds with a few bytes. Without a network, the stored files are used. WordNet's tables never change under
// their names: engine.js and glosses.js store them when they are first needed, and from then on the stored copies are used.

const KEPT = "bolide";
const FILES = [
  "./", "style.css", "alignment.css", "icon.svg", "manifest.webmanifest", "early.js", "app.js", "alignment.js",
  "batch.js", "beside.js", "compare.js", "dom.js", "engine.js", "evidence.js", "examples.js", "files.js", "formula.js", "glossary.js", "glosses.js",
  "inputs.js", "language.js", "lesson.js", "matrix.js", "metric.js", "options.js", "overlay.js", "paraphrases.js", "permalink.js", "picture.js",
  "result.js", "steps.js", "strings.js", "takeaway.js", "whatif.js", "worker.js", "pkg/bolide_wasm.js", "pkg/bolide_wasm_bg.wasm",
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
