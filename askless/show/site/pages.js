// The learning map's progress, and the filter of a long list. The browser's own find sees all the rest.

function start() {
  for (const filter of document.querySelectorAll(".filter")) startFilter(filter);
  for (const card of document.querySelectorAll(".map [data-task]")) drawCard(card);
}

function drawCard(card) {
  const record = load(card.dataset.task);
  const line = card.querySelector(".progress-line");
  const steps = Object.values(record.rungs);
  line.hidden = !steps.length;
  line.textContent = `You have predicted ${steps.filter((step) => step.predictions.length).length} rungs in this browser, and seen ${steps.filter(isSeen).length}.`;
}

function startFilter(filter) {
  const items = [...document.querySelectorAll(".filtered")].map((item) => [item, item.textContent.toLowerCase()]);
  const input = filter.querySelector("input");
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const [item, text] of items) {
      item.hidden = !words.every((word) => text.includes(word));
      shown += item.hidden ? 0 : 1;
    }
    filter.querySelector('[role="status"]').textContent = words.length ? `${shown} of ${items.length}` : "";
  });
}

start();
