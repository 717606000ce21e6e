"use strict";
const root = document.documentElement, base = document.body.dataset.root;
const make = (name, properties, ...children) => { const e = Object.assign(document.createElement(name), properties); e.append(...children); return e; };

// Narrow windows begin with the text.
if (matchMedia("(max-width: 60rem)").matches) document.querySelector(".menu").open = false;
document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest" });

const theme = document.getElementById("theme");
theme.hidden = false;
theme.addEventListener("click", () => {
  const dark = root.style.colorScheme ? root.style.colorScheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.style.colorScheme = dark ? "light" : "dark";
  try { localStorage.setItem("scheme", root.style.colorScheme); } catch {}
});

// Headings link to themselves, tables scroll by themselves, code can be copied.
for (const h of document.querySelectorAll("main :is(h2, h3, h4)[id]")) h.append(make("a", { className: "anchor", href: "#" + h.id, textContent: "#", ariaLabel: "Link to " + h.textContent }));
for (const t of document.querySelectorAll("main table")) { const frame = make("div", { className: "scroll", tabIndex: 0 }); t.replaceWith(frame); frame.append(t); }
for (const c of document.querySelectorAll(".code")) {
  const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
  button.addEventListener("click", async () => {
    await copy(commandsOf(c.querySelector("code").textContent));
    button.textContent = "Copied";
    setTimeout(() => button.textContent = "Copy", 1500);
  });
  c.append(button);
}

// Of a session, what was typed: without prompts and answers.
function commandsOf(text) {
  const lines = text.split("\n"), typed = lines.filter(line => line.startsWith("$ "));
  return typed.length ? typed.map(line => line.slice(2)).join("\n") + "\n" : text;
}
async function copy(text) {
  try { return await navigator.clipboard.writeText(text); } catch {}
  const area = make("textarea", { value: text }); // pages of a folder have no clipboard of their own in every browser
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// Search: every word has to be found, the last one by its beginning; headings count most.
const form = document.getElementById("search"), input = form.querySelector("input"), found = document.getElementById("found");
form.hidden = false;
let loading;
const index = () => loading ??= new Promise(done => {
  const s = make("script", { src: base + "search.js" });
  s.addEventListener("load", () => done(window.searchIndex.map(e => ({ ...e, title: (e.t || e.p).toLowerCase(), page: e.p.toLowerCase(), text: e.x.toLowerCase() }))));
  document.head.append(s);
});
const escaped = text => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function ranked(entries, words) {
  const begins = words.map(w => new RegExp("(?<![\\p{L}\\p{N}])" + escaped(w), "giu"));
  const hits = [];
  for (const e of entries) {
    let score = 0;
    for (const begin of begins) {
      const inTitle = (e.title.match(begin) || []).length, inPage = (e.page.match(begin) || []).length, inText = (e.text.match(begin) || []).length;
      if (!inTitle && !inPage && !inText) { score = 0; break; }
      score += 20 * Math.min(inTitle, 1) + 6 * Math.min(inPage, 1) + Math.log2(1 + inText) + (inTitle && e.title.length < 20 ? 5 : 0) + (!e.t && inTitle ? 8 : 0);
    }
    if (score) hits.push([score, e]);
  }
  return hits.sort((a, b) => b[0] - a[0]).slice(0, 25).map(h => h[1]);
}

function marked(text, words) {
  const at = new RegExp(words.map(escaped).join("|"), "giu"), first = text.search(at), from = Math.max(0, first - 60);
  const part = (from ? "… " : "") + text.slice(from, from + 180), out = [];
  let last = 0;
  for (const m of part.matchAll(at)) { out.push(part.slice(last, m.index), make("mark", { textContent: m[0] })); last = m.index + m[0].length; }
  return [...out, part.slice(last)];
}

async function search() {
  const words = input.value.toLowerCase().match(/\S+/g) || [];
  if (!words.length) { found.hidden = true; return; }
  const hits = ranked(await index(), words);
  found.replaceChildren(...hits.map(e => make("a", { href: base + e.a }, make("strong", { textContent: e.t || e.p }), e.t ? " · " + e.p : "", make("small", {}, ...marked(e.x, words)))));
  if (!hits.length) found.append(make("p", { textContent: "Nothing has all of these words." }));
  found.hidden = false;
}
input.addEventListener("focus", index);
input.addEventListener("input", search);
form.addEventListener("submit", e => { e.preventDefault(); found.querySelector("a")?.click(); });
function step(by) {
  const links = [...found.querySelectorAll("a")], at = links.indexOf(document.activeElement) + by;
  (links[at] || input).focus();
}
addEventListener("keydown", e => {
  if (e.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) { e.preventDefault(); input.focus(); }
  if (found.hidden) return;
  if (e.key === "Escape") { found.hidden = true; input.focus(); }
  if (e.key === "ArrowDown" || e.key === "ArrowUp") { e.preventDefault(); step(e.key === "ArrowDown" ? 1 : -1); }
});
addEventListener("click", e => { if (!e.target.closest("#found, #search") || e.target.closest("#found a")) found.hidden = true; });
