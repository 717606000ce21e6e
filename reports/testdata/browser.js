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
