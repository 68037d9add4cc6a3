// A prediction beside a measured run: askless/learn/belief.py over again, on the numbers that were measured when the
// page was built. A run is a list of requests, each as [tool calls in its reply, its input tokens].

const ROUNDED = 0.05;

function explain(prediction, rung) {
  const told = rung.beliefs.map((belief) => ({...belief, numbers: numbersOf(belief.run)}));
  const compared = MEASURES.map((measure) => compare(measure, prediction, rung.run, told));
  const whole = compared.some((one) => one.parting) ? giving(told, numbersOnly(prediction)) : [];
  const matches = whole.map((belief) => match(belief, rung.run));
  const held = matches.length ? matches : compared.flatMap((one) => one.matches);
  const partings = partingsOf(held);
  const alone = compared.filter((one) => one.parting).map((one) => one.parting);
  return {compared, whole: matches, held, partings, parting: earliest(partings.length ? partings : alone)};
}

function compare(measure, prediction, run, told) {
  const [predicted, measured] = [prediction[measure], numbersOf(run)[measure]];
  const one = {measure, predicted, measured, sure: prediction.sure?.[measure] ?? null, difference: predicted - measured};
  if (predicted === measured || isRounded(measure, measured, predicted)) return {...one, matches: [], parting: null};
  const matches = giving(told, {[measure]: predicted}).map((belief) => match(belief, run));
  return {...one, matches, parting: goesPast(measure, predicted, run)};
}

function match(belief, run) {
  return {belief, numbers: belief.numbers, parting: part(belief.run, run)};
}

// Where each belief leaves the run, the earliest first, each once; more than one says that it depends.
function partingsOf(held) {
  const each = new Map(held.map((one) => [JSON.stringify(one.parting), one.parting]));
  return [...each.values()].sort((one, other) => one.index - other.index);
}

function earliest(partings) {
  return partings.reduce((first, each) => (first && first.index <= each.index ? first : each), null);
}

function giving(told, typed) {
  const pairs = Object.entries(typed);
  const exact = told.filter((belief) => pairs.every(([measure, number]) => belief.numbers[measure] === number));
  if (exact.length) return exact;
  return told.filter((belief) => pairs.every(([measure, number]) =>
    belief.numbers[measure] === number || isRounded(measure, belief.numbers[measure], number)));
}

function isRounded(measure, number, typed) {
  return measure === "input_tokens" && roundsTo(number, typed);
}

function roundsTo(number, typed) {
  const unit = 10 ** /0*$/.exec(String(typed))[0].length;
  return unit > 1 && unit <= typed && Math.abs(number - typed) <= Math.min(unit / 2, ROUNDED * typed);
}

function part(imagined, run) {
  for (let index = 0; index < Math.max(imagined.length, run.length); index += 1) {
    const [ours, theirs] = [imagined[index] ?? null, run[index] ?? null];
    if (String(ours) !== String(theirs)) return {index, imagined: ours, measured: theirs, measure: null};
  }
  return null;
}

function goesPast(measure, predicted, run) {
  const index = run.findIndex((_, at) => numbersOf(run.slice(0, at + 1))[measure] > predicted);
  if (index < 0) return {index: run.length, imagined: null, measured: null, measure};
  return {index, imagined: null, measured: run[index], measure};
}

function numbersOf(run) {
  const sum = (at) => run.reduce((total, request) => total + request[at], 0);
  return {round_trips: run.length, tool_calls: sum(0), input_tokens: sum(1)};
}

function numbersOnly(prediction) {
  return Object.fromEntries(MEASURES.map((measure) => [measure, prediction[measure]]));
}

// The tokens by request as the beliefs have them that give all three numbers; null where there are none, or they differ.
function imaginedTokens(explanation) {
  const [own, ...others] = explanation.whole.map(({belief}) => belief.run.map((request) => request[1]));
  return own && others.every((run) => String(run) === String(own)) ? own : null;
}

function spread(prediction) {
  return new Array(Math.min(prediction.round_trips, 40)).fill(prediction.input_tokens / prediction.round_trips);
}
