// A drawing as a file: SVG or PNG, on white.

import { INK, MUTED, node } from "./alignment.js";

// The drawing as the text of a file, on white, with lines of text below it: the score and its signature.
function toSvgText(svg, lines) {
  const copy = svg.cloneNode(true);
  const [width, height] = sizeOf(svg);
  // Long lines wrap: a signature has no spaces to break at.
  const room = Math.max(20, Math.floor((width - 12) / 6.7));
  const rows = lines.flatMap((line) => line.match(new RegExp(`.{1,${room}}`, "gu")) ?? []);
  rows.forEach((row, at) => copy.append(node("text", {
    x: 6, y: height + 14 + at * 16, fill: at === 0 ? INK : MUTED, "font-size": at === 0 ? 14 : 11, "font-weight": at === 0 ? 650 : null,
    "font-family": at === 0 ? null : "ui-monospace, monospace",
  }, row)));
  const tall = height + rows.length * 16 + (rows.length > 0 ? 6 : 0);
  copy.setAttribute("width", width);
  copy.setAttribute("height", tall);
  copy.setAttribute("viewBox", `0 0 ${width} ${tall}`);
  for (const element of copy.querySelectorAll("[tabindex]")) element.removeAttribute("tabindex");
  const back = node("rect", { width: "100%", height: "100%", fill: "#ffffff" });
  copy.insertBefore(back, copy.firstChild);
  return new XMLSerializer().serializeToString(copy);
}

const sizeOf = ({ viewBox: { baseVal: { width, height } } }) => [width, height];

export const toSvgBlob = (svg, lines = []) => new Blob([toSvgText(svg, lines)], { type: "image/svg+xml" });

// The drawing as a PNG at twice its size, on white.
export async function toPngBlob(svg, lines = []) {
  const address = URL.createObjectURL(toSvgBlob(svg, lines));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const { width, height } = image;
    // Browsers refuse very large canvases, so a very large drawing is not enlarged.
    const scale = Math.min(2, 8000 / Math.max(width, height));
    const board = document.createElement("canvas");
    board.width = Math.ceil(width * scale);
    board.height = Math.ceil(height * scale);
    const context = board.getContext("2d");
    context.scale(scale, scale);
    context.drawImage(image, 0, 0);
    return await new Promise((resolve, reject) => {
      board.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser made no picture"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
