// What a person types, read as a count: the rules of askless/learn/prediction.py, and a test holds the two alike.

const MEASURES = ["round_trips", "tool_calls", "input_tokens"];
const WORDS = {round_trips: "round trips", tool_calls: "tool calls", input_tokens: "input tokens"};
const LARGEST = 999_999_999;
const SEEN_CHARS = 40;
const SENT = ["round_trips", "input_tokens"];
const UNITS = {round_trips: / ?(?:(?:round )?trips?)$/, tool_calls: / ?(?:(?:tool )?calls?)$/, input_tokens: / ?(?:(?:input )?tokens?)$/};
const NEVER_NONE = "cannot be: every run sends at least one request.";
const TOO_LARGE = "is more than any run here could reach.";
const TYPE_A_NUMBER = "Type one whole number, such as 1200.";
const TYPE_A_PERCENT = "Type a whole number from 0 to 100, or nothing.";
const ONE_FORM = new Map([..."，٬．＇’～∼≈−％٪"].map((sign, at) => [sign, [...",,.''~~~-%%"][at]]));
const ABOUT = /^(?:~|(?:about|around|roughly|circa|approximately)(?![\p{L}\p{N}_])|(?:ca|approx)(?![\p{L}\p{N}_])\.?) */u;
const GROUPED = /^[1-9]\d{0,2}([,. '_])\d{3}(?:\1\d{3})*$/;
const INDIAN = /^[1-9]\d?(?:,\d\d)+,\d{3}$/;
const THOUSANDS = /^(\d{1,6})(?:[.,](\d{1,2}))? ?k$/;

class Unclear extends Error {}

function readNumber(text, measure = null) {
  const sign = plain(text).replace(/[? ]+$/, "").replace(ABOUT, "").replace(/^\+ ?(?=\d)/, "");
  const typed = measure ? sign.replace(UNITS[measure], "") : sign;
  const number = whole(typed);
  if (number === null) askAgain(typed, text);
  if (number > LARGEST) throw new Unclear(`${seen(text)} ${TOO_LARGE} ${TYPE_A_NUMBER}`);
  if (number === 0 && SENT.includes(measure)) throw new Unclear(`${seen(text)} ${NEVER_NONE} ${TYPE_A_NUMBER}`);
  return number;
}

function readPercent(text) {
  const typed = plain(text);
  if (!typed) return null;
  const digits = typed.replace(/%$/, "").trimEnd();
  if (!/^\d{1,3}$/.test(digits) || Number(digits) > 100) throw new Unclear(`${seen(text)} is no share of 100. ${TYPE_A_PERCENT}`);
  return Number(digits);
}

function plain(text) {
  return [...text].map((sign) => oneForm(ONE_FORM.get(sign) ?? sign)).join("").toLowerCase().trim();
}

function oneForm(sign) {
  if (/\p{Nd}/u.test(sign)) return digit(sign);
  if (/\p{Cf}/u.test(sign)) return "";
  return /\p{Zs}/u.test(sign) ? " " : sign;
}

// Digits of a script stand in tens; how many stand before one says which it is.
function digit(sign) {
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(sign.codePointAt(0) - before - 1))) before += 1;
  return String(before % 10);
}

function whole(typed) {
  if (typed.length > SEEN_CHARS) return null;
  const thousands = THOUSANDS.exec(typed);
  if (thousands) return Number(thousands[1] + (thousands[2] ?? "").padEnd(3, "0"));
  return [/^\d+$/, GROUPED, INDIAN].some((form) => form.test(typed)) ? Number(typed.replace(/\D/g, "")) : null;
}

function askAgain(typed, text) {
  throw new Unclear(`${whyUnclear(typed, text)} ${TYPE_A_NUMBER}`);
}

function whyUnclear(typed, text) {
  if (!typed) return "No number was typed.";
  if (/^\d+$/.test(typed)) return `${seen(text)} ${TOO_LARGE}`;
  if (/^- ?[\d.,' ]+$/.test(typed)) return `${seen(text)} is below zero.`;
  if ((typed.match(/\d+/g) ?? []).length > 1 && /\d *(?:-|–|—|\.\.|to|or|\/) *\d/.test(typed)) return `${seen(text)} is more than one number.`;
  if (/^[\d.,' ]*\d[\d.,' ]*k?$/.test(typed)) return `${seen(text)} can be read in more than one way.`;
  return `${seen(text)} is not a number written in digits alone.`;
}

function seen(text) {
  const quoted = `'${text.trim()}'`;
  return quoted.length <= SEEN_CHARS ? quoted : `${quoted.slice(0, SEEN_CHARS - 4)} ...'`;
}

function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

// So many things in words: 1 tool call, 1,408 input tokens.
function counted(number, things) {
  return `${grouped(number)} ${number === 1 ? things.replace(/s$/, "") : things}`;
}
