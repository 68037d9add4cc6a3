// A request of a recorded run as text to paste: JSON, a curl command, a Python program. Whatever the run holds, what is
// pasted says the same and does nothing else.

const UNSEEN = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;  // half pairs, too

function bodyOf(bodies, index) {
  const {fields} = bodies[index];
  return Array.isArray(fields.messages) && !fields.messages.length ? {...fields, messages: messagesOf(bodies, index)} : fields;
}

function messagesOf(bodies, index) {
  const {extends: before, kept, added} = bodies[index];
  return [...(before === null ? [] : messagesOf(bodies, before).slice(0, kept)), ...added];
}

// All that would not be seen is written as an escape.
function visible(text) {
  return text.replace(UNSEEN, escaped);
}

function escaped(sign) {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function asJson(body) {
  return visible(JSON.stringify(body, null, 2));
}

// The body stands in a quoted here-document: its lines begin with a bracket, a brace or a quotation mark, never with the
// word that ends it, and the shell reads nothing in them.
function asCurl(body) {
  return [
    'curl "${ANTHROPIC_BASE_URL:-https://api.anthropic.com}/v1/messages" \\',
    '  -H "x-api-key: $ANTHROPIC_API_KEY" \\',
    '  -H "anthropic-version: 2026-10-21" \\',
    '  -H "content-type: application/json" \\',
    "  --data-binary @- <<'END_OF_BODY'",
    asJson(body),
    "END_OF_BODY",
    "",
  ].join("\n");
}

function asPython(body) {
  return `import anthropic\n\nclient = anthropic.Anthropic()  # reads ANTHROPIC_API_KEY\nbody = ${visible(pythonValue(body, ""))}\nprint(client.messages.create(**body).to_json())\n`;
}

function pythonValue(value, indent) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const deeper = `${indent}    `;
  const items = Array.isArray(value)
    ? value.map((item) => pythonValue(item, deeper))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonValue(item, deeper)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return items.length ? `${open}\n${items.map((item) => `${deeper}${item},\n`).join("")}${indent}${close}` : open + close;
}
