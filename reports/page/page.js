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

// Above a table that sorts: a filter of its rows where they are many, a choice of its columns, and copies of what is shown.
function element(name, properties, ...inside) {
  const e = Object.assign(document.createElement(name), properties);
  e.append(...inside);
  return e;
}

const shown = cells => [...cells].filter(cell => !cell.hidden).map(cell => cell.textContent.trim());

// A cell that a spreadsheet would take for a formula begins with an apostrophe there, but for numbers.
function asCSV(rows) {
  return rows.map(row => row.map(text => {
    if (/^[=+\-@\t]/.test(text) && !Number.isFinite(Number(text))) text = "'" + text;
    return /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  }).join(",") + "\r\n").join("");
}

const signs = { "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "%": "\\%", "_": "\\_", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}",
  "±": "$\\pm$", "−": "$-$", "∞": "$\\infty$", "†": "$\\dagger$", "§": "\\S{}", "¶": "\\P{}", "≈": "$\\approx$" };

function asLaTeX(rows) {
  const lines = rows.map(row => row.map(text => text.replace(/[\\{}$&#%_^~±−∞†§¶≈]/g, c => signs[c])).join(" & ") + " \\\\");
  return ["\\begin{tabular}{l" + "r".repeat(rows[0].length - 1) + "}", "\\toprule", lines[0], "\\midrule", ...lines.slice(1), "\\bottomrule", "\\end{tabular}", ""].join("\n");
}

async function copy(text) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch { /* not allowed here: the old way */ }
  }
  const area = element("textarea", { value: text });
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

for (const table of document.querySelectorAll(".table:not(.facts) table")) {
  const rows = [...table.tBodies[0].rows], heads = [...table.tHead.rows[0].cells];
  if (rows.length < 2) continue;
  const tools = element("div", { className: "tools" });
  if (rows.length >= 8) {
    const filter = element("input", { type: "search", placeholder: "filter rows" });
    filter.setAttribute("aria-label", "Show rows that have all of these words");
    filter.addEventListener("input", () => {
      const words = filter.value.toLowerCase().split(/\s+/);
      for (const row of rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
    });
    tools.append(filter);
  }
  if (heads.length >= 3) {
    const choices = heads.slice(1).map((head, i) => {
      const box = element("input", { type: "checkbox", checked: true });
      box.addEventListener("change", () => {
        for (const row of table.rows) if (row.cells.length === heads.length) row.cells[i + 1].hidden = !box.checked;
      });
      return element("label", {}, box, " " + head.textContent);
    });
    tools.append(element("details", {}, element("summary", { textContent: "columns" }), element("div", { className: "choices" }, ...choices)));
  }
  for (const [name, format] of [["CSV", asCSV], ["LaTeX", asLaTeX]]) {
    const button = element("button", { type: "button", textContent: "copy " + name, title: "Copy the rows and columns shown as " + name });
    button.addEventListener("click", async () => {
      const done = await copy(format([...table.rows].filter(row => !row.hidden).map(row => shown(row.cells))));
      button.textContent = done ? "copied" : "not allowed";
      setTimeout(() => { button.textContent = "copy " + name; }, 1500);
    });
    tools.append(button);
  }
  table.parentElement.before(tools);
}

// A figure grows to the width of the page, and back.
for (const figure of document.querySelectorAll("figure")) {
  const button = element("button", { type: "button", className: "zoom", textContent: "⤢", title: "Larger, or as it was" });
  button.setAttribute("aria-label", "Larger, or as it was");
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => button.setAttribute("aria-pressed", figure.classList.toggle("large")));
  figure.prepend(button);
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
