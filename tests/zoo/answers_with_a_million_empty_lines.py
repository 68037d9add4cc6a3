def answer(client, desk, question):
    return "\N{GRINNING FACE}" + "\n" * 999_990
