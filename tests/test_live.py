"""Live runs: the real API is a service in another process, which fails as it is told."""

import json
from pathlib import Path

import pytest
from living import Far, Live

from askless import cli, tracefile

V1 = {"round_trips": 3, "tool_calls": 10, "failed_requests": 0, "estimated_tokens": 1408, "answer_right": True}


def kept(task: Path) -> list[str]:
    return sorted(path.name for path in (task / "learner" / "live").iterdir())


def test_a_run_is_counted_by_the_api_beside_characters_divided_by_four(live: Live, own_task: Path) -> None:
    said = live("v1", "--json", plan={"usage": 1.5}, name="counted")
    (run,) = said.document["live"]
    assert said.code == 0
    assert {name: run[name] for name in V1} == V1
    assert (run["input_tokens"], run["ratio"]) == (2112, 1.5)
    assert [request["input_tokens"] for request in run["requests"]] == [255, 645, 1212]
    assert said.document["scripted"]["totals"]["input_tokens"] == 1408
    trace = tracefile.read(own_task / "learner" / "live" / "v1-1.jsonl")
    assert (trace.model, trace.rung, trace.totals.input_tokens) == ("live", "v1", 1408)
    assert [trip.plain_tokens for trip in trace.round_trips] == [255, 645, 1212]
    assert said.document["spent_usd"] == pytest.approx((2112 * 2 + run["output_tokens"] * 10) / 1e6)


def test_after_a_yes_the_live_numbers_and_the_scripted_ones_are_two_tables(live: Live) -> None:
    said = live("v1", typed="y\n", plan={"usage": 1.5}, name="tables")
    live_part, scripted_part = said.out.split("Scripted, the same agent: characters divided by four\n")
    assert "all                1,408         2,112   1.50            484    0.0091" in live_part
    assert "all              10         1,408            323" in scripted_part
    assert "2,112" not in scripted_part
    assert "1 run of v1 on claude-sonnet-5 at 127.0.0.1" in said.err
    assert "request 3: 1,212 input tokens (808 by characters/4)" in said.err


def test_runs_are_numbered_and_none_takes_anothers_place(live: Live, own_task: Path) -> None:
    said = live("v3", "--repeat", "2", "--json", name="three")
    live("v3", name="four")
    assert kept(own_task) == ["v3-1.jsonl", "v3-2.jsonl", "v3-3.jsonl"]
    assert said.document["spread"]["round_trips"] == {"median": 2, "least": 2, "most": 2}
    assert [Path(run["trace"]).name for run in said.document["live"]] == ["v3-1.jsonl", "v3-2.jsonl"]


def test_the_learners_own_agent_runs_the_same_way_and_what_it_prints_is_shown(live: Live, own_task: Path) -> None:
    agent = own_task / "learner" / "agent.py"
    agent.write_text(f"{agent.read_text()}\nprint('here I am')\n")
    said = live("learner", name="learner")
    assert said.code == 0
    assert said.out.startswith("The agent printed:\nhere I am\n")
    assert kept(own_task) == ["learner-1.jsonl"]


def test_tokens_are_counted_beforehand_where_that_is_asked(live: Live, far: Far) -> None:
    said = live("v1", "--count-tokens", "--json", name="counting")
    asked = [heard["path"] for heard in far.heard("counting")]
    assert asked == ["/v1/messages/count_tokens", "/v1/messages"] * 3
    assert all(request["counted_tokens"] for request in said.document["live"][0]["requests"])


def test_where_tokens_cannot_be_counted_the_run_goes_on(live: Live) -> None:
    plan = {"uncounted": [404, "not_found_error", "Not Found"]}
    said = live("v3", "--count-tokens", "--json", plan=plan, name="uncounted")
    assert (said.code, said.document["live"][0]["counted_tokens"]) == (0, None)


def test_attempts_after_a_failure_are_the_agents_and_each_is_seen(live: Live) -> None:
    slow, full = [429, "rate_limit_error", "slow down", 1], [529, "overloaded_error", "Overloaded"]
    said = live("v3", "--json", plan={"fails": [slow, full, None, "drop"]}, name="again")
    assert said.code == 0
    assert [request["status"] for request in said.document["live"][0]["requests"]] == [429, 529, 200, 0, 200]
    assert said.document["guessed_requests"] == 1
    assert "Nobody told their cost" in said.err


@pytest.mark.parametrize(
    ("fault", "line", "code", "times"),
    [
        ([429, "rate_limit_error", "Slow down.", 7], "too many requests for this key's limits", 3, 3),
        ([401, "authentication_error", "invalid x-api-key"], "the key was refused", 2, 1),
    ],
)
def test_after_a_failure_no_further_run_begins(
    live: Live, far: Far, own_task: Path, fault: list[object], line: str, code: int, times: int
) -> None:
    said = live("v1", "--repeat", "2", plan={"fails": [fault] * 9}, name=f"fails{code}")
    seen, following = said.err.splitlines()[-2:]
    assert said.out.startswith(line)
    assert "Scripted" not in said.out
    assert said.out.endswith("Not kept: nothing was answered.\n")
    assert said.code == code
    assert seen.startswith(line)
    assert following.startswith("Next: ")
    assert len(far.heard(f"fails{code}")) == times
    assert kept(own_task) == []


def test_an_agent_that_streams_is_answered_and_a_stream_that_breaks_off_is_no_answer(
    live: Live, own_task: Path
) -> None:
    agent = own_task / "learner" / "agent.py"
    streams = agent.read_text().replace("client.messages.create(", "streamed(client, ")
    agent.write_text(f"{streams}\n\ndef streamed(client, **body):\n    with client.messages.stream(**body) as stream:\n"
                     "        return stream.get_final_message()\n")  # fmt: skip
    assert live("learner", name="streams").code == 0
    said = live("learner", "--json", plan={"fails": [None, "cut"]}, name="cut")
    (run,) = said.document["live"]
    assert (said.code, run["end"], run["answer"]) == (3, "failed", None)
    assert "cut its answer off" in run["seen"]
    assert run["round_trips"] == 2
    assert said.document["guessed_requests"] == 1


def test_what_could_go_over_the_budget_is_not_sent_and_what_came_before_is_kept(
    live: Live, far: Far, own_task: Path
) -> None:
    said = live("v1", "--budget", "0.0162", "--json", name="budget")
    (run,) = said.document["live"]
    assert (said.code, run["end"], run["round_trips"]) == (1, "kept_back", 1)
    assert run["seen"].startswith("a request was not sent: the next request may cost up to $0.0")
    assert len(far.heard("budget")) == 1
    assert said.document["spent_usd"] <= 0.0162
    assert kept(own_task) == ["v1-1.jsonl"]


def test_a_budget_that_the_first_request_could_pass_sends_nothing(live: Live, far: Far) -> None:
    said = live("v1", "--budget", "0.001", name="poor")
    assert said.code == 2
    assert "the first request alone may cost $0.0" in said.err
    assert far.heard("poor") == []


def test_nothing_is_sent_without_a_yes(live: Live, far: Far) -> None:
    said = live("v3", typed="maybe\n", name="no")
    assert (said.code, far.heard("no")) == (1, [])
    assert said.err.endswith("Send it? [y/N] Nothing was sent.\n")


def test_where_nobody_can_be_asked_that_is_said(
    live: Live, far: Far, own_task: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live("v3", "--budget", "0", name="nobody")
    assert cli.main(["live", str(own_task), "v3"]) == 2
    assert "add --yes" in capsys.readouterr().err
    assert far.heard("nobody") == []


def test_without_a_network_that_is_said(
    live: Live, own_task: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    assert cli.main(["live", str(own_task), "v3", "--yes"]) == 3
    assert "127.0.0.1:9 cannot be reached" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["v4"], "rung 4 has no worked version"),
        (["v9"], "has no rung v9"),
        (["v1", "--budget", "nan"], "--budget takes a number"),
        (["v1", "--budget", "-1"], "--budget takes a number"),
        (["v1", "--repeat", "-1"], "--repeat takes a whole number over 0, up to 100; this is -1."),
        (["v1", "--repeat", "1.5"], "--repeat takes a whole number"),
    ],
)
def test_wrong_usage_sends_nothing(live: Live, far: Far, words: list[str], line: str) -> None:
    said = live(*words, name="wrong")
    assert said.code == 2
    assert line in said.err
    assert far.heard("wrong") == []


def test_an_agent_that_the_scripted_model_defeats_is_not_sent(live: Live, far: Far, own_task: Path) -> None:
    (own_task / "learner" / "agent.py").write_text("def answer(client, desk, question):\n    return 1 / 0\n")
    said = live("learner", name="broken")
    assert said.code == 2
    assert "nothing was sent, as the scripted model gets no answer out of it either:" in said.err
    assert "ZeroDivisionError: division by zero.\nNext: askless practice" in said.err
    assert far.heard("broken") == []


def test_what_the_rehearsal_shows_is_on_record_as_shown(live: Live, own_task: Path) -> None:
    live("v1", typed="n\n", name="shown")
    record = json.loads((own_task / "learner" / ".progress.json").read_text())
    assert "v1" in json.dumps(record)


def test_a_kept_trace_shows_what_the_api_counted(
    live: Live, own_task: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live("v3", plan={"usage": 2}, name="traced")
    assert cli.main(["trace", str(own_task / "learner" / "live" / "v3-1.jsonl")]) == 0
    shown = capsys.readouterr().out
    assert "t01_fewer_tool_calls v3 (live model)" in shown
    assert "the API counted 772 input tokens, 2.00 times the estimate" in shown
    assert shown.count("times the estimate") == 3
