
// What is the pages' own. Everything works without it.

// The choice of light or dark holds for all pages.
try {
  const chosen = localStorage.getItem("tenfold-theme");
  if (chosen) root.style.colorScheme = chosen;
  theme.addEventListener("click", () => localStorage.setItem("tenfold-theme", root.style.colorScheme));
} catch { /* no storage: it holds for this page */ }

// A run in progress: its standing is asked for every other second, and the rest of the page when that has changed.
const parse = text => new DOMParser().parseFromString(text, "text/html");

async function get(address) {
  const response = await fetch(address, { cache: "no-store" });
  if (!response.ok) throw new Error(response.statusText);
  return parse(await response.text());
}

function replace(old, fresh) {
  if (!fresh || old.innerHTML === fresh.innerHTML) return;
  const open = [...old.querySelectorAll("details")].map(d => d.open);
  const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  old.replaceChildren(...fresh.childNodes);
  old.querySelectorAll("details").forEach((d, i) => { d.open = open[i]; });
  if (focused) old.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
}

async function follow() {
  const live = document.getElementById("live"), rest = document.getElementById("follow");
  const versionOf = part => part?.querySelector("[data-version]")?.dataset.version;
  let again = false;
  if (live) {
    const was = versionOf(live), fresh = await get(live.dataset.from);
    replace(live, fresh.body);
    again = !!live.querySelector("[data-live]");
    if (was === versionOf(live) && again) return again;
  }
  const whole = await get(location.href);
  if (rest) replace(rest, whole.getElementById("follow"));
  return again || !!whole.querySelector("noscript, [data-live]");
}

const every = 2000;
async function keepFollowing() {
  let again = true;
  if (!document.hidden) again = await follow().catch(() => true); // the server may be back in a moment
  if (again) setTimeout(keepFollowing, every);
}
if (document.querySelector("[data-live]")) setTimeout(keepFollowing, every);

// Paths are read with the arrow keys, too.
for (const readings of document.querySelectorAll(".readings")) {
  const svg = readings.closest("svg"), all = [...readings.children];
  let at = Math.max(0, all.length - 1);
  svg.setAttribute("tabindex", "0");
  const show = on => all.forEach((r, i) => r.classList.toggle("on", on && i === at));
  svg.addEventListener("focus", () => show(true));
  svg.addEventListener("blur", () => show(false));
  svg.addEventListener("keydown", e => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - 10, PageDown: at + 10, Home: 0, End: all.length - 1 }[e.key];
    if (to === undefined) return;
    at = Math.min(all.length - 1, Math.max(0, to));
    e.preventDefault();
    show(true);
  });
}
