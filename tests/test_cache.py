"""The prompt cache's meter: read, written and plain tokens of a run of marked requests."""

import json
from copy import deepcopy
from itertools import accumulate
from typing import Any

import pytest
from bodies import page_bodies, tool
from cached import HOUR, LONG, SHORT, TOOLS, Slow, assistant, body, runs, said, turn, user
from hypothesis import given

from askless.api import parts, rules
from askless.api.cache import Charge, Meter
from askless.api.conversation import Request
from askless.api.wire import Wire

Run = list[tuple[dict[str, Any], float]]


def charges(meter: Any, run: Run, read: Any) -> list[Charge]:
    times = accumulate(gap_s for _, gap_s in run)
    return [meter.charge(read(sent), now_s) for (sent, _), now_s in zip(run, times, strict=True)]


def afresh(sent: dict[str, Any]) -> Request:
    return Request.of(deepcopy(sent))


def along() -> Any:
    wire = Wire()
    return lambda sent: wire.read(json.dumps(sent).encode())


def allowed(run: Run) -> Run:
    return [(sent, gap_s) for sent, gap_s in run if rules.refusal(afresh(sent)) is None]


@given(runs())
def test_read_written_and_plain_add_up_once_to_the_whole(run: Run) -> None:
    for (sent, _), charge in zip(allowed(run), charges(Meter(), allowed(run), along()), strict=True):
        counts = (charge.plain_tokens, charge.read_tokens, charge.written_5m_tokens, charge.written_1h_tokens)
        assert min(counts) >= 0
        assert sum(counts) == parts.input_tokens(afresh(sent))


@given(runs())
def test_carried_along_a_conversation_equals_read_afresh(run: Run) -> None:
    assert charges(Meter(), allowed(run), along()) == charges(Meter(), allowed(run), afresh)


@given(runs())
def test_the_meter_charges_as_its_rules_read(run: Run) -> None:
    assert charges(Meter(), allowed(run), along()) == charges(Slow(), allowed(run), afresh)


def told(*bodies: dict[str, Any], gap_s: float = 1.0) -> list[tuple[int, int]]:
    """(written, read) of each request."""
    assert [rules.refusal(afresh(sent)) for sent in bodies] == [None] * len(bodies)
    found = charges(Meter(), [(sent, gap_s) for sent in bodies], along())
    return [(charge.written_5m_tokens + charge.written_1h_tokens, charge.read_tokens) for charge in found]


def test_without_a_mark_nothing_is_cached_and_usage_stays_as_it_was() -> None:
    for sent in page_bodies():
        charge = Meter().charge(Request.of(sent), 0)
        assert charge.usage == {
            "input_tokens": parts.input_tokens(Request.of(sent)),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        }


def test_a_prefix_is_written_once_and_then_read() -> None:
    system = [said("s", 4_000, cache_control=SHORT)]
    asks = [body(user(said(f"q{n}", 40)), system=system) for n in range(3)]
    (written, nothing), *later = told(*asks)
    assert (written, nothing) == ((4_000 + len('[{"type": "text", "text": ""}]')) // 4, 0)
    assert later == [(0, written)] * 2


def test_automatic_caching_moves_forward_with_the_conversation() -> None:
    messages = [user(said("q")), *turn(1, 3), *turn(2, 3)]
    marked = {"cache_control": SHORT, "tools": TOOLS}
    first, second, third = told(*(body(*messages[:n], **marked) for n in (1, 3, 5)), gap_s=299)
    assert first[1] == 0
    assert second[1] == first[0]
    assert third[1] == first[0] + second[0]


@pytest.mark.parametrize(("blocks", "found"), [(18, True), (19, True), (20, False)])
def test_a_read_looks_back_over_twenty_positions_the_marks_own_among_them(blocks: int, found: bool) -> None:
    written, then = told(
        body(user(said("q")), cache_control=SHORT),
        body(user(said("q"), *(said(f"{n}", 9) for n in range(blocks))), cache_control=SHORT),
    )
    assert (then[1] == written[0]) is found


def test_parallel_calls_are_one_position_and_so_are_their_results() -> None:
    question = user(said("q"))
    long_turns = [message for number in range(1, 4) for message in turn(number, 40)]
    marked = {"cache_control": SHORT, "tools": TOOLS}
    written, then = told(body(question, **marked), body(question, *long_turns, **marked))
    assert then[1] == written[0]


def test_an_earlier_mark_opens_a_window_of_its_own() -> None:
    question = user(said("q", cache_control=SHORT))
    talk = [message for n in range(15) for message in (assistant(said(f"a{n}", 9)), user(said(f"u{n}", 9)))]
    written, then = told(body(question), body(question, *talk, cache_control=SHORT))
    assert then[1] == written[0]


@pytest.mark.parametrize(("control", "gap_s", "alive"), [(SHORT, 300, True), (SHORT, 301, False), (HOUR, 3_600, True)])
def test_an_entry_lives_from_its_last_use(control: dict[str, str], gap_s: float, alive: bool) -> None:
    asks = [body(user(said(f"q{n}", 40)), system=[said("s", cache_control=control)]) for n in range(3)]
    assert [read > 0 for _, read in told(*asks, gap_s=gap_s)] == [False, alive, alive]


def test_a_prefix_under_the_models_minimum_is_passed_over_in_silence() -> None:
    sent = body(user(said("q", 1_024 * 4 - 100)), cache_control=SHORT)
    assert told(sent, sent)[1][1] > 0
    longer_minimum = {**sent, "model": "claude-sonnet-5"}
    assert told(longer_minimum, longer_minimum) == [(0, 0), (0, 0)]


def test_a_prefix_of_the_minimum_itself_is_cached() -> None:
    around = len(json.dumps(user(said("q", 0))))
    chars = 512 * 4 - around
    asks = [body(user(said("q", chars - less)), cache_control=SHORT) for less in (0, 1)]
    assert [told(sent) for sent in asks] == [[(512, 0)], [(0, 0)]]


def test_the_same_words_from_somebody_else_are_another_prefix() -> None:
    question, last = user(said("q", 20)), user(said("u"))
    asks = [body(question, speaker(said("w")), last, cache_control=SHORT) for speaker in (assistant, user)]
    assert [read for _, read in told(*asks)] == [0, 0]
    assert told(asks[1], body(user(*question["content"], said("w")), last, cache_control=SHORT))[1][1] > 0


def test_writes_are_split_by_how_long_they_are_kept() -> None:
    sent = body(user(said("q", cache_control=SHORT)), system=[said("s", cache_control=HOUR)])
    usage = Meter().charge(afresh(sent), 0).usage
    long, short = (usage["cache_creation"][f"ephemeral_{ttl}_input_tokens"] for ttl in ("1h", "5m"))
    assert long == (LONG + 30) // 4
    assert long + short == usage["cache_creation_input_tokens"]
    assert short > LONG // 4


IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "eA=="}}
LEVELS = {  # a change, and which of three marks (tools, system, messages) can still be read
    "nothing": ({}, 3),
    "the length of the reply": ({"max_tokens": 10}, 3),
    "the form of the reply": ({"stream": True}, 3),
    "the choice": ({"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}}, 2),
    "the effort": ({"output_config": {"effort": "low"}}, 2),
    "the thinking": ({"thinking": {"type": "adaptive"}}, 2),
    "an image": ({"messages": [user(said("q", cache_control=SHORT), IMAGE)]}, 2),
    "the question": ({"messages": [user(said("p", cache_control=SHORT))]}, 2),
    "the speed": ({"speed": "fast"}, 1),
    "the system prompt": ({"system": [said("t", cache_control=SHORT)]}, 1),
    "a tool": ({"tools": [{**tool("look", "e" * LONG, "key"), "cache_control": SHORT}]}, 0),
    "the model": ({"model": "claude-opus-5"}, 0),
}


@pytest.mark.parametrize("name", LEVELS)
def test_a_change_loses_its_own_level_and_all_after_it(name: str) -> None:
    marked = {
        "tools": [{**tool("look", "d" * LONG, "key"), "cache_control": SHORT}],
        "system": [said("s", cache_control=SHORT)],
    }
    change, kept = LEVELS[name]
    before = body(user(said("q", cache_control=SHORT)), **marked)
    meter = Meter()
    meter.charge(afresh(before), 0)
    read = meter.charge(afresh({**before, **change}), 1).read_tokens
    assert (read > LONG // 4 * 0.9) + (read > LONG // 2 * 0.9) + (read > LONG * 3 // 4 * 0.9) == kept


def test_a_mark_inside_a_result_is_one_on_the_result() -> None:
    asked, answered = turn(1, 1)
    inner = [said("row", cache_control=SHORT)]
    answered["content"][0]["content"] = inner
    sent = body(user(said("q", 20)), asked, answered, tools=[tool("look", "d", "key")])
    written, then = told(sent, sent)
    assert written[0] > LONG // 4
    assert then == (0, written[0])
