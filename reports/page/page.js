"use strict";

// Column headers sort: up, down, as it was. Equal lines keep their order, missing values stay last, totals (tfoot) stay put.
const number = /(\d+(?:\.\d+)?(?:e[-+]?\d+)?)/i;

function compareTexts(a, b) { // numbers inside texts by size: epsilon=0.03 before epsilon=0.1
  a = a.split(number);
  b = b.split(number);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const d = i % 2 ? a[i] - b[i] : a[i].localeCompare(b[i]);
    if (d) return d;
  }
  return a.length - b.length;
}

function sorted(rows, column, sign) {
  const cells = rows.map(row => row.cells[column]);
  const numeric = cells.some(cell => cell.dataset.value !== undefined);
  const keyOf = cell => numeric
    ? (cell.dataset.value === undefined ? null : Number(cell.dataset.value))
    : (["", "–"].includes(cell.textContent) ? null : cell.textContent);
  const keyed = rows.map((row, i) => [row, keyOf(cells[i])]);
  keyed.sort(([, a], [, b]) => a === null || b === null ? (a === null) - (b === null)
    : sign * (numeric ? (a > b) - (a < b) : compareTexts(a, b)));
  return keyed.map(([row]) => row);
}

for (const table of document.querySelectorAll(".table:not(.facts) table")) {
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  if (rows.length < 2) continue;
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.title = "Sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const was = head.getAttribute("aria-sort");
      const order = !was ? "ascending" : was === "ascending" ? "descending" : "";
      for (const h of heads) h.removeAttribute("aria-sort");
      if (order) head.setAttribute("aria-sort", order);
      for (const row of order ? sorted(rows, column, order === "ascending" ? 1 : -1) : rows) body.append(row);
    });
  });
}

// Links to a cell open its details, also where the browser would not.
function reveal() {
  const target = document.getElementById(location.hash.slice(1));
  for (let e = target; e; e = e.parentElement) if (e.localName === "details") e.open = true;
  if (target) target.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();

const theme = document.getElementById("theme"), root = document.documentElement;
theme.hidden = false;
theme.addEventListener("click", () => {
  const dark = root.style.colorScheme ? root.style.colorScheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.style.colorScheme = dark ? "light" : "dark";
});
