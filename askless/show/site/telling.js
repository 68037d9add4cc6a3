// An explanation in words: askless/show/reveal.py over again. A line is [what it is, its text].

function historyLines(step) {
  const {predictions} = step;
  if (!predictions.length) return [["p", "You chose to see this without predicting it. The record says so."]];
  const lines = predictions.length > 1
    ? [["p", `You committed ${predictions.length} predictions, and the last one counts:`], ...predictions.map((one, at) => ["p", `${at + 1}. ${numbersLine(one)}`])]
    : [["p", `Committed: ${numbersLine(predictions[0])}`]];
  if (step.shown_without_predicting) lines.push(["p", "You had asked to see this run without predicting it."]);
  return lines;
}

function numbersLine(committed) {
  const numbers = MEASURES.map((measure) => grouped(committed[measure])).join(" / ");
  const remarks = [`digest ${committed.digest}`];
  if (committed.after_reveal) remarks.push("after the reveal");
  if (committed.digest !== digest(committed)) remarks.push("edited in the file since it was committed");
  return `${numbers} (${remarks.join(", ")})`;
}

function reasonLines(explanation) {
  if (!explanation.parting) return [["right", "All three numbers are right."]];
  if (explanation.whole.length) {
    return [["h4", `All three of your numbers together ${follow(explanation.whole)}:`], ...ideaLines(explanation.whole)];
  }
  const named = explanation.compared.filter((one) => one.matches.length);
  const lines = named.flatMap((one) => [["h4", whyLine(one)], ...ideaLines(one.matches)]);
  const unknown = unexplainedLine(explanation);
  return unknown ? [...lines, ["p", unknown]] : lines;
}

function whyLine(one) {
  const numbers = new Set(one.matches.map((each) => each.numbers[one.measure]));
  const rounded = numbers.has(one.predicted) ? "" : `, which may be ${[...numbers].map(grouped).join(" or ")} rounded,`;
  return `${grouped(one.predicted)} ${WORDS[one.measure]}${rounded} ${follow(one.matches)}:`;
}

function unexplainedLine(explanation) {
  const alone = explanation.compared.filter((one) => one.parting && !one.matches.length);
  const numbers = alone.map((one) => `${grouped(one.predicted)} ${WORDS[one.measure]}`);
  return numbers.length ? `No wrong idea that this lab knows gives ${numbers.join(" or ")}.` : "";
}

function follow(matches) {
  if (matches.length === 1) return "follow from a wrong idea";
  return `follow from any of ${matches.length} wrong ideas, and only you know which was yours`;
}

function ideaLines(matches) {
  return matches.flatMap(({belief}) => [
    ["idea", `${belief.says[0].toUpperCase()}${belief.says.slice(1)}.`],
    ["but", `But ${belief.truth}.`],
  ]);
}

function offWords(one) {
  if (one.difference === 0) return "right";
  if (!one.parting) return `right, rounded (${one.difference > 0 ? "+" : "-"}${grouped(Math.abs(one.difference))})`;
  return `${grouped(Math.abs(one.difference))} too ${one.difference > 0 ? "many" : "few"}`;
}

function whereLine(parting, run) {
  const [n, last] = [parting.index + 1, run.length];
  const measure = WORDS[parting.measure];
  if (parting.measure && n > last) return `The run is over before it comes to your number of ${measure}. Its last request is ${last}.`;
  if (parting.measure) return `Request ${n} is the first one that goes past your number of ${measure}.`;
  if (!parting.measured) return `Your count goes on after request ${last}, but the run is over: this is its last request.`;
  if (!parting.imagined) return `Your count ends before request ${n}, which is sent all the same.`;
  return `Count and measure first part at request ${n}: ${countsOf(parting.imagined)} in your count, ${countsOf(parting.measured)} in the run.`;
}

function countsOf([calls, tokens]) {
  return `${grouped(tokens)} tokens and ${calls} tool call${calls === 1 ? "" : "s"}`;
}
