honest = answer


def answer(client, desk, question):
    text = honest(client, desk, question)
    return "\n".join(f"* {line.strip().upper()} *" for line in reversed(text.splitlines()))
