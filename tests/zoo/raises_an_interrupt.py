def answer(client, desk, question):
    raise KeyboardInterrupt
