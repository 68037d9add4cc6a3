def answer(client, desk, question):
    while True:
        pass
