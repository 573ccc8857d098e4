// Runs before anything is drawn: the colours that were chosen, and whether the page opens with somebody's own text.
// Everything else is in modules, which come later.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; then nothing is kept.
}
// The page shows its first example until the engine is there; a link or a draft has other text.
if (location.hash.length > 1 || history.state?.hypothesis !== undefined) document.documentElement.classList.add("has-own-text");
if (new URLSearchParams(location.search).get("embed") === "1") document.documentElement.classList.add("is-embedded");
