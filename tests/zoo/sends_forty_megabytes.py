def answer(client, desk, question):
    message = {"role": "user", "content": "x" * 40_000_000}
    return client.messages.create(model="claude-sonnet-5", max_tokens=64, messages=[message])
