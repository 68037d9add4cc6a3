"""Agents of every kind in the sandbox: how each run ends, what it says of itself, what the parent counts."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from refusing import refusing_launcher
from shop import ASK, HEAD, Shop, room, run
from stand_in import MODEL

from askless.judge.process.fresh import Fresh
from askless.judge.process.launcher import launcher
from askless.judge.process.runs import Launcher, environment
from askless.judge.room import Outcome, Room
from askless.judge.sandbox import OUTPUT_BYTES, End, Sandbox
from askless.model import Reply
from askless.service import Service


@pytest.fixture(params=["forked", "fresh"])
def either(request: pytest.FixtureRequest, as_it_is: Launcher) -> Iterator[Sandbox]:
    with Sandbox(Fresh() if request.param == "fresh" else as_it_is) as made:
        yield made


def crash(sandbox: Sandbox, source: str | bytes) -> tuple[str, str, str, int | None]:
    """A crash's id, its words, its act and its line."""
    end, outcome, _ = run(sandbox, source)
    assert end.how == "exited"
    assert outcome is not None
    assert outcome.crash is not None
    finding = outcome.crash.finding
    return finding.id, finding.what, finding.next, outcome.crash.line


def test_an_answer_comes_back_and_its_requests_are_counted_outside(either):
    end, outcome, made = run(either, ASK + HEAD + "    print(question)\n    return ask(client, question).id\n")
    assert end == End("exited", 0, "What does a pear cost?\n")
    assert outcome == Outcome(text=made.recorder.trace().round_trips[0].reply["id"])


def test_an_async_answer_gets_the_async_client(sandbox):
    source = ASK.replace("def", "async def").replace("return", "return await")
    _, outcome, made = run(sandbox, source + "async " + HEAD + "    return (await ask(client, question)).id\n")
    assert outcome == Outcome(text=made.recorder.trace().round_trips[0].reply["id"])


def test_the_desk_is_the_parents_and_fails_as_the_parents_does(sandbox):
    source = HEAD + (
        "    missing = []\n"
        "    for key in ('plum', 5, None):\n"
        "        try: desk.price(key)\n"
        "        except KeyError as error: missing.append(error.args[0])\n"
        "    return repr([desk.price('pear'), desk.price(fruit='pear'), missing, hasattr(desk, 'secret')])\n"
    )
    assert run(sandbox, source)[1] == Outcome(text="[1.5, 1.5, ['plum', 5, None], False]")


def test_nothing_of_the_parents_environment_reaches_an_agent(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "canary-key")
    monkeypatch.setenv("CANARY", "canary-variable")
    source = HEAD + (
        "    import os, pathlib\n"
        "    here = pathlib.Path('/proc/self/environ')\n"
        "    return repr(dict(os.environ)) + (here.read_text() if here.exists() else '') + repr(client.api_key)\n"
    )
    for start in (launcher(), Fresh()):
        with Sandbox(start) as fresh:
            outcome = run(fresh, source)[1]
        assert outcome is not None
        assert outcome.text is not None
        assert outcome.text.endswith("askless'")
        assert "canary" not in outcome.text


@pytest.mark.parametrize(
    ("source", "kind", "words", "line"),
    [
        ("", "no_answer", "has no function `answer`", None),
        ("answer = 3", "no_answer", "of type int", None),
        ("def answer(question): pass", "answer_arguments", "takes (question)", None),
        (HEAD + "    return (1,\n", "syntax_error", "'(' was never closed", 2),
        ("def answer(client, desk, question):\n\treturn 1\n        return 2", "syntax_error", "", 3),
        (HEAD + "    return '\0'\n", "syntax_error", "null", None),
        (b'x = 1\nname = "caf\xe9"\n', "not_utf8", "line 2: byte 0xe9 is not UTF-8", 2),
        (b'# -*- coding: no-such-code -*-\nx = "a"\n', "syntax_error", "no-such-code", None),
        ("import no_such_module\n", "exception", "No module named 'no_such_module'", 1),
        (HEAD + "    return {}['a']\n", "exception", "KeyError: 'a'", 2),
        (HEAD + "    return answer(client, desk, question)\n", "recursion", "RecursionError", 2),
        (HEAD + "    import sys\n    sys.exit('bye')\n", "exited", "SystemExit: bye", 3),
        (HEAD + "    return 'x' * (1 << 45)\n", "out_of_memory", "MemoryError", 2),
        (HEAD + "    input()\n", "exception", "EOFError", 2),
    ],
)
def test_what_crashed_is_told_in_the_learners_own_lines(sandbox, source, kind, words, line):
    found, what, act, where = crash(sandbox, source)
    assert (found, where) == (kind, line)
    assert words in what
    assert act
    assert "askless" not in what


def test_a_traceback_shows_the_learners_frames_and_their_text(sandbox):
    source = "import json\ndef parse(text):\n    return json.loads(text)\n" + HEAD + "    return parse('{')\n"
    _, what, act, _ = crash(sandbox, source)
    assert "return parse('{')" in what
    assert "return json.loads(text)" in what
    assert "decoder.py" not in what
    assert act == "mend line 3 of agent.py"


def test_a_refused_request_is_told_with_what_mends_it(sandbox):
    source = HEAD + "    client.messages.create(model='claude-sonnet-5', max_tokens=9, messages=[])\n"
    _, what, act, line = crash(sandbox, source)
    trace_of = run(sandbox, source)[2].recorder.trace()
    error = trace_of.round_trips[0].reply["error"]
    assert what.endswith(f"BadRequestError: 400 {error['message']}")
    assert (act, line) == (error["details"]["mend"], 2)


@pytest.mark.parametrize(
    "source",
    [
        b"\xef\xbb\xbf" + HEAD.encode() + b"    return 'caf\xc3\xa9'\n",
        HEAD.encode().replace(b"\n", b"\r\n") + b"    return 'caf\xc3\xa9'\r\n",
        b"# coding: latin-1\n" + HEAD.encode() + b"    return 'caf\xe9'\n",
    ],
    ids=["byte order mark", "CRLF", "coding line"],
)
def test_a_file_is_read_as_python_reads_it(sandbox, source):
    assert run(sandbox, source)[1] == Outcome(text="café")


def test_something_else_than_text_is_named_by_its_type(sandbox):
    assert run(sandbox, HEAD + "    return 4\n")[1] == Outcome(not_text="int")


def test_an_early_exit_says_nothing_and_keeps_its_status(either):
    end, outcome, _ = run(either, HEAD + "    import os\n    print('so far')\n    os._exit(0)\n")
    assert (end, outcome) == (End("exited", 0, "so far\n"), None)


def test_a_signal_is_a_negative_status(sandbox):
    end, outcome, _ = run(sandbox, HEAD + "    import os\n    os.kill(os.getpid(), 9)\n")
    assert (end.how, end.status, outcome) == ("exited", -9, None)


@pytest.mark.usefixtures("started")
def test_a_run_that_ends_its_watcher_has_ended_itself_and_the_next_one_is_judged(tmp_path, monkeypatch):
    with Sandbox(refusing_launcher(tmp_path, monkeypatch)) as made:
        end, outcome, _ = run(made, HEAD + "    import os, time\n    os.kill(os.getppid(), 9)\n    time.sleep(999)\n")
        assert (end.how, end.status, outcome) == ("exited", -9, None)
        assert run(made, HEAD + "    return 'well'\n")[1] == Outcome(text="well")


def test_an_endless_loop_is_timed_out(either):
    end, _, _ = run(either, HEAD + "    while True: pass\n", timeout_s=0.3)
    assert end.how == "timed_out"


def test_requests_without_end_stop_at_the_limit(sandbox):
    end, _, made = run(sandbox, ASK + HEAD + "    while True: ask(client, question)\n")
    assert (end.how, len(made.recorder)) == ("requests", 20)


def test_a_flood_is_cut_at_the_limit(sandbox):
    end, _, _ = run(sandbox, HEAD + "    while True: print('x' * 99)\n")
    assert (end.how, len(end.output)) == ("output", OUTPUT_BYTES)


def test_a_stopped_run_is_given_up(sandbox):
    made = room(HEAD + "    while True: pass\n")
    assert sandbox.run(made, stop=lambda: True).how == "stopped"


def test_a_fault_of_the_lab_is_never_the_agents(sandbox):
    def broken(_: Any) -> Reply:
        raise RuntimeError("a bug")

    made = Room("agent.py", (ASK + HEAD + "    return ask(client, question)\n").encode(), Shop(), Service(broken), 20)
    assert sandbox.run(made).how == "fault"
    assert made.fault == "RuntimeError: a bug"


def test_a_child_that_cannot_import_the_sdk_is_the_labs_fault(monkeypatch, tmp_path):
    (tmp_path / "anthropic.py").write_text("raise ImportError('a broken installation')")
    path = os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]])
    monkeypatch.setattr("askless.judge.process.forked.environment", lambda: {**environment(), "PYTHONPATH": path})
    made = room(HEAD + "    return 'well'\n")
    with Sandbox() as broken:
        assert broken.run(made).how == "fault"
    assert made.fault


def test_several_runs_are_on_at_once_and_each_has_its_own_end(sandbox):
    here: set[str] = set()

    class Place(Shop):
        def meet(self, name: str) -> int:
            here.add(name)
            return len(here)

    meets = HEAD + "    import time\n    while desk.meet('{}') < 2: time.sleep(0.01)\n    return 'met'\n"
    sources = [meets.format("left"), meets.format("right"), HEAD + "    import os\n    os._exit(3)\n"]
    rooms = [Room("agent.py", source.encode(), Place(), Service(MODEL), 20) for source in sources]
    with ThreadPoolExecutor(len(rooms)) as pool:
        ends = list(pool.map(sandbox.run, rooms))
    assert [(end.how, end.status) for end in ends] == [("exited", 0), ("exited", 0), ("exited", 3)]
    assert [made.outcome for made in rooms] == [Outcome(text="met"), Outcome(text="met"), None]
