// The progress record in this browser: the document of askless/learn/progressjson.py, with the reader's notes besides.

const NAME = "askless.progress";
const VERSION = 1;
const MOST = 1_000;  // predictions of a rung in a record from elsewhere
const memory = new Map();  // what the browser would not store: it is there as long as the page is open

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
  if (memory.has(task)) return memory.get(task);
  try {
    return localStorage.getItem(key(task));
  } catch {
    return null;
  }
}

// Private windows and full disks store nothing: the page then works until it is closed, and says so.
function keep(task, text) {
  try {
    localStorage.setItem(key(task), text);
    memory.delete(task);
  } catch {
    memory.set(task, text);
  }
}

function unstoredLine(task) {
  return memory.has(task) ? " This browser could not store it: it is lost when you close this page. Next: export it to a file." : "";
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

// The prediction that counts: the last one as it was committed, before the run was shown.
function countingOf(step) {
  return step.predictions.findLast((one) => !one.after_reveal && !isEdited(one)) ?? null;
}

function isEdited(committed) {
  return committed.digest !== digest(committed);
}

function commit(record, rung, prediction) {
  const step = stepOf(record, rung);
  const committed = {...prediction, sure: prediction.sure ?? {}, digest: digest(prediction), after_reveal: isSeen(step)};
  const known = [countingOf(step), step.predictions.at(-1)].filter((one) => one && !isEdited(one));
  if (!known.some((one) => one.digest === committed.digest)) step.predictions.push(committed);
  record.rungs[rung] = step;
}

function show(record, ...rungs) {
  for (const rung of rungs) {
    const step = stepOf(record, rung);
    if (!isSeen(step)) step[step.predictions.length ? "revealed" : "shown_without_predicting"] = true;
    record.rungs[rung] = step;
  }
}

// With all that another record has besides, as askless/learn/progress.py adds it.
function merge(record, other) {
  for (const [step, shown] of Object.entries(other.hints)) record.hints[step] = Math.max(record.hints[step] ?? 0, shown);
  for (const rung of Object.keys(other.rungs)) record.rungs[rung] = merged(stepOf(record, rung), stepOf(other, rung));
  record.last ??= other.last;
  record.notes = {...other.notes, ...record.notes};
}

function merged(ours, theirs) {
  const [first, second] = leads(theirs, ours) ? [theirs, ours] : [ours, theirs];
  const known = new Set(first.predictions.map(keyOf));
  const added = second.predictions.filter((one) => !known.has(keyOf(one)));
  const late = added.map((one) => ({...one, after_reveal: true}));
  return {
    predictions: isSeen(first) ? [...first.predictions, ...once(late)] : [...once(added), ...first.predictions],
    revealed: ours.revealed || theirs.revealed,
    shown_without_predicting: ours.shown_without_predicting || theirs.shown_without_predicting,
  };
}

function leads(theirs, ours) {
  const by = rank(theirs) - rank(ours);
  if (by) return by > 0;
  return ours.predictions.every((one, at) => theirs.predictions[at] && fullKeyOf(theirs.predictions[at]) === fullKeyOf(one));
}

function rank(step) {
  return isSeen(step) ? 1 + Boolean(countingOf(step)) : 0;
}

function keyOf(committed) {
  return `${committed.digest} ${digest(committed)}`;
}

function fullKeyOf(committed) {
  return `${keyOf(committed)} ${committed.after_reveal}`;
}

function once(predictions) {
  return [...new Map(predictions.map((one) => [fullKeyOf(one), one])).values()];
}

// What another record may not bring along: askless/learn/intake.py over again.
function faultsOf(record, rungs) {
  const many = Object.entries(record.rungs).filter(([, step]) => step.predictions.length > MOST);
  if (many.length) return many.map(([name, step]) => `${name} has ${grouped(step.predictions.length)} predictions, and ${grouped(MOST)} are the most that are taken in`);
  const named = [...Object.keys(record.rungs), ...(record.last ? [record.last.rung, record.last.highest] : [])];
  const unknown = [...new Set(named)].filter((name) => name != null && !rungs.includes(name));
  const wrong = Object.entries(record.rungs).flatMap(([name, step]) =>
    step.predictions.flatMap((one, at) => wrongOf(one).map((what) => `${name}, prediction ${at + 1}: ${what}`)));
  return [...unknown.map((name) => `the task has no rung ${name}`), ...wrong];
}

function wrongOf(one) {
  const edited = isEdited(one) ? [`edited since it was committed (its digest is ${digest(one)}, not ${one.digest})`] : [];
  const huge = MEASURES.filter((measure) => one[measure] > LARGEST).map((measure) => `${grouped(one[measure])} is more than any run here could reach`);
  const sure = Object.entries(one.sure).flatMap(([measure, percent]) => {
    if (!MEASURES.includes(measure)) return [`how sure of ${measure}, which is no measure`];
    return percent > 100 ? [`${percent} % sure, which is no share of 100`] : [];
  });
  return [...edited, ...huge, ...sure];
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
