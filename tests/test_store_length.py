"""Judging an answer costs as much as the answer is long, whatever it says."""

from pathlib import Path
from typing import Any

import pytest
from steps import steps

from askless.task import execute

store: Any = execute(Path(__file__).parent.parent / "tasks/t01_fewer_tool_calls/store.py")

FORMS = {
    "orders, then statuses": lambda size: "C1: " + "ord-1 " * size + "packed " * size,
    "other orders, then statuses": lambda size: "C1: " + orders(size) + "packed delayed " * size,
    "statuses, then orders": lambda size: "C1: " + "packed delayed " * size + orders(size),
    "orders and statuses by turns": lambda size: "C1: " + "ord-101 shipped ord-102 packed " * size,
    "orders, each denied to be shipped": lambda size: "C1: " + "ord-1 not shipped " * size,
    "a customer on each line": lambda size: "".join(f"C{at}: ord-{at} packed\n" for at in range(size)),
    "one customer on many lines": lambda size: "C1: ord-101\n" * size,
    "many customers on one line": lambda size: "C1 packed C4 ord-101 " * size,
    "orders of no customer": lambda size: "ord-101 is shipped\nord-102\n" * size,
    "orders, then statuses, of no customer": lambda size: orders(size, "\n") + "packed\n" * size,
    "sentences about no customer": lambda size: "ord-1 packed. ord-2\nnot shipped, others packed " * size,
    "many lines": lambda size: "\na\n \n" * size,
    "digits": lambda size: "C" + "1" * size + " ord-" + "1" * size,
    "denials": lambda size: "C1 ord-101 " + "not been never yet not shipped " * size,
}


def orders(size: int, end: str = " ") -> str:
    return "".join(f"ord-{at}{end}" for at in range(size))


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_of_twice_the_length_takes_twice_the_steps(form: str) -> None:
    one, two = (steps(lambda size=size: store.is_right(store.SHOWN, FORMS[form](size))) for size in (1_000, 2_000))
    assert two < 2.1 * one
