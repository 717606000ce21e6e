"use strict";
// Looks at a report as a reader would, and tells the page around it what it found.
const problems = [];
addEventListener("error", e => problems.push("error: " + e.message));
addEventListener("securitypolicyviolation", e => problems.push("policy: " + e.violatedDirective + " " + e.blockedURI));

const all = selector => [...document.querySelectorAll(selector)];
const check = (ok, what) => { if (!ok) problems.push(what); };
const nameOf = e => e.localName + (e.id ? "#" + e.id : "") + " " + e.textContent.slice(0, 30);

function checkLinks() {
  const seen = new Set();
  for (const e of all("[id]")) {
    check(!seen.has(e.id), "two of id " + e.id);
    seen.add(e.id);
  }
  for (const a of all("a")) {
    const to = a.getAttribute("href");
    check(to && to[0] === "#" && seen.has(to.slice(1)), "nothing at " + to);
  }
}

function checkLayout(when) {
  const root = document.documentElement;
  check(root.scrollWidth <= innerWidth, `${when}: ${root.scrollWidth} pixels in a window of ${innerWidth}`);
  for (const e of all("figure svg, table")) {
    const box = e.getBoundingClientRect();
    const hidden = e.closest("details:not([open])");
    check(hidden || box.width > 100 && box.height > 30, `${when}: ${nameOf(e)} is ${box.width} by ${box.height}`);
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

const labels = table => [...table.tBodies[0].rows].map(row => row.cells[0].textContent);
function checkSorting() {
  const orders = {};
  for (const table of all("table")) {
    const before = labels(table), last = table.tFoot && table.tFoot.textContent;
    for (const head of table.tHead.rows[0].cells) {
      const button = head.querySelector("button");
      if (!button) continue;
      check(button.tabIndex === 0, "a header without the keyboard: " + nameOf(head));
      for (const [click, order] of [["up", "ascending"], ["down", "descending"], ["again", null]]) {
        button.click();
        check(head.getAttribute("aria-sort") === order, `${nameOf(head)} ${click}: aria-sort ${head.getAttribute("aria-sort")}`);
        if (table.id === "table-1") orders[head.textContent + " " + click] = labels(table);
      }
      check(labels(table).join() === before.join(), "not as it was: " + nameOf(head));
      check(!last || table.tFoot.textContent === last, "the totals moved");
    }
  }
  return orders;
}

addEventListener("load", () => {
  const found = { problems, width: innerWidth };
  const named = document.getElementById(location.hash.slice(1));
  found.open = !!named && named.checkVisibility();
  found.dark = luminance(getComputedStyle(document.body).backgroundColor) < 0.5;
  found.figures = all("figure svg").length;
  found.links = all("td a").length;
  checkLinks();
  checkLayout("closed");
  for (const e of all("details")) e.open = true;
  checkLayout("open");
  checkContrast();
  found.orders = checkSorting();
  check(performance.getEntriesByType("resource").length === 0, "the page fetched something");
  document.getElementById("theme").click();
  check(found.dark !== luminance(getComputedStyle(document.body).backgroundColor) < 0.5, "the switch of colours does nothing");
  parent.postMessage(JSON.stringify(found), "*");
});
