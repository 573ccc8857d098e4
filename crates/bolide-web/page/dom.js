// Makes elements, and other small functions that every part of the page uses.

import { grouped, t } from "./strings.js";

// An element with properties and children. Children are nodes or strings, and strings become
// text: nothing on this page is ever parsed as HTML.
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== "list" && key !== "form") element[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

// A term of the glossary: glossary.js explains it where it is.
export const term = (name, ...children) => h("button", { type: "button", class: "term", "data-term": name }, ...children);

export const byId = (id) => document.getElementById(id);

// Shows a short message that disappears by itself, optionally with a button: { label, run }.
let hide = 0;
export function toast(text, action = null) {
  const place = byId("toast");
  const close = () => place.classList.remove("is-shown");
  place.replaceChildren(h("span", {}, text));
  if (action) {
    place.append(h("button", {
      type: "button", class: "toast-action", onclick: () => {
        close();
        action.run();
      },
    }, action.label));
  }
  place.classList.add("is-shown");
  clearTimeout(hide);
  hide = setTimeout(close, action ? 8000 : 2600);
}

// Copies text to the clipboard and says so.
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("{what} copied", { what }));
  } catch {
    toast(t("The browser did not let this page copy: {what}", { what }));
  }
}

// A part that scrolls sideways if it is too wide, also with the keyboard.
export function scroller(label, child) {
  return h("div", { class: "scroll", role: "region", tabIndex: 0, "aria-label": label }, child);
}

// Downloads a file.
export function download(name, blob) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  // The click only starts the download; the address must stay valid until it ends.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// Runs `action` when calls have stopped coming for `delay` milliseconds.
export function debounce(action, delay) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), delay);
  };
}

// Lets the browser handle waiting events (keys, frames) before the work continues.
export const breathe = () => globalThis.scheduler?.yield?.() ?? new Promise((resolve) => { setTimeout(resolve); });

export const plural = (n, word) => `${grouped(n)} ${word}${n === 1 ? "" : "s"}`;
