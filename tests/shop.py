"""A desk of another kind than the lab's, and the run of an agent there, for tests of the sandbox."""

from typing import Any

from stand_in import MODEL

from askless.judge.room import Outcome, Room
from askless.judge.sandbox import End, Sandbox
from askless.service import Service

HEAD = "def answer(client, desk, question):\n"
ASK = """
def ask(client, text):
    message = {"role": "user", "content": text}
    return client.messages.create(model="claude-sonnet-5", max_tokens=1024, messages=[message])
"""


class Shop:
    """A desk of another kind than the lab's."""

    question = "What does a pear cost?"
    secret = 7

    def price(self, fruit: Any) -> float:
        """KeyError for what is not sold."""
        return {"pear": 1.5}[fruit]


def room(source: str | bytes, requests: int = 20, timeout_s: float = 60.0) -> Room:
    data = source if isinstance(source, bytes) else source.encode()
    return Room("agent.py", data, Shop(), Service(MODEL), requests, timeout_s)


def run(sandbox: Sandbox, source: str | bytes, timeout_s: float = 60.0) -> tuple[End, Outcome | None, Room]:
    made = room(source, timeout_s=timeout_s)
    end = sandbox.run(made)
    return end, made.outcome, made
