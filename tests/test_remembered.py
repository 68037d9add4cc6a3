"""What readers remember of a text makes a run cheaper, and is never much."""

import gc
import json
import tracemalloc
from typing import Any

import pytest
from stand_in import HEADERS, first_body

from askless import task
from askless.api import remembered
from askless.model.scripted import Scripted
from askless.service import Service

TASK = task.load("t01")
LONG = "many words " * 20_000
TOOL = {"name": "it", "description": LONG, "input_schema": {"type": "object", "properties": {"customer_id": {}}}}


def post(fields: Any) -> int:
    return (
        Service(Scripted(TASK.script())).post("/v1/messages", HEADERS, json.dumps(first_body(**fields)).encode()).status
    )


def test_what_was_made_of_a_short_text_is_there_and_of_a_long_one_it_is_made_anew(monkeypatch):
    made = []

    @remembered.remembered(2)
    def make(text: str, more: str = "") -> str:
        made.append(text)
        return text + more

    monkeypatch.setattr(remembered, "SHORT_CHARS", 3)
    assert [make("abc"), make("abc"), make("ab", "cd"), make("ab", "cd")] == ["abc", "abc", "abcd", "abcd"]
    assert made == ["abc", "ab", "ab"]


@pytest.mark.parametrize(
    "fields",
    [
        {"system": LONG},
        {"system": [{"type": "text", "text": LONG, "cache_control": {"type": "ephemeral"}}]},
        {"tools": [TOOL]},
        {"messages": [{"role": "user", "content": LONG}]},
        {"metadata": {"user_id": LONG}},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_nothing_of_a_long_request_outlives_its_run(fields, monkeypatch):
    monkeypatch.setattr(remembered, "SHORT_CHARS", 50_000)
    post({})
    tracemalloc.start()
    try:
        assert post(fields) in (200, 400)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < len(LONG) / 4
    finally:
        tracemalloc.stop()
