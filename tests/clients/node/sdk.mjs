// The order desk on the TypeScript SDK; with a second argument "stream", each reply comes as a stream.
import Anthropic from "@anthropic-ai/sdk";
import { base, ordersOf, question } from "./desk.mjs";

const client = new Anthropic({ apiKey: "any", baseURL: base });
const tools = [{
  name: "get_orders",
  description: "Open orders of each of the customers, with their shipping status.",
  input_schema: {
    type: "object",
    properties: { customer_ids: { type: "array", items: { type: "string" } } },
    required: ["customer_ids"],
    additionalProperties: false,
  },
}];

async function ask(messages) {
  const body = { model: "claude-sonnet-5", max_tokens: 1024, messages, tools };
  if (process.argv[3] === "stream") return client.messages.stream(body).finalMessage();
  return client.messages.create(body);
}

const messages = [{ role: "user", content: question }];
let reply = await ask(messages);
while (reply.stop_reason === "tool_use") {
  const results = [];
  for (const call of reply.content.filter((block) => block.type === "tool_use")) {
    const content = JSON.stringify(await ordersOf(call.input.customer_ids));
    results.push({ type: "tool_result", tool_use_id: call.id, content });
  }
  messages.push({ role: "assistant", content: reply.content }, { role: "user", content: results });
  reply = await ask(messages);
}
console.log(reply.content.map((block) => block.text).join(""));
