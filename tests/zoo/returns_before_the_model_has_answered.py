def answer(client, desk, question):
    message = {"role": "user", "content": question}
    reply = client.messages.create(model=MODEL, max_tokens=1024, messages=[message], tools=TOOLS)
    return "".join(block.text for block in reply.content if block.type == "text")
