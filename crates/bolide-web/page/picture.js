// A drawing as a file: SVG or PNG, on white.

import { node } from "./alignment.js";

// The drawing as the text of a file, on white.
function toSvgText(svg) {
  const copy = svg.cloneNode(true);
  for (const element of copy.querySelectorAll("[tabindex]")) element.removeAttribute("tabindex");
  const back = node("rect", { width: "100%", height: "100%", fill: "#ffffff" });
  copy.insertBefore(back, copy.firstChild);
  return new XMLSerializer().serializeToString(copy);
}

export const toSvgBlob = (svg) => new Blob([toSvgText(svg)], { type: "image/svg+xml" });

// The drawing as a PNG at twice its size, on white.
export async function toPngBlob(svg) {
  const [width, height] = [svg.width.baseVal.value, svg.height.baseVal.value];
  // Browsers refuse very large canvases, so a very large drawing is not enlarged.
  const scale = Math.min(2, 8000 / Math.max(width, height));
  const address = URL.createObjectURL(toSvgBlob(svg));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
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
