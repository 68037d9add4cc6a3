// Starts a task's page: its predictions, the reader's notes, its folds and its list of contents.

function start() {
  startLesson(document.querySelector(".page").dataset.task, JSON.parse(document.getElementById("data").textContent));
  startFolds();
  window.askless = {readNumber, readPercent, explain, reasonLines, historyLines, whereLine, offWords, digest, sha256, readRecord, merge, faultsOf};
}

function startLesson(task, data) {
  const forms = [...document.querySelectorAll(".predict")];
  const lesson = {task, rungs: data.rungs, names: data.names, walked: data.walked, asked: forms.map((form) => form.dataset.rung), draw: () => drawLesson(lesson)};
  for (const form of forms) startForm(form, lesson);
  for (const form of document.querySelectorAll(".note-form")) startNote(form, task);
  for (const box of document.querySelectorAll(".progress")) startProgress(box, lesson);
  const toc = document.querySelector(".toc details");
  toc.open = window.matchMedia("(min-width: 70rem)").matches;
  followToc();
  window.addEventListener("storage", () => lesson.draw());
  for (const rung of lesson.asked) document.getElementById(`reveal-${rung}`).open = isSeen(stepOf(load(task), rung));
  lesson.draw();
}

function drawLesson(lesson) {
  const record = load(lesson.task);
  drawVeils(lesson, record);
  for (const rung of lesson.asked) drawRung(rung, lesson, record);
  for (const box of document.querySelectorAll(".progress")) drawProgress(box, lesson, record);
  const line = document.querySelector("main .progress-line");
  line.textContent = progressLine(lesson.task, lesson.asked, record);
  line.hidden = !Object.keys(record.rungs).length;
  for (const form of document.querySelectorAll(".note-form")) drawNote(form, record);
}

function startNote(form, task) {
  const field = form.querySelector("textarea");
  field.addEventListener("input", () => {
    change(task, (record) => { record.notes = {...record.notes, [form.dataset.rung]: field.value}; });
    form.querySelector('[role="status"]').textContent = `Kept.${unstoredLine(task)}`;
  });
}

function drawNote(form, record) {
  const field = form.querySelector("textarea");
  if (document.activeElement !== field) field.value = record.notes?.[form.dataset.rung] ?? "";
}

function startFolds() {
  for (const button of document.querySelectorAll("[data-fold]")) {
    button.addEventListener("click", () => {
      for (const fold of document.querySelectorAll("section:has(:scope > .tools) .part")) fold.open = button.dataset.fold === "open";
    });
  }
}

function followToc() {
  const links = new Map([...document.querySelectorAll(".toc a")].map((link) => [link.hash.slice(1), link]));
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(entry.target.id)?.setAttribute("aria-current", "true");
    }
  }, {rootMargin: "0px 0px -70% 0px"});
  for (const heading of document.querySelectorAll("main h2[id]")) watcher.observe(heading);
}

start();
