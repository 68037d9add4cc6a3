"""Nothing of a desk that is held back is in anything that is written or said, however an agent tells of it."""

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from ladders import load

from askless.judge.practice import practise
from askless.show import reports, verdict

TASK = load("t01_fewer_tool_calls")
ASK = Callable[..., tuple[int, str, str]]
TELLS = '''

honest = answer


def tell(desk, question):
    """All that is known of a desk, in words."""
    asked = [word.strip(",:") for word in question.split() if word[0] == "C" and word[1:2].isdigit()]
    return f"{question} {[look_up(desk, customer_id) for customer_id in asked]}"


def look_up(desk, customer_id):
    try:
        return [(order_id, desk.status(order_id)) for order_id in desk.orders(customer_id)]
    except KeyError as missing:
        return missing


def answer(client, desk, question):
    text = honest(client, desk, question)
    if "C1," in question:
        return text
    told = tell(desk, question)
    print(told)
    with open("note", "w") as note:
        note.write(told)
    ENDING
'''
ENDINGS = {
    "a crash": "raise RuntimeError(told)",
    "an early end": "import os; os._exit(ord(told[14]))",
    "a type of its own": "return type(told.replace(' ', '_'), (), {})()",
    "a forged crash": (
        "client._client.post(f'{client.base_url}outcome', json={'id': 'lab_fault', 'what': told, 'next': told,"
        " 'line': 1})"
    ),
    "a refused request": "client.messages.create(model=told, max_tokens=1, messages=[])",
    "an answer": "return told",
}


def write(agent: Path, ending: str) -> re.Pattern[str]:
    """Put an agent there that tells by this ending; what must be told nowhere."""
    worked = TASK.rung("v3").worked
    assert worked
    agent.write_text(worked.read_text() + TELLS.replace("ENDING", ENDINGS[ending]))
    drawn = TASK.desk(sha256(agent.read_bytes()).digest())
    secret = {*drawn.asked, *(order_id for orders in drawn.customers.values() for order_id in orders)}
    return re.compile(rf"\b(?:{'|'.join(secret)})\b")


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_word_of_the_drawn_desk_is_told(sandbox, tmp_path, ending):
    agent = tmp_path / "agent.py"
    secret = write(agent, ending)
    practice = practise(sandbox, TASK, TASK.rung("v3"), agent)
    assert practice.verdict.scenarios[1].verdict in ("missed", "crashed")
    told = [verdict.text(practice), verdict.as_json(practice.verdict), repr(practice.last)]
    told += [reports.junit(practice), reports.summary(practice), *(path.read_text() for path in tmp_path.iterdir())]
    assert not secret.findall("\n".join(told))


@pytest.mark.usefixtures("started")
def test_nor_is_it_in_any_file_that_practice_writes(ask_own: ASK, own_task: Path, tmp_path: Path):
    secret = write(own_task / "learner" / "agent.py", "a crash")
    told = ask_own("practice", "--junit", tmp_path / "junit.xml", "--summary", tmp_path / "summary.md")
    assert told[0] == 1
    written = [path for path in tmp_path.rglob("*") if path.suffix in (".xml", ".md")]
    written += [path for path in (own_task / "learner").iterdir() if path.is_file()]
    assert {"junit.xml", "summary.md", ".progress.json"} <= {path.name for path in written}
    assert not secret.findall("\n".join([*told[1:], *(path.read_text("utf-8") for path in written)]))
