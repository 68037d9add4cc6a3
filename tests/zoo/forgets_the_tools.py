def answer(client, desk, question):
    message = {"role": "user", "content": question}
    reply = client.messages.create(model="claude-sonnet-5", max_tokens=1024, messages=[message])
    return "".join(block.text for block in reply.content if block.type == "text")
