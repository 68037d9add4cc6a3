def answer(client, desk, question):
    return eval("(" * 100_000)
