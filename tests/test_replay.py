"""A recording played back: byte for byte what was said then, and nothing to anybody who asks for something else."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import anthropic
import pytest
from agents import loop, traced
from agents import run as runner
from hypothesis import given, settings
from ladders import RUNGS, load, run
from recordings import traces
from stand_in import DONE, LOOK, MODEL, first_body, post, reply_of, saying

from askless import ladder, tracefile
from askless.api.conversation import Request
from askless.api.faults import Fault, Plan
from askless.client import connect
from askless.model.replay import Parting, Replay
from askless.record import Recorder
from askless.service import Service
from askless.trace import Trace

Act = Callable[[anthropic.Anthropic], Any]


def played(trace: Trace, act: Act) -> tuple[Trace, Replay]:
    """What an agent makes of a recording."""
    replay = Replay(trace)
    return traced(Service(replay), act), replay


def streaming(client: anthropic.Anthropic) -> Any:
    with client.messages.stream(**first_body()) as stream:
        return stream.get_final_message()


def refused(trace: Trace, *bodies: Any) -> Parting:
    """Where the last of some requests parts from a recording."""
    replay = Replay(trace)
    statuses = [replay.answer(Request.of(body)).status for body in bodies]
    assert statuses == [200] * (len(bodies) - 1) + [400]
    assert replay.parted
    return replay.parted


@pytest.mark.parametrize(("name", "rung"), RUNGS)
def test_a_rung_on_its_own_recording_makes_the_same_trace_byte_for_byte(name: str, rung: str, tmp_path: Path) -> None:
    recorded, task = run(name, rung), load(name)
    tracefile.write(recorded, tmp_path / "run.jsonl")
    recorder, desk, replay = Recorder(), task.desk(), Replay(tracefile.read(tmp_path / "run.jsonl"))
    agent = ladder.load_agent(task.rung(rung).worked or Path())
    answer = agent(connect(Service(replay), recorder), desk, desk.question)
    about = {"task": name, "rung": rung, "question": desk.question, "answer": answer}
    again = recorder.trace(**about, answer_right=task.is_right(desk, answer))  # type: ignore[arg-type]
    assert tracefile.lines(replace(again, model="scripted")) == tracefile.lines(recorded)
    assert (replay.parted, replay.unplayed) == (None, [])


@pytest.mark.parametrize(
    "faults",
    [
        [Fault(1, "status", status=429, retry_after_s=7), Fault(2, "status", status=529, delay_s=2.5)],
        [Fault(1, "drop")],
        [Fault(2, "max_tokens")],
        [Fault(1, "refusal")],
    ],
    ids=lambda plan: str(Plan(tuple(plan))),
)
@pytest.mark.parametrize("act", [loop, streaming])
def test_what_failed_in_the_recording_fails_again(act: Act, faults: list[Fault]) -> None:
    recorded = traced(Service(MODEL, faults=Plan(tuple(faults))), act)
    again, replay = played(recorded, act)
    assert again == recorded
    assert replay.unplayed == []


@pytest.mark.parametrize("after", [1, 2, 4, 9])
def test_a_stream_that_was_cut_is_cut_again(after: int) -> None:
    recorded = traced(Service(MODEL, faults=Plan((Fault(1, "cut_stream", after_events=after),))), streaming)
    assert recorded.round_trips[0].cut
    again, _ = played(recorded, streaming)
    assert again == recorded


def test_the_usage_and_the_ids_of_a_live_recording_are_the_recorded_ones() -> None:
    """A model that the lab would refuse, and numbers that are nobody's characters divided by four."""
    recorded = traced(Service(MODEL), lambda client: client.messages.create(**first_body()))
    trip = recorded.round_trips[0]
    said = {**trip.reply, "id": "msg_01XYZ", "usage": {"input_tokens": 391, "output_tokens": 77}}
    live = replace(recorded, round_trips=(replace(trip, reply=said),))
    again, _ = played(live, lambda client: client.messages.create(**first_body()))
    assert again.round_trips[0].reply == said


def test_a_model_that_the_lab_does_not_know_is_played_back_all_the_same() -> None:
    body = first_body(model="someone-elses-2", temperature=1)
    recorder = Recorder()
    recorder.record(Replay(Recorder().trace()).answer(Request.of(body)))
    trip = replace(recorder.trace().round_trips[0], status=200, reply={"id": "m", "content": []})
    trace = replace(recorder.trace(), round_trips=(trip,))
    assert reply_of(post(Service(Replay(trace)), body)) == {"id": "m", "content": []}


@settings(max_examples=30)
@given(traces())
def test_any_recording_answers_its_own_requests_in_any_order(trace: Trace) -> None:
    replay = Replay(trace)
    order = sorted(range(len(trace.round_trips)), key=lambda at: (trace.round_trips[at].chars, at))
    for at in order:
        exchange = replay.answer(Request.of(trace.body(at)))
        assert (exchange.status, exchange.reply) == (trace.round_trips[at].status, trace.round_trips[at].reply)
    assert (replay.parted, replay.unplayed) == (None, [])


@settings(max_examples=30)
@given(traces())
def test_a_request_that_is_not_in_a_recording_never_gets_a_reply(trace: Trace) -> None:
    replay = Replay(trace)
    exchange = replay.answer(Request.of({"model": "nobody's", "messages": [{"role": "user", "content": "\x00"}]}))
    assert (exchange.status, exchange.reply["type"]) == (400, "error")
    assert len(replay.unplayed) == len(trace.round_trips)


def changed(trace: Trace, before: bytes, after: bytes, tmp_path: Path) -> Trace:
    """A recording in which one byte is another: where it stands the last time."""
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1
    tracefile.write(trace, tmp_path / "run.jsonl")
    text = (tmp_path / "run.jsonl").read_bytes()
    at = text.rindex(before)
    (tmp_path / "run.jsonl").write_bytes(text[:at] + after + text[at + len(before) :])
    return tracefile.read(tmp_path / "run.jsonl")


def losing(client: anthropic.Anthropic) -> None:
    with pytest.raises(anthropic.BadRequestError):
        loop(client)


def test_one_byte_changed_in_a_result_is_found_to_the_character(tmp_path: Path) -> None:
    recorded = traced(Service(MODEL), loop)
    other = changed(recorded, rb"C2\", \"orders", rb"C3\", \"orders", tmp_path)
    again, replay = played(other, losing)
    assert [trip.status for trip in again.round_trips] == [200, 400]
    parting = replay.parted
    assert parting
    assert (parting.n, parting.part) == (2, "messages.2")
    sent = json.dumps(recorded.messages(1)[2], ensure_ascii=False)
    assert sent[: parting.at].endswith('customer_id\\": \\"C')
    assert "C3" in str(parting.recorded)
    assert "C2" in str(parting.sent)


def test_the_first_difference_is_told_tools_before_system_before_messages_before_the_rest() -> None:
    body = {**first_body(), "system": "a"}
    trace = traced(Service(MODEL), lambda client: client.messages.create(**body))
    question = [{"role": "user", "content": "other"}]
    for fields, part in [
        ({"tools": [], "system": "b", "messages": question, "max_tokens": 1}, "tools"),
        ({"system": "b", "messages": question, "max_tokens": 1}, "system"),
        ({"messages": question, "max_tokens": 1}, "messages.0"),
        ({"max_tokens": 1}, "rest"),
    ]:
        assert refused(trace, {**body, **fields}).part == part
    without = {name: value for name, value in body.items() if name != "system"}
    assert (refused(trace, without).part, refused(trace, without).sent) == ("system", None)


def test_the_client_reads_where_its_request_differs_and_does_not_try_again() -> None:
    trace = traced(Service(MODEL), lambda client: client.messages.create(**first_body()))
    with connect(Service(Replay(trace))) as client, pytest.raises(anthropic.BadRequestError) as raised:
        client.messages.create(**first_body(max_tokens=9))
    assert "recording: not as recorded in request 1: rest, character " in str(raised.value)
    assert raised.value.body["error"]["details"]["place"] == "rest"  # type: ignore[index]


def test_a_recording_that_is_played_to_its_end_says_so() -> None:
    trace = traced(Service(MODEL), lambda client: client.messages.create(**first_body()))
    parting = refused(trace, first_body(), first_body())
    assert str(parting) == "the recording ends with request 1, and this is one more"


def test_the_same_request_twice_gets_both_recorded_replies_in_turn() -> None:
    says = [saying(LOOK), saying(DONE)]
    recorder = Recorder()
    for model in says:
        with connect(Service(model), recorder) as client:
            client.messages.create(**first_body())
    again, _ = played(recorder.trace(), lambda client: [client.messages.create(**first_body()) for _ in says])
    assert [trip.reply["stop_reason"] for trip in again.round_trips] == ["tool_use", "end_turn"]


def test_a_recording_counts_no_tokens_for_anybody() -> None:
    trace = traced(Service(MODEL), lambda client: client.messages.create(**first_body()))
    counted = {name: value for name, value in first_body().items() if name != "max_tokens"}
    answer = post(Service(Replay(trace)), counted, "/v1/messages/count_tokens")
    assert answer.status == 400
    assert "holds no token counts" in answer.body.decode()


def batched(client: anthropic.Anthropic) -> None:
    """Two requests in a batch, asked for until it has ended."""
    asks: Any = [{"custom_id": name, "params": first_body(metadata={"user_id": name})} for name in "ab"]
    made = client.messages.batches.create(requests=asks)
    while client.messages.batches.retrieve(made.id).processing_status != "ended":
        pass


def at_once(client: anthropic.Anthropic) -> None:
    """Eight conversations at a time, each with a question of its own."""
    with ThreadPoolExecutor(8) as pool:
        bodies = [first_body(metadata={"user_id": str(n)}) for n in range(8)]
        list(pool.map(lambda body: client.messages.create(**body), bodies))


def sent(trace: Trace) -> list[str]:
    return sorted(json.dumps([trace.body(at), trip.reply]) for at, trip in enumerate(trace.round_trips))


@pytest.mark.parametrize("act", [batched, at_once, runner])
def test_batches_message_threads_and_conversations_at_once_are_played_back(act: Act) -> None:
    recorded = traced(Service(MODEL), act)
    again, replay = played(recorded, act)
    assert sent(again) == sent(recorded)
    assert (replay.parted, replay.unplayed) == (None, [])
