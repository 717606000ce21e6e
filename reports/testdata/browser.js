// Looks at a report as a reader would, and tells the page around it what it found.
addEventListener("error", e => problems.push("error: " + e.message));
addEventListener("securitypolicyviolation", e => problems.push("policy: " + e.violatedDirective + " " + e.blockedURI));

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

// checkTools filters rows, hides a column, and compares what would be copied with what is shown.
function checkTools() {
  for (const tools of all(".tools")) {
    const table = tools.nextElementSibling.querySelector("table"), rows = [...table.tBodies[0].rows];
    const filter = tools.querySelector("input[type=search]"), box = tools.querySelector("input[type=checkbox]");
    check(!filter === rows.length < 8, "a filter of " + rows.length + " rows: " + !!filter);
    if (filter) {
      filter.value = rows[0].cells[0].textContent.toLowerCase();
      filter.dispatchEvent(new Event("input"));
      check(!rows[0].hidden && rows.some(row => row.hidden), "the filter leaves " + rows.filter(row => !row.hidden).length);
    }
    if (box) box.click();
    const visible = [...table.rows].filter(row => !row.hidden).map(row => shown(row.cells));
    const width = table.tHead.rows[0].cells.length - (box ? 1 : 0);
    check(visible.every(row => row.length === width || row.length === 1), "a hidden column is shown");
    check(asCSV(visible).split("\r\n").length - 1 >= visible.length, "CSV lacks lines");
    check(asLaTeX(visible).split(" \\\\\n").length - 1 === visible.length, "LaTeX lacks lines");
    if (box) box.click();
    if (filter) {
      filter.value = "";
      filter.dispatchEvent(new Event("input"));
    }
    check(rows.every(row => !row.hidden), "rows stay hidden");
    for (const e of tools.querySelectorAll("button, input, summary")) check(e.tabIndex === 0, "without the keyboard: " + nameOf(e));
  }
  check(asCSV([["=1+1", "-3", 'a "b", c']]) === `'=1+1,-3,"a ""b"", c"\r\n`, "CSV: " + asCSV([["=1+1", "-3", 'a "b", c']]));
  check(asLaTeX([["a_b", "50 %"], ["±", "1"]]).includes("a\\_b & 50 \\% \\\\"), "LaTeX: " + asLaTeX([["a_b", "50 %"], ["±", "1"]]));
  const figure = all("figure")[0], zoom = figure.querySelector(".zoom"), was = figure.offsetWidth;
  zoom.click();
  check(figure.offsetWidth >= was && zoom.getAttribute("aria-pressed") === "true", "a larger figure is narrower");
  zoom.click();
  check(figure.offsetWidth === was && zoom.getAttribute("aria-pressed") === "false", "a figure stays large");
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
  checkTools();
  check(performance.getEntriesByType("resource").length === 0, "the page fetched something");
  document.getElementById("theme").click();
  check(found.dark !== luminance(getComputedStyle(document.body).backgroundColor) < 0.5, "the switch of colours does nothing");
  parent.postMessage(JSON.stringify(found), "*");
});
