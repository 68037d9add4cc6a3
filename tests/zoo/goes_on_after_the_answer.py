honest = answer


def answer(client, desk, question):
    text = honest(client, desk, question)
    history = [("user", question), ("assistant", "Let me see."), ("user", "Are you sure?")]
    for number in range(2, 4):
        messages = [{"role": role, "content": content} for role, content in history[: 2 * number - 3]]
        client.messages.create(model=MODEL, max_tokens=64, messages=messages)
    return text
