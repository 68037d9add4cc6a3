// The progress record in this browser: the document of askless/learn/progressjson.py, with the reader's notes besides.

const NAME = "askless.progress";
const VERSION = 1;
const memory = new Map();  // where the browser keeps nothing for us, as long as the page is open

class NoRecord extends Error {}

function emptyRecord(task) {
  return {schema: `${NAME}/${VERSION}`, task, rungs: {}, last: null, hints: {}};
}

function load(task) {
  try {
    const text = kept(task);
    return text ? readRecord(text, task) : emptyRecord(task);
  } catch (problem) {
    if (!(problem instanceof NoRecord)) throw problem;
    return emptyRecord(task);
  }
}

// One change after another: it starts from what is stored now, which another tab may have changed.
function change(task, step) {
  const record = load(task);
  step(record);
  keep(task, JSON.stringify(record));
  return record;
}

function kept(task) {
  try {
    return localStorage.getItem(key(task)) ?? memory.get(task);
  } catch {
    return memory.get(task);
  }
}

function keep(task, text) {
  memory.set(task, text);
  try {
    localStorage.setItem(key(task), text);
  } catch {
    // private windows and full disks: the page still works until it is closed
  }
}

function forget(task) {
  memory.delete(task);
  try {
    localStorage.removeItem(key(task));
  } catch {
    // nothing was stored
  }
}

function key(task) {
  return `${NAME}:${task}`;
}

function stepOf(record, rung) {
  return record.rungs[rung] ?? {predictions: [], revealed: false, shown_without_predicting: false};
}

function isSeen(step) {
  return step.revealed || step.shown_without_predicting;
}

function lastOf(step) {
  return step.predictions.at(-1) ?? null;
}

function commit(record, rung, prediction) {
  const step = stepOf(record, rung);
  const committed = {...prediction, sure: prediction.sure ?? {}, digest: digest(prediction), after_reveal: isSeen(step)};
  const last = lastOf(step);
  if (!last || !sameCommitted(last, committed)) step.predictions.push(committed);
  record.rungs[rung] = step;
}

function show(record, rung) {
  const step = stepOf(record, rung);
  step[step.predictions.length ? "revealed" : "shown_without_predicting"] = true;
  record.rungs[rung] = step;
}

function sameCommitted(one, other) {
  return one.digest === other.digest && one.after_reveal === other.after_reveal && digest(one) === digest(other);
}

// With all that another record has besides; the same record again adds nothing.
function merge(record, other) {
  for (const [step, shown] of Object.entries(other.hints)) record.hints[step] = Math.max(record.hints[step] ?? 0, shown);
  for (const rung of Object.keys(other.rungs)) {
    const [ours, theirs] = [stepOf(record, rung), stepOf(other, rung)];
    for (const one of theirs.predictions) {
      if (!ours.predictions.some((known) => sameCommitted(known, one))) ours.predictions.push(one);
    }
    ours.revealed ||= theirs.revealed;
    ours.shown_without_predicting ||= theirs.shown_without_predicting;
    record.rungs[rung] = ours;
  }
  record.last ??= other.last;
  record.notes = {...other.notes, ...record.notes};
}

function readRecord(text, task) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new NoRecord("That file is no progress record. Next: choose one that was exported.");
  }
  check(isObject(found) && typeof found.schema === "string");
  const [name, version] = found.schema.split("/");
  check(name === NAME && /^\d+$/.test(version));
  if (Number(version) > VERSION) throw new NoRecord(`It was written by a later askless (${found.schema}). Next: open a newer copy of this page.`);
  if (found.task !== task) throw new NoRecord(`That is a record of ${found.task}, not of ${task}. Next: import it on that task's page.`);
  check(isObject(found.rungs) && isObject(found.hints) && (found.last === null || isObject(found.last)));
  check(Object.values(found.hints).every(isCount));
  return {...emptyRecord(task), rungs: mapped(found.rungs, readStep), last: found.last, hints: found.hints, notes: readNotes(found.notes)};
}

function readStep(step) {
  check(isObject(step) && Array.isArray(step.predictions));
  check([step.revealed, step.shown_without_predicting].every((told) => typeof told === "boolean"));
  const {revealed, shown_without_predicting} = step;
  return {predictions: step.predictions.map(readCommitted), revealed, shown_without_predicting};
}

function readCommitted(one) {
  check(isObject(one) && MEASURES.every((measure) => isCount(one[measure])) && isObject(one.sure));
  check(Object.values(one.sure).every(isCount) && typeof one.digest === "string" && typeof one.after_reveal === "boolean");
  const {round_trips, tool_calls, input_tokens, sure, digest: stored, after_reveal} = one;
  return {round_trips, tool_calls, input_tokens, sure, digest: stored, after_reveal};
}

function readNotes(notes) {
  return isObject(notes) ? Object.fromEntries(Object.entries(notes).filter(([, text]) => typeof text === "string")) : {};
}

function mapped(object, read) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, read(value)]));
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0;
}

function check(holds) {
  if (!holds) throw new NoRecord("That file is no progress record, or a damaged one. Next: choose one that was exported.");
}
