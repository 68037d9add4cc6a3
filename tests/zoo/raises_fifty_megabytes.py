def answer(client, desk, question):
    raise RuntimeError("x" * 50_000_000)
