// An explanation in words: askless/show/reveal.py and reasons.py over again. A line is [what it is, its text].

const WITHOUT = "You saw this run without predicting it. The record says so.";

function historyLines(step) {
  const {predictions} = step;
  const counting = countingOf(step);
  const lines = [];
  if (predictions.length === 1 && counting) lines.push(["p", `Committed: ${numbersLine(counting)}`]);
  else if (predictions.length) {
    lines.push(["p", `You committed ${counted(predictions.length, "predictions")}, and ${whichLine(step, counting)}:`]);
    lines.push(...predictions.map((one, at) => ["p", `${at + 1}. ${numbersLine(one)}`]));
  }
  if (step.shown_without_predicting) lines.push(["p", counting ? "You had asked to see this run without predicting it." : WITHOUT]);
  return lines;
}

function whichLine({predictions}, counting) {
  if (!counting) return "none counts";
  const number = predictions.lastIndexOf(counting) + 1;
  return number === predictions.length ? "the last one counts" : `number ${number} counts, which stood when the run was shown`;
}

function numbersLine(committed) {
  const numbers = MEASURES.map((measure) => grouped(committed[measure])).join(" / ");
  const remarks = [`digest ${committed.digest}`];
  if (committed.after_reveal) remarks.push("after the reveal");
  if (isEdited(committed)) remarks.push("edited in the file since it was committed");
  return `${numbers} (${remarks.join(", ")})`;
}

function reasonLines(explanation) {
  if (!explanation.parting) return [["right", "All three numbers are right."]];
  if (explanation.whole.length) {
    return [["h4", givenLine("all three of your numbers together", explanation.whole)], ...ideaLines(explanation.whole, explanation)];
  }
  const named = explanation.compared.filter((one) => one.matches.length);
  const lines = named.flatMap((one) => [["h4", whyLine(one)], ...ideaLines(one.matches, explanation)]);
  const unknown = unexplainedLine(explanation);
  return unknown ? [...lines, ["p", unknown]] : lines;
}

function whyLine(one) {
  const numbers = new Set(one.matches.map((each) => each.numbers[one.measure]));
  const rounded = numbers.has(one.predicted) ? "" : ` (which may be ${[...numbers].map(grouped).join(" or ")} rounded)`;
  return givenLine(`${counted(one.predicted, WORDS[one.measure])}${rounded}`, one.matches);
}

function unexplainedLine(explanation) {
  const alone = explanation.compared.filter((one) => one.parting && !one.matches.length);
  const numbers = alone.map((one) => counted(one.predicted, WORDS[one.measure]));
  return numbers.length ? `No wrong idea that this lab knows gives ${numbers.join(" or ")}.` : "";
}

function givenLine(numbers, matches) {
  if (matches.length === 1) return `One wrong idea gives ${numbers}:`;
  return `Any of ${matches.length} wrong ideas gives ${numbers}, and only you know which was yours:`;
}

function ideaLines(matches, explanation) {
  return matches.flatMap(({belief, parting}) => [
    ["idea", `${belief.says[0].toUpperCase()}${belief.says.slice(1)}.`],
    ["but", `But ${belief.truth}.`],
    ...(explanation.partings.length > 1 ? [["but", leavesLine(parting)]] : []),
  ]);
}

function leavesLine(parting) {
  const n = parting.index + 1;
  if (!parting.measured) return `Such a count goes on after request ${parting.index}, the run's last.`;
  if (!parting.imagined) return `Such a count ends before request ${n}, which is sent all the same.`;
  return `Such a count leaves the run at request ${n}: ${countsOf(parting.imagined)} by that count, ${countsOf(parting.measured)} in the run.`;
}

function offWords(one) {
  if (one.difference === 0) return "right";
  if (!one.parting) return `right, rounded (${one.difference > 0 ? "+" : "-"}${grouped(Math.abs(one.difference))})`;
  return `${grouped(Math.abs(one.difference))} too ${one.difference > 0 ? "many" : "few"}`;
}

function whereLine({partings, parting}, run) {
  if (partings.length > 1) {
    return `Which idea was yours decides where you left the run; the earliest place is request ${Math.min(parting.index + 1, run.length)}.`;
  }
  const [n, last] = [parting.index + 1, run.length];
  const measure = WORDS[parting.measure];
  if (parting.measure && n > last) return `The run is over before it comes to your number of ${measure}. Its last request is ${last}.`;
  if (parting.measure) return `Request ${n} is the first one that goes past your number of ${measure}.`;
  if (!parting.measured) return `Your count goes on after request ${last}, but the run is over: this is its last request.`;
  if (!parting.imagined) return `Your count ends before request ${n}, which is sent all the same.`;
  return `Count and measure first part at request ${n}: ${countsOf(parting.imagined)} in your count, ${countsOf(parting.measured)} in the run.`;
}

function countsOf([calls, tokens]) {
  return `${counted(tokens, "tokens")} and ${counted(calls, "tool calls")}`;
}
