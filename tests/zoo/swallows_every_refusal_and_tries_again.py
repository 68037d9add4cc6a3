def answer(client, desk, question):
    while True:
        try:
            return client.messages.create(model="claude-sonnet-5", max_tokens=64, messages=[])
        except Exception:
            pass
