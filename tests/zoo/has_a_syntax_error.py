def answer(client, desk, question):
    return (
