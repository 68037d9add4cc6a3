def answer(client, desk, question):
    while True:
        message = {"role": "user", "content": question * 100_000}
        client.messages.count_tokens(model="claude-sonnet-5", messages=[message])
