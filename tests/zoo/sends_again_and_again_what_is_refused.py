import contextlib


def answer(client, desk, question):
    while True:
        with contextlib.suppress(Exception):
            client.messages.create(model="none", max_tokens=64, messages=[{"role": "user", "content": "a" * 10_000_000}])
