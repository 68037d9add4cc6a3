// The trace viewer: fold, find, copy.

const COPIES = {json: asJson, curl: asCurl, python: asPython};

function start() {
  for (const button of document.querySelectorAll("[data-fold]")) button.addEventListener("click", () => foldAll(button.dataset.fold === "open"));
  for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button));
  startSearch(document.querySelector(".search"));
  openTarget();
  window.addEventListener("hashchange", openTarget);
  window.askless = {asJson, asCurl, asPython, bodyOf, bodies};
}

function foldAll(open) {
  for (const fold of document.querySelectorAll("main details:not(.more)")) fold.open = open;
}

function bodies(run) {
  return JSON.parse(document.querySelector(`.bodies[data-run="${run}"]`).textContent);
}

async function copy(button) {
  const text = COPIES[button.dataset.copy](bodyOf(bodies(button.dataset.run), Number(button.dataset.index)));
  const told = button.parentElement.querySelector('[role="status"]');
  told.textContent = (await toClipboard(text)) ? "Copied." : "Your browser does not let this page copy. Next: open this file in another one.";
}

async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return selectAndCopy(text);
  }
}

// Where there is no clipboard for a page from a plain http host or a file.
function selectAndCopy(text) {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

function startSearch(form) {
  const input = form.querySelector("input");
  const search = {hits: [], at: -1, told: form.querySelector('[role="status"]'), text: ""};
  let waiting;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => find(search, input.value), 150);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    clearTimeout(waiting);
    if (search.text !== input.value) find(search, input.value);
    else go(search, event.shiftKey ? -1 : 1);
  });
  form.querySelector('[data-find="on"]').addEventListener("click", () => go(search, 1));
  form.querySelector('[data-find="back"]').addEventListener("click", () => go(search, -1));
}

// Every text of the run that holds what is looked for, in order, whether it is folded away or not.
function find(search, typed) {
  const wanted = typed.trim().toLowerCase();
  for (const hit of search.hits) hit.classList.remove("hit", "here");
  const texts = [...document.querySelectorAll(".said, .block-head, .failed dd, .chip")];
  search.text = typed;
  search.hits = wanted ? texts.filter((text) => text.textContent.toLowerCase().includes(wanted)) : [];
  search.at = -1;
  for (const hit of search.hits) hit.classList.add("hit");
  highlight(search.hits, wanted);
  search.told.textContent = wanted ? `${search.hits.length} found` : "";
  if (search.hits.length) go(search, 1);
}

function go(search, step) {
  if (!search.hits.length) return;
  search.hits[search.at]?.classList.remove("here");
  search.at = (search.at + step + search.hits.length) % search.hits.length;
  const hit = search.hits[search.at];
  for (let fold = hit.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  hit.classList.add("here");
  hit.scrollIntoView({block: "center"});
  search.told.textContent = `${search.at + 1} of ${search.hits.length}`;
}

function highlight(hits, wanted) {
  if (!window.CSS?.highlights) return;
  CSS.highlights.delete("found");
  const ranges = hits.slice(0, 200).flatMap((hit) => rangesIn(hit.firstChild, wanted));
  if (ranges.length) CSS.highlights.set("found", new Highlight(...ranges));
}

function rangesIn(node, wanted) {
  const found = [];
  const text = node?.nodeType === Node.TEXT_NODE ? node.data.toLowerCase() : "";
  for (let at = text.indexOf(wanted); at >= 0 && found.length < 50; at = text.indexOf(wanted, at + wanted.length)) {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, Math.min(node.data.length, at + wanted.length));
    found.push(range);
  }
  return found;
}

function openTarget() {
  const target = location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  target?.scrollIntoView();
}

start();
