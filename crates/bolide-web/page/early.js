// Runs before anything is drawn: sets the chosen colours and the language, marks a page that opens with the user's own
// text, and starts to load the engine. Everything else is in modules, which load later.
{
  // The first worker fetches the engine, most of what is loaded, beside everything that the page does meanwhile. engine.js takes
  // both over; if that fails, it makes its own. A short link is scored before the scripts of the page ask for it: they take the
  // answer, if they ask for the same. The request is the worker's name, because a message would wait until the page, which is
  // busy now, learns that the worker is there.
  const link = new URLSearchParams(location.hash.slice(1));
  const [metric, hypothesis, references] = [link.get("m"), link.get("h"), link.getAll("r").filter((text) => text.trim() !== "")];
  const isShort = metric && hypothesis?.trim() && references.length > 0 && location.hash.length < 2000;
  const request = isShort ? JSON.stringify({ metric, hypothesis, references, mayLack: true }) : null;
  const worker = new Worker("worker.js", { type: "module", name: `first ${request ?? ""}` });
  const heard = (use) => worker.addEventListener("message", ({ data }) => use(data));
  const module = new Promise((resolve, reject) => {
    worker.addEventListener("error", reject);
    heard((data) => {
      if (data.module) resolve(data.module);
      else if (data.module === null) reject(new Error("the engine could not be loaded"));
    });
  });
  module.catch(() => { worker.hasFailed = true; });
  const answer = new Promise((resolve) => { heard((data) => { if (data.id === 0) resolve(data); }); });
  globalThis.early = { worker, module, asked: request ? { request, answer } : null };

  const root = document.documentElement;
  const asked = new URLSearchParams(location.search);
  const stored = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      // Storage may be forbidden; then no choice is stored.
      return null;
    }
  };
  const theme = stored("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  // The page shows its first example until the engine is loaded; a link or a draft has other text.
  if (location.hash.length > 1 || history.state?.hypothesis !== undefined) root.classList.add("has-own-text");
  // Until there is a score, a phone lays out only what its first screen shows (style.css). A page that gets none is shown whole too.
  root.classList.add("is-opening");
  setTimeout(() => root.classList.remove("is-opening"), 3000);
  if (asked.get("embed") === "1") root.classList.add("is-embedded");
  const languages = ["en", "de", "es", "fr", "zh", "ja", "hi"];
  const wanted = [asked.get("lang"), stored("language"), ...navigator.languages].map((name) => (name ?? "").slice(0, 2).toLowerCase());
  root.lang = wanted.find((name) => languages.includes(name)) ?? "en";
  const preload = (attributes) => document.head.append(Object.assign(document.createElement("link"), attributes));
  if (root.lang !== "en") preload({ rel: "modulepreload", href: `strings/${root.lang}.js` });
}
