// The language of the page: loads its texts, puts them into the markup, and fills the picker. early.js has chosen it:
// ?lang=, the reader's choice, or the browser's.

import { byId } from "./dom.js";
import { speak, t } from "./strings.js";

const language = document.documentElement.lang;
// The names of the languages that the page speaks. They are put into the picker late: the fonts of so many scripts take time.
const NAMES = { en: "English", de: "Deutsch", es: "Español", fr: "Français", zh: "中文", ja: "日本語", hi: "हिन्दी" };
// Elements inside a sentence. A translation may put them elsewhere in it.
const INLINE = /^(A|B|BUTTON|CODE|EM|I|SMALL|SPAN|STRONG|SUB|SUP)$/;
const ATTRIBUTES = ["aria-label", "title", "placeholder"];

const plain = (text) => text.replace(/\s+/g, " ").trim();
const tag = (element) => element.tagName.toLowerCase();

// The texts of the markup: what each says in English, and a function that replaces it. What scripts write (data-own) is
// left out.
export function messages(root = document) {
  const list = [];
  const visit = (element) => {
    if (element.matches("script, style, svg, textarea, [data-own]")) return;
    for (const name of ATTRIBUTES) {
      const text = element.getAttribute(name);
      if (text) list.push({ text, put: (other) => element.setAttribute(name, other) });
    }
    const nodes = [...element.childNodes].filter(({ nodeType }) => nodeType !== Node.COMMENT_NODE);
    const isSentence = nodes.some((node) => node.nodeType === Node.TEXT_NODE && /\p{L}/u.test(node.data)) &&
      nodes.every((node) => node.nodeType === Node.TEXT_NODE || (INLINE.test(node.tagName) && node.children.length === 0 && !node.dataset.own));
    if (!isSentence) {
      for (const child of element.children) visit(child);
      return;
    }
    const inner = [...element.children];
    const text = plain(nodes.map((node) => (node.nodeType === Node.TEXT_NODE ? node.data : `<${tag(node)}>${node.textContent}</${tag(node)}>`)).join(""));
    list.push({ text, put: (other) => element.replaceChildren(...pieces(other, inner)) });
  };
  visit(root.documentElement);
  return list.filter(({ text }) => /\p{L}{2}/u.test(text));
}

// The parts of a text with <tags>, each of which is one of the elements. Nothing is parsed as HTML.
function pieces(text, elements) {
  const left = [...elements];
  return text.split(/<(\w+)>(.*?)<\/\1>/).reduce((list, piece, at, all) => {
    if (at % 3 === 0) return [...list, piece];
    if (at % 3 === 1) {
      const found = left.findIndex((element) => tag(element) === piece);
      if (found < 0) return [...list, all[at + 1]];
      const [element] = left.splice(found, 1);
      element.textContent = all[at + 1];
      return [...list, element];
    }
    return list;
  }, []);
}

// The file with the texts; null for English, which has none.
export const stringsFile = () => (language === "en" ? null : `strings/${language}.js`);

// Fills the picker.
export function offerLanguages() {
  const picker = byId("language");
  const { value } = picker;
  picker.replaceChildren(...Object.entries(NAMES).map(([code, name]) => Object.assign(new Option(name, code), { lang: code })));
  picker.value = value;
}

// Without the texts, the page stays English.
export async function translate() {
  const picker = byId("language");
  picker.replaceChildren(new Option(NAMES[language], language));
  picker.addEventListener("change", () => {
    try {
      localStorage.setItem("language", picker.value);
    } catch {
      // Storage may be forbidden; then the address holds the choice.
    }
    const address = new URL(location.href);
    address.searchParams.set("lang", picker.value);
    history.replaceState(history.state, "", address);
    // A reload keeps the text.
    location.reload();
  });
  if (language === "en") return;
  try {
    speak(language, (await import(`./${stringsFile()}`)).default);
    for (const { text, put } of messages()) put(t(text));
  } catch {
    document.documentElement.lang = "en";
    picker.replaceChildren(new Option(NAMES.en, "en"));
  }
}
