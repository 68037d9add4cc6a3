// The order desk on the TypeScript SDK's own loop.
import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { base, ordersOf, question } from "./desk.mjs";

const client = new Anthropic({ apiKey: "any", baseURL: base });
const tool = betaTool({
  name: "get_orders",
  description: "Open orders of each of the customers, with their shipping status.",
  inputSchema: {
    type: "object",
    properties: { customer_ids: { type: "array", items: { type: "string" } } },
    required: ["customer_ids"],
  },
  run: async ({ customer_ids }) => JSON.stringify(await ordersOf(customer_ids)),
});
const reply = await client.beta.messages.toolRunner({
  model: "claude-sonnet-5", max_tokens: 1024, messages: [{ role: "user", content: question }], tools: [tool],
});
console.log(reply.content.map((block) => block.text).join(""));
