// What was predicted so far, and the record as a file.

function startProgress(box, lesson) {
  box.querySelector('[data-act="export"]').addEventListener("click", () => exportRecord(box, lesson));
  box.querySelector('[data-act="forget"]').addEventListener("click", () => forgetAll(box, lesson));
  box.querySelector('[data-act="cancel"]').addEventListener("click", (event) => { event.target.closest("details").open = false; });
  box.querySelector('input[type="file"]').addEventListener("change", (event) => importRecord(box, lesson, event.target));
}

function say(box, text) {
  box.querySelector(".said-now").textContent = text;
}

function exportRecord(box, lesson) {
  const text = `${JSON.stringify(load(lesson.task), null, 2)}\n`;
  const link = element("a", "", {download: `${lesson.task}.progress.json`, href: URL.createObjectURL(new Blob([text], {type: "application/json"}))});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  say(box, `Exported as ${link.download}.`);
}

async function importRecord(box, lesson, input) {
  const [file] = input.files;
  if (!file) return;
  try {
    const other = readRecord((await file.text()).replace(/^\ufeff/, ""), lesson.task);
    const faults = faultsOf(other, lesson.names);
    if (faults.length) throw new NoRecord(`${file.name} was not taken in: ${faults.join("; ")}. Next: export it afresh where it was made, or take what is named out of the file.`);
    change(lesson.task, (record) => merge(record, other));
    lesson.draw();
    say(box, `${file.name} is added; nothing that was here is lost.${unstoredLine(lesson.task)}`);
  } catch (problem) {
    if (!(problem instanceof NoRecord)) throw problem;
    say(box, problem.message);
  }
  input.value = "";
}

function forgetAll(box, lesson) {
  forget(lesson.task);
  box.querySelector(".forget").open = false;
  for (const field of document.querySelectorAll(".predict input, .note-form textarea")) field.value = "";
  lesson.draw();
  say(box, "Forgotten.");
}

function drawProgress(box, lesson, record) {
  const rows = lesson.asked.flatMap((rung) => guessRows(rung, lesson, stepOf(record, rung)));
  const nothing = element("p", "Nothing yet. Predict a rung above; how far off you were then stands here.", {class: "note"});
  box.querySelector(".progress-table").replaceChildren(rows.length ? guessTable(rows) : nothing);
}

function guessRows(rung, lesson, step) {
  const prediction = countingOf(step);
  if (!prediction) return [];
  const measured = numbersOf(lesson.rungs[rung].run);
  return MEASURES.map((measure) => ({
    rung,
    measure,
    predicted: prediction[measure],
    measured: isSeen(step) ? measured[measure] : null,
    sure: prediction.sure[measure] ?? null,
  }));
}

function guessTable(rows) {
  const table = element("table");
  table.append(element("caption", "Predicted and measured"));
  const head = table.createTHead().insertRow();
  for (const [words, kind] of [["rung", ""], ["measure", ""], ["predicted", "n"], ["measured", "n"], ["against measured", ""], ["how sure", "n"]]) {
    head.append(element("th", words, {scope: "col", class: kind}));
  }
  const body = table.createTBody();
  for (const row of rows) {
    const cells = [WORDS[row.measure], grouped(row.predicted), row.measured === null ? "not revealed" : grouped(row.measured), timesWords(row), row.sure === null ? "" : `${row.sure} %`];
    body.insertRow().append(element("th", row.rung, {scope: "row"}), ...cells.map((text, at) => element("td", text, {class: [1, 2, 4].includes(at) ? "n" : ""})));
  }
  const scroll = element("div", "", {class: "scroll", tabindex: "0", role: "group", "aria-label": "Predicted and measured"});
  scroll.append(table);
  return scroll;
}

function timesWords(row) {
  if (row.measured === null) return "";
  if (row.predicted === row.measured) return "right";
  if (!row.measured) return "more than none";
  const ratio = row.predicted / row.measured;
  if (ratio && ratio < 0.01) return "less than 0.01 times as many";
  return `${ratio < 10 ? ratio.toFixed(2) : grouped(Math.round(ratio))} times as many`;
}

function progressLine(task, asked, record) {
  const seen = asked.filter((rung) => isSeen(stepOf(record, rung))).length;
  const predicted = asked.filter((rung) => stepOf(record, rung).predictions.length).length;
  return `Your progress in this browser: ${predicted} of ${asked.length} rungs predicted, ${seen} revealed.`;
}
