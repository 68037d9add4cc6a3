"""Runs of marked requests, and the prompt cache's rules worked out afresh for each of them, slowly."""

import json
from collections.abc import Iterator
from typing import Any

from bodies import call, result, tool
from hypothesis import strategies as st

from askless.api import parts
from askless.api.cache import Charge
from askless.api.conversation import Request
from askless.api.prices import terms

LONG = 2_400  # characters: 600 tokens, over the smallest minimum
SHORT = {"type": "ephemeral"}
HOUR = {"type": "ephemeral", "ttl": "1h"}

Json = dict[str, Any]


def said(words: str, chars: int = LONG, **more: Any) -> Json:
    """A text block that begins with some words and has so many characters."""
    return {"type": "text", "text": f"{words} {'x' * chars}"[:chars], **more}


def user(*blocks: Json) -> Json:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Json) -> Json:
    return {"role": "assistant", "content": list(blocks)}


def body(*messages: Json, **fields: Any) -> Json:
    """A request of a model that caches from 512 tokens on."""
    return {"max_tokens": 9, "messages": list(messages), "model": "claude-opus-5-5", **fields}


def turn(number: int, calls: int) -> list[Json]:
    """An assistant's parallel calls, and their results in one message."""
    asked = [call(100 * number + n, "look", key=f"k{n}") for n in range(calls)]
    return [assistant(*asked), user(*(result(one, f"r{number} " + "y" * 300) for one in asked))]


FRAMES = st.fixed_dictionaries(
    {},
    optional={
        "system": st.sampled_from(["s", [said("system")], [said("system", cache_control=HOUR)]]),
        "speed": st.just("fast"),
        "tool_choice": st.sampled_from([{"type": "auto"}, {"type": "auto", "disable_parallel_tool_use": True}]),
        "cache_control": st.sampled_from([SHORT, HOUR]),
        "output_config": st.just({"effort": "low"}),
        "thinking": st.just({"type": "adaptive"}),
    },
)
TOOLS = [tool("look", "d" * LONG, "key")]


@st.composite
def runs(draw: st.DrawFn) -> list[tuple[Json, float]]:
    """Bodies that mostly extend the one before, and the seconds between them."""
    messages = [user(said("question", draw(st.sampled_from([20, LONG]))))]
    frame = draw(FRAMES)
    run: list[tuple[Json, float]] = []
    for number in range(1, draw(st.integers(2, 7))):
        marked = json.loads(json.dumps(messages))
        if draw(st.booleans()):
            marked[-1]["content"][-1]["cache_control"] = draw(st.sampled_from([SHORT, HOUR]))
        frame = draw(FRAMES) if draw(st.integers(0, 4)) == 0 else frame
        sent = body(*(marked if draw(st.booleans()) else messages), **frame, tools=TOOLS)
        run.append((sent, draw(st.sampled_from([0.0, 250.0, 301.0, 3_601.0]))))
        if draw(st.integers(0, 5)):
            messages = [*(marked if draw(st.booleans()) else messages), *turn(number, draw(st.integers(1, 12)))]
        else:
            remarks = (said(f"{n}", 12) for n in range(draw(st.integers(1, 25))))
            messages = [*messages, assistant(said("a", 30)), user(*remarks)]
    return run


class Slow:
    """The meter as its documentation reads: every prefix a list of texts, every request from its beginning."""

    def __init__(self) -> None:
        self.entries: list[tuple[list[str], int, float]] = []  # prefix, lifetime, end

    def charge(self, request: Request, now_s: float) -> Charge:
        """As Meter.charge."""
        rows = list(_rows(request))
        known = terms(request.fields["model"])
        assert known
        marks = [at for at, row in enumerate(rows) if row.mark and row.tokens >= known.cache_minimum_tokens]
        hit = next((at for mark in reversed(marks) for at in self._window(rows, mark, now_s)), None)
        a = 0 if hit is None else rows[hit].tokens
        b = max([a, *(rows[at].tokens for at in marks if rows[at].mark == 3_600)])
        c = rows[marks[-1]].tokens if marks else 0
        for at in {*marks, *([] if hit is None else [hit])}:
            lifetime = next((held[1] for held in self._live(now_s) if held[0] == rows[at].prefix), rows[at].mark)
            self.entries.append((rows[at].prefix, lifetime, now_s + lifetime))
        return Charge(parts.input_tokens(request) - c, a, c - b, b - a)

    def _live(self, now_s: float) -> list[tuple[list[str], int, float]]:
        return [entry for entry in self.entries if entry[2] >= now_s]

    def _window(self, rows: "list[Row]", mark: int, now_s: float) -> Iterator[int]:
        cached = [entry[0] for entry in self._live(now_s)]
        for at in range(mark, -1, -1):
            if rows[mark].position - rows[at].position < 20 and rows[at].prefix in cached:
                yield at


class Row:
    """A block: the prefix that it ends, as texts, and how long it is to be kept (0: it bears no mark)."""

    def __init__(self, prefix: list[str], chars: int, position: int, mark: int) -> None:
        self.prefix, self.tokens, self.position, self.mark = prefix, chars // 4, position, mark


def _rows(request: Request) -> Iterator[Row]:
    fields, texts, chars, position, last = request.body, [str(request.body["model"])], 0, -1, ""
    flat = list(_flat(fields))
    top = fields.get("cache_control")
    for at, (level, speaker, block, size) in enumerate(flat):
        mark = block.get("cache_control") or (top if top and at == len(flat) - 1 else None)
        bare = {name: value for name, value in block.items() if name != "cache_control"}
        texts = [*texts, level + speaker + json.dumps(bare)]
        chars += size - (len(json.dumps(block)) - len(json.dumps(bare)))
        kind = str(block.get("type"))
        position += not (kind == last and kind in ("tool_use", "tool_result"))
        last = kind
        yield Row(texts, chars, position, {None: 0, "5m": 300, "1h": 3_600}[mark and mark.get("ttl", "5m")])


def _flat(fields: Json) -> Iterator[tuple[str, str, Json, int]]:
    """Level with what it depends on, speaker, block, and its characters with all that stands around it."""
    for each in fields.get("tools", []):
        yield "tools", "", each, len(json.dumps(each)) + 2
    system = fields.get("system", [])
    level = f"system {fields.get('speed')}"
    if isinstance(system, str):
        yield level, "", {"type": "text", "text": system}, len(json.dumps(system))
    else:
        for each in system:
            yield level, "", each, len(json.dumps(each)) + 2
    choice = {**fields.get("tool_choice", {"type": "auto"})}
    level += f" {system} {choice} {fields.get('thinking')} {fields.get('output_config')}"
    for index, message in enumerate(fields["messages"]):
        for at, each in enumerate(message["content"]):
            around = len(json.dumps({**message, "content": []})) + 2 * (index > 0) if at == 0 else 2
            yield level, message["role"], each, len(json.dumps(each)) + around
