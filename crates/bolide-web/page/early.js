// Runs before anything is drawn: sets the chosen colours, and marks a page that opens with the user's own text.
// Everything else is in modules, which load later.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; then no choice is stored.
}
// The page shows its first example until the engine is loaded; a link or a draft has other text.
if (location.hash.length > 1 || history.state?.hypothesis !== undefined) document.documentElement.classList.add("has-own-text");
if (new URLSearchParams(location.search).get("embed") === "1") document.documentElement.classList.add("is-embedded");
