def answer(client, desk, question):
    message = {"role": "user", "content": question}
    while True:
        client.messages.create(model="claude-sonnet-5", max_tokens=64, messages=[message])
