// Finds texts of a page whose contrast with their background is below 4.5 to 1, by WCAG's definition.

export function poorContrast(page) {
  return page.evaluate(() => {
    const board = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const channels = (color) => {
      board.clearRect(0, 0, 1, 1);
      board.fillStyle = color;
      board.fillRect(0, 0, 1, 1);
      return board.getImageData(0, 0, 1, 1).data;
    };
    const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
    const ground = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const color = channels(getComputedStyle(at).backgroundColor);
        if (color[3] > 250) return color;
      }
      return [255, 255, 255, 255];
    };
    const list = [];
    for (const element of document.querySelectorAll("p, label, dt, dd, h1, h2, h3, button, th, td, code, summary, li, span, legend, small, b, a, figcaption, bdi")) {
      const own = [...element.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
      if (!own || !element.checkVisibility() || element.closest("[disabled], svg, .is-old, [aria-busy=true], .toast, .visually-hidden, .skip")) continue;
      const [a, b] = [light(channels(getComputedStyle(element).color)), light(ground(element))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < 4.5) list.push(`${element.tagName} ${element.className} ${element.textContent.slice(0, 30)}: ${ratio.toFixed(2)}`);
    }
    return list;
  });
}
