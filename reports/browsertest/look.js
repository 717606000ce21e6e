"use strict";
// What all pages are checked for. It finds problems.
const problems = [];
const all = selector => [...document.querySelectorAll(selector)];
const check = (ok, what) => { if (!ok) problems.push(what); };
const nameOf = e => e.localName + (e.id ? "#" + e.id : "") + " " + e.textContent.slice(0, 30);

function checkLayout(when) {
  const root = document.documentElement;
  check(root.scrollWidth <= innerWidth, `${when}: ${root.scrollWidth} pixels in a window of ${innerWidth}`);
  for (const e of all("figure svg, table")) {
    const box = e.getBoundingClientRect();
    const hidden = e.closest("details:not([open])");
    check(hidden || box.width > 100 && box.height > 30, `${when}: ${nameOf(e)} is ${box.width} by ${box.height}`);
  }
  checkWords(when);
}

// Words stand on one line, unless they are longer than any that people use.
const longestWord = 24;
function checkWords(when) {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.parentElement.closest("svg, script, select, datalist") || !text.parentElement.checkVisibility()) continue;
    for (const word of text.data.matchAll(/[\p{L}\p{N}_]+/gu)) {
      if (word[0].length > longestWord) continue;
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].filter(box => box.width > 0).map(box => Math.round(box.top)));
      check(lines.size < 2, `${when}: ${word[0]} breaks over ${lines.size} lines in ${nameOf(text.parentElement)}`);
    }
  }
}

// Contrast as WCAG 2 defines it.
const rgb = text => text.match(/[\d.]+/g).map(Number);
function luminance(color) {
  const [r, g, b] = rgb(color).map(c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function background(e) {
  for (; e; e = e.parentElement) {
    const color = getComputedStyle(e).backgroundColor;
    if (rgb(color)[3] !== 0) return color;
  }
}
function checkContrast() {
  for (const e of all("body *")) {
    if (!e.checkVisibility() || ![...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim())) continue;
    const svg = e.namespaceURI.endsWith("svg"), style = getComputedStyle(e);
    if (svg && e.localName !== "text") continue;
    const [a, b] = [svg ? style.fill : style.color, background(e)].map(luminance);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    check(ratio >= 4.5, `contrast ${ratio.toFixed(2)} of ${nameOf(e)}`);
  }
}

