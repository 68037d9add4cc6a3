def answer(client, desk, question):
    kept = []
    while True:
        kept.append(bytearray(1 << 26))
