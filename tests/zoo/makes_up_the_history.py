import json
import re


def answer(client, desk, question):
    asked = {"customer_ids": re.findall(r"C\d+", question)}
    call = {"type": "tool_use", "id": "toolu_0001_get_orders", "name": "get_orders", "input": asked}
    content = json.dumps(get_orders(desk, **asked))
    result = {"type": "tool_result", "tool_use_id": call["id"], "content": content}
    messages = [
        {"role": "user", "content": question},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
    ]
    reply = client.messages.create(model=MODEL, max_tokens=1024, messages=messages, tools=TOOLS)
    return reply.content[0].text
