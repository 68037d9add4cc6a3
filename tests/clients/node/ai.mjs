// The order desk on the AI SDK, whose Anthropic provider speaks HTTP and reads streams in its own way.
import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import { base, ordersOf, question } from "./desk.mjs";

const anthropic = createAnthropic({ apiKey: "any", baseURL: `${base}/v1` });
const settings = {
  model: anthropic("claude-sonnet-5"),
  prompt: question,
  stopWhen: stepCountIs(10),
  tools: {
    get_orders: tool({
      description: "Open orders of each of the customers, with their shipping status.",
      inputSchema: z.object({ customer_ids: z.array(z.string()) }),
      execute: async ({ customer_ids }) => ordersOf(customer_ids),
    }),
  },
};
const streamed = process.argv[3] === "stream";
console.log(await (streamed ? streamText(settings) : await generateText(settings)).text);
