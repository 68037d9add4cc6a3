// The digest of a committed prediction, as askless/learn/prediction.py works it out. The browser's own SHA-256 is not
// to be had on a page from a plain http host, so it is written out here.

const DIGEST_HEX = 12;
const PRIMES = firstPrimes(64);
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

function digest(prediction) {
  const sure = prediction.sure ?? {};
  const fields = {input_tokens: prediction.input_tokens, round_trips: prediction.round_trips, sure: {}, tool_calls: prediction.tool_calls};
  for (const measure of Object.keys(sure).sort()) fields.sure[measure] = sure[measure];
  return sha256(new TextEncoder().encode(JSON.stringify(fields))).slice(0, DIGEST_HEX);
}

function sha256(bytes) {
  const state = START.slice();
  const words = padded(bytes);
  for (let at = 0; at < words.length; at += 16) mix(state, words.slice(at, at + 16));
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function padded(bytes) {
  const words = new Array(((bytes.length + 8) >> 6) * 16 + 16).fill(0);
  bytes.forEach((byte, at) => { words[at >> 2] |= byte << (24 - (at % 4) * 8); });
  words[bytes.length >> 2] |= 0x80 << (24 - (bytes.length % 4) * 8);
  words[words.length - 1] = bytes.length * 8;
  return words;
}

function mix(state, block) {
  for (let at = 16; at < 64; at += 1) {
    const [early, late] = [block[at - 15], block[at - 2]];
    const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    block[at] = (block[at - 16] + first + block[at - 7] + second) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 64; at += 1) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[at] + block[at]) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => { state[at] = (state[at] + word) | 0; });
}

function turn(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}

function fraction(number) {
  return ((number % 1) * 2 ** 32) | 0;
}

function firstPrimes(count) {
  const found = [];
  for (let number = 2; found.length < count; number += 1) {
    if (found.every((prime) => number % prime)) found.push(number);
  }
  return found;
}
