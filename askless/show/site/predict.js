// Predict, then reveal: the forms, what stands in place of a reveal, and what a reveal says of the reader's numbers.

const LOOKED_UP = "http://www.w3.org/2000/svg";

function element(name, text = "", attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

function startForm(form, lesson) {
  const {rung} = form.dataset;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (commitForm(form, lesson)) reveal(rung, lesson);
  });
  form.querySelector('[data-act="commit"]').addEventListener("click", () => {
    if (commitForm(form, lesson)) lesson.draw();
  });
  form.querySelector('[data-act="without"]').addEventListener("click", () => reveal(rung, lesson));
}

// What was committed last stands in its form, also when the page is opened again.
function drawForm(form, lesson, step) {
  const last = step.predictions.at(-1);
  form.querySelector(".said-now").textContent = last ? `${committedLine(last)}${unstoredLine(lesson.task)}` : "";
  if (!last || MEASURES.some((measure) => form.elements[measure].value)) return;
  for (const measure of MEASURES) {
    form.elements[measure].value = last[measure];
    form.elements[`${measure}-sure`].value = last.sure[measure] ?? "";
  }
}

function committedLine(last) {
  const late = last.after_reveal ? " It is kept, and it does not count: the run was shown before." : "";
  return `Committed: ${numbersLine(last)}. The digest is worked out from these numbers and shows it if they are changed later.${late}`;
}

function commitForm(form, lesson) {
  form.querySelector(".said-now").textContent = "";
  const prediction = readForm(form);
  if (!prediction) return false;
  change(lesson.task, (kept) => {
    show(kept, ...lesson.walked);
    commit(kept, form.dataset.rung, prediction);
  });
  return true;
}

// The three numbers; what is unclear is asked again in place, and the first such field has the keyboard.
function readForm(form) {
  const prediction = {sure: {}};
  const unclear = [];
  for (const measure of MEASURES) {
    const [number, sure] = [form.elements[measure], form.elements[`${measure}-sure`]];
    const told = form.querySelector(`[id="unclear-${form.dataset.rung}-${measure}"]`);
    told.textContent = "";
    for (const field of [number, sure]) field.removeAttribute("aria-invalid");
    let at = number;
    try {
      prediction[measure] = readNumber(number.value, measure);
      at = sure;
      const percent = readPercent(sure.value);
      if (percent !== null) prediction.sure[measure] = percent;
    } catch (problem) {
      if (!(problem instanceof Unclear)) throw problem;
      told.textContent = problem.message;
      at.setAttribute("aria-invalid", "true");
      unclear.push(at);
    }
  }
  unclear[0]?.focus();
  return unclear.length ? null : prediction;
}

function reveal(rung, lesson) {
  change(lesson.task, (record) => show(record, ...lesson.walked, ...lesson.rungs[rung].tells));
  lesson.draw();
  const shown = document.getElementById(`reveal-${rung}`);
  shown.open = true;
  shown.querySelector(".yours").focus({preventScroll: true});
  shown.scrollIntoView({block: "start"});
}

function drawRung(rung, lesson, record) {
  const step = stepOf(record, rung);
  const seen = isSeen(step);
  drawForm(document.querySelector(`.predict[data-rung="${rung}"]`), lesson, step);
  document.querySelector(`.locked[data-rung="${rung}"]`).hidden = seen;
  document.getElementById(`reveal-${rung}`).classList.toggle("seen", seen);
  if (seen) drawYours(rung, lesson, record);
}

// What was not revealed is veiled, and lends no scale: the largest bar that is shown is as wide as there is room.
function drawVeils(lesson, record) {
  for (const rung of lesson.asked) {
    const hidden = !isSeen(stepOf(record, rung));
    for (const veil of document.querySelectorAll(`[data-veil="${rung}"]`)) veil.classList.toggle("veiled", hidden);
  }
  for (const figure of document.querySelectorAll(".bars[data-widest]")) {
    figure.style.setProperty("--scale", figure.dataset.widest / widestShown(figure));
  }
}

function widestShown(figure) {
  return Math.max(...[...figure.querySelectorAll(".run:not(.veiled)")].map((run) => Number(run.dataset.widest)));
}

// The ideas that may be named: one that carries another rung's numbers over only where those may be seen.
function known(rung, lesson, record) {
  const own = lesson.rungs[rung];
  const hidden = (name) => lesson.asked.includes(name) && !isSeen(stepOf(record, name));
  return {...own, beliefs: own.beliefs.filter((belief) => !belief.needs || !hidden(belief.needs))};
}

function drawYours(rung, lesson, record) {
  const step = stepOf(record, rung);
  const shown = document.getElementById(`reveal-${rung}`);
  const yours = shown.querySelector(".yours");
  const prediction = countingOf(step);
  const {run} = lesson.rungs[rung];
  const explanation = prediction ? explain(prediction, known(rung, lesson, record)) : null;
  const lines = [...historyLines(step), ...(explanation ? reasonLines(explanation) : [])].reduce(withLine, []);
  yours.replaceChildren(...(explanation ? [comparisonTable(explanation)] : []), ...lines, ...place(rung, run, explanation));
  yours.hidden = false;
  drawGuess(shown, rung, prediction, explanation);
}

// What holds instead stands with the idea that it mends.
function withLine(lines, [kind, text]) {
  const line = element(kind === "h4" ? "h4" : "p", "", kind === "right" ? {class: "right"} : {});
  line.append(kind === "idea" ? element("strong", text) : text);
  if (kind === "idea") lines.push(element("blockquote"));
  if (kind === "idea" || kind === "but") lines.at(-1).append(line);
  else lines.push(line);
  return lines;
}

function comparisonTable(explanation) {
  const table = element("table");
  table.append(element("caption", "Your prediction and the measured run"));
  const head = table.createTHead().insertRow();
  for (const words of ["", "predicted", "measured", "difference", "how sure"]) {
    head.append(element(words ? "th" : "td", words, words ? {scope: "col", class: words === "difference" ? "" : "n"} : {}));
  }
  const body = table.createTBody();
  for (const one of explanation.compared) {
    const row = body.insertRow();
    row.append(
      element("th", WORDS[one.measure], {scope: "row"}),
      element("td", grouped(one.predicted), {class: "n"}),
      element("td", grouped(one.measured), {class: "n"}),
      element("td", offWords(one), {class: one.parting ? "off" : "right"}),
      element("td", one.sure === null ? "" : `${one.sure} %`, {class: "n"}),
    );
  }
  const scroll = element("div", "", {class: "scroll"});
  scroll.append(table);
  return scroll;
}

// Where count and measure part, and a way to the request there.
function place(rung, run, explanation) {
  const parting = explanation?.parting;
  const articles = [...document.querySelectorAll(`#reveal-${rung} .request`)];
  for (const article of articles) article.classList.remove("parting");
  if (!parting) return [];
  const article = articles[Math.min(parting.index, run.length - 1)];
  article.classList.add("parting");
  const line = element("p", `${whereLine(explanation, run)} `, {class: "where"});
  const button = element("button", `Show request ${Math.min(parting.index, run.length - 1) + 1}`, {type: "button"});
  button.addEventListener("click", () => {
    article.closest("details").open = true;
    article.focus({preventScroll: true});
    article.scrollIntoView({block: "start"});
  });
  line.append(button);
  return [line];
}

// The predicted requests as dashed outlines on the bars of the rung's own run.
function drawGuess(shown, rung, prediction, explanation) {
  const run = shown.querySelector(`.bars .run[data-rung="${rung}"]`);
  for (const old of run.querySelectorAll(".guess, .bar.extra, .guess-note")) old.remove();
  if (!prediction?.round_trips || !explanation.parting) return;
  const figure = run.closest(".bars");
  const widest = widestShown(figure);
  const imagined = imaginedTokens(explanation);
  const expected = (imagined ?? spread(prediction)).slice(0, 12);
  const list = run.querySelector("ol");
  expected.forEach((tokens, at) => {
    const bar = list.children[at] ?? list.appendChild(extraBar(at + 1));
    const box = document.createElementNS(LOOKED_UP, "rect");
    const wide = `${Math.min(100, (100 * tokens) / widest) * (widest / figure.dataset.widest)}%`;
    for (const [name, value] of Object.entries({class: "guess", x: "0%", y: "0", width: wide, height: "26"})) box.setAttribute(name, value);
    bar.querySelector("svg").append(box);
  });
  const far = Math.max(...expected) > widest ? " Those that reach the edge are larger than there is room for." : "";
  run.append(element("p", `Dashed: ${imagined ? "the requests as that idea has them" : "your total, spread evenly over your requests"}.${far}`, {class: "guess-note note"}));
}

function extraBar(n) {
  const bar = element("li", "", {class: "bar extra"});
  const svg = document.createElementNS(LOOKED_UP, "svg");
  for (const [name, value] of Object.entries({width: "100%", height: "26", "aria-hidden": "true"})) svg.setAttribute(name, value);
  bar.append(element("span", String(n), {class: "bar-n"}), svg, element("span", "not sent", {class: "bar-sum"}));
  return bar;
}
