"""The key: a canary in the environment, and a search of everything that was written, printed and seen by an agent."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from living import KEY, Far
from processes import until
from refusing import FILTER

from askless.live.access import HIDDEN

ROOT = Path(__file__).parent.parent

AS_MODULE = "\nimport runpy; runpy.run_module('askless', run_name='__main__', alter_sys=True)"

SPY = """
import glob, os, sys

def seen():
    yield repr(dict(os.environ))
    there = [path for name in ("environ", "cmdline") for path in glob.glob("/proc/*/" + name)]
    for path in there + glob.glob(os.getcwd() + "/**", recursive=True):
        try:
            yield path + " " + repr(open(path, "rb").read())
        except OSError as error:
            yield path + " " + repr(error)

def answer(client, desk, question):
    for line in seen():
        print(line)
    print(repr(vars(client)), client.api_key, client.auth_headers, file=sys.stderr)
    body = {"model": "claude-sonnet-5", "max_tokens": 500, "messages": [{"role": "user", "content": question}]}
    try:
        raw = client.messages.with_raw_response.create(**body)
    except Exception as error:
        print(repr(error), getattr(error, "body", None), getattr(error, "response", None) and error.response.headers)
        raise
    print(raw.headers, raw.http_response.request.headers)
    return raw.parse().content[0].text
"""


def started(far: Far, where: Path, *words: str, exposed: bool = False, **plan: object) -> subprocess.Popen[str]:
    """A command in a process of its own, with the key, and with folders of its own for all that it may write."""
    own = {name: str(where / name) for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME")}
    for folder in own.values():
        Path(folder).mkdir(exist_ok=True)
    secret = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": far.plan(where.name, **plan), "ANTHROPIC_LOG": "debug"}
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **own, **secret}
    return subprocess.Popen(
        [sys.executable, *(["-c", f"{FILTER}{AS_MODULE}"] if exposed else ["-m", "askless"]), *words],
        env=environment, cwd=where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def written(folder: Path) -> list[str]:
    """The files below a folder that hold the key, in whichever way."""
    ways = [KEY.encode(), KEY.encode("utf-16-le"), KEY.encode().hex().encode(), KEY[::-1].encode(), KEY[8:].encode()]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 20
    return [str(path) for path in files if any(way in path.read_bytes() for way in ways)]


PLANS: list[dict[str, Any]] = [{}, {"exposed": True}, {"fails": ["echo"]}, {"fails": ["parrot"]}]


@pytest.mark.parametrize("number", range(len(PLANS)))
def test_the_key_is_in_nothing_that_is_written_printed_or_seen(far: Far, own_task: Path, number: int) -> None:
    where = own_task.parent.parent
    (own_task / "learner" / "agent.py").write_text(SPY)
    where = where.rename(where.with_name(f"spied{number}"))
    task = str(where / "tasks" / own_task.name)
    process = started(far, where, "live", task, "learner", "--yes", **PLANS[number])
    out, err = process.communicate(timeout=100)
    assert "HOME" in out
    assert (HIDDEN in out) == ("fails" in PLANS[number])  # in what the service said, and in nothing else
    assert ("ANTHROPIC_API_KEY=****" in out) == ("exposed" in PLANS[number])  # as a run that is not isolated sees it
    assert all(heard["headers"]["x-api-key"] == KEY for heard in far.heard(where.name))
    assert far.heard(where.name)
    assert KEY not in out + err
    assert KEY[8:] not in out + err
    assert written(where) == []


@pytest.mark.parametrize("before", [0, 2])
def test_ctrl_c_ends_a_run_without_its_last_reply_and_keeps_what_was_recorded(
    far: Far, own_task: Path, before: int
) -> None:
    where = own_task.parent.parent
    process = started(far, where, "live", str(own_task), "v1", "--yes", fails=[*[None] * before, "hang"])
    until(lambda: len(far.heard(where.name)) == before + 1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)  # the reply would take twice as long
    assert process.returncode == 130
    assert out.startswith("you stopped the run.\n")
    assert ("Kept: tasks/t01_fewer_tool_calls/learner/live/v1-1.jsonl" in out) == bool(before)
    assert "Answer (right)" not in out
    assert err.count("A request was still under way. It may cost up to $0.0") == 1
    assert err.endswith("you stopped the run.\nNext: run it again, when you like.\n")
    assert "Traceback" not in err
    assert written(where) == []
