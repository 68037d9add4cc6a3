def answer(client, desk, question):
    while True:
        print("flood")
