// The search: every section of every page and every name of the API. The index is fetched at the first use, as a
// script, so that the site works from the disk too.
"use strict";
const root = document.currentScript.dataset.root;
const input = document.getElementById("search");
const list = document.getElementById("search-results");
const most = 30;
let entries = null;
let chosen = 0;

// called by search_index.js: [title, what it belongs to, address, text] each
function limberSearch(index) {
  entries = index.map(([title, owner, address, text]) =>
    ({title, owner, address, text, name: title.toLowerCase(), words: `${title} ${owner} ${text}`.toLowerCase()}));
  show();
}

function fetchIndex() {
  if (entries !== null) return;
  entries = [];
  const script = document.createElement("script");
  script.src = root + "search_index.js";
  document.head.append(script);
}

// the whole query as a name counts most, then names that begin with it, then words in names, then in the text
function score(entry, query, words) {
  if (!words.every((word) => entry.words.includes(word))) return 0;
  const name = entry.name.replace(/^.*::/, "");
  let points = 1;
  if (entry.name === query || name === query) points += 100;
  else if (name.startsWith(query)) points += 40;
  for (const word of words) if (entry.name.includes(word)) points += 10;
  if (!entry.name.includes("::")) points += 2;
  return points - Math.min(entry.name.length, 60) / 100;
}

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

// some words before and after the first one that was looked for
function excerpt(entry, words) {
  const at = entry.text.toLowerCase().indexOf(words[0]);
  const begin = Math.max(0, at - 40);
  return (begin > 0 ? "…" : "") + entry.text.slice(begin, begin + 150);
}

function show() {
  const query = input.value.trim().toLowerCase();
  const words = query.split(/\s+/).filter(Boolean);
  list.replaceChildren();
  list.hidden = words.length === 0 || entries === null;
  if (list.hidden) return;
  const found = entries.map((entry) => [score(entry, query, words), entry]).filter(([points]) => points > 0)
    .sort((a, b) => b[0] - a[0]).slice(0, most);
  for (const [, entry] of found) {
    const link = element("a", "");
    link.href = root + entry.address;
    link.append(element("b", entry.title), element("small", entry.owner), element("p", excerpt(entry, words)));
    const item = element("li", "");
    item.append(link);
    list.append(item);
  }
  if (found.length === 0) {
    const nothing = element("li", "Nothing found.");
    nothing.className = "none";
    list.append(nothing);
  }
  choose(0);
}

function choose(number) {
  const items = list.querySelectorAll("li");
  chosen = Math.max(0, Math.min(number, items.length - 1));
  items.forEach((item, k) => item.classList.toggle("chosen", k === chosen));
  items[chosen]?.scrollIntoView({block: "nearest"});
}

input.addEventListener("focus", fetchIndex);
input.addEventListener("input", () => { fetchIndex(); show(); });
input.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") choose(chosen + 1);
  else if (event.key === "ArrowUp") choose(chosen - 1);
  else if (event.key === "Enter") list.querySelectorAll("a")[chosen]?.click();
  else if (event.key === "Escape") { input.value = ""; show(); input.blur(); }
  else return;
  event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target === input) return;
  input.focus();
  event.preventDefault();
});
// index.html?q=WORDS shows what is found
const asked = new URLSearchParams(location.search).get("q");
if (asked) {
  input.value = asked;
  fetchIndex();
}
// the menu shows where we are
const here = document.querySelector(".menu [aria-current]");
if (here) here.closest(".menu").scrollTop = here.offsetTop - innerHeight / 2;
document.addEventListener("click", (event) => {
  if (!event.target.closest(".search")) list.hidden = true;
});
