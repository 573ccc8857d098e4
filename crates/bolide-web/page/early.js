// Runs before anything is drawn: sets the chosen colours and the language, marks a page that opens with the user's own
// text, and starts to load the engine. Everything else is in modules, which load later.
{
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
  if (asked.get("embed") === "1") root.classList.add("is-embedded");
  const languages = ["en", "de", "es", "fr", "zh", "ja", "hi"];
  const wanted = [asked.get("lang"), stored("language"), ...navigator.languages].map((name) => (name ?? "").slice(0, 2).toLowerCase());
  root.lang = wanted.find((name) => languages.includes(name)) ?? "en";
  const preload = (attributes) => document.head.append(Object.assign(document.createElement("link"), attributes));
  if (root.lang !== "en") preload({ rel: "modulepreload", href: `strings/${root.lang}.js` });
  // The engine, most of what is loaded, comes after the first paint: until then, style sheets need the network more. The
  // first worker fetches it, beside the scripts of the page, and engine.js takes both over. If that fails, it makes its own.
  let early = null;
  const begin = () => {
    const worker = new Worker("worker.js", { type: "module", name: "first" });
    const module = new Promise((resolve, reject) => {
      worker.addEventListener("error", reject);
      worker.addEventListener("message", ({ data }) => {
        if (data.module) resolve(data.module);
        else if (data.module === null) reject(new Error("the engine could not be loaded"));
      });
    });
    module.catch(() => { worker.hasFailed = true; });
    return { worker, module };
  };
  globalThis.startEngine = () => {
    early ??= begin();
    return early;
  };
  requestAnimationFrame(() => setTimeout(globalThis.startEngine));
}
