def answer(client, desk, question):
    return answer(client, desk, question)
