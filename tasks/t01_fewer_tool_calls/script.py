"""What the scripted model wants at the order desk: each customer's open orders, then each order's status.

It knows the desk's words and no tool. Which tool answers what is read from the
tools on offer; what is said here is only what to ask for, and how to answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from askless.model.known import Known, Note
from askless.model.learning import learn
from askless.model.plan import Call, Plan
from askless.model.reading import Result
from askless.model.scripted import Ask, Say
from askless.model.tools import ToolReader
from askless.model.vocabulary import Fact, Kind, vocabulary_of, word_set

CUSTOMER = Kind(
    "customer", word_set("customer client account buyer shopper purchaser user member consumer patron cust")
)
ORDER = Kind("order", word_set("order purchase ord"))
ORDERS = Fact("open orders", of="customer", lists="order", words=ORDER.words)
STATUS = Fact(
    "shipping status",
    of="order",
    lists=None,
    words=word_set("status state shipping shipment delivery tracking track progress stage whereabout where"),
)
WORDS = vocabulary_of((CUSTOMER, ORDER), (ORDERS, STATUS), word_set("open current outstanding pending"))

LONGEST_REASON_CHARS = 80


class OrderDesk:
    """The script: a Known along the conversation, and the next step from it."""

    def __init__(self) -> None:
        self._tools = ToolReader(WORDS)

    def start(self) -> Known:
        """Nothing asked, nothing known."""
        return Known(WORDS)

    def hear(self, known: Known, text: str, fresh: bool) -> Known:
        """Take the customers that a text asks about."""
        known.hear(text, fresh)
        return known

    def read(self, known: Known, call: Call, result: Result) -> Known:
        """Take what a result holds."""
        learn(known, call.name, call.input, result)
        return known

    def want(self, known: Known, tools: Sequence[Mapping[str, Any]], parallel: bool) -> Ask | Say:
        """Ask while a tool can tell what is not known; then answer, one line per customer."""
        plan = Plan(known, self._tools.read(tools), parallel)
        calls = plan.calls()
        first = next(calls, None)
        if first is not None:
            return Ask(chain([first], calls))
        return Say("\n".join(answer(plan)), forced=plan.forced())


def new() -> OrderDesk:
    """A script for one scenario."""
    return OrderDesk()


def answer(plan: Plan) -> Iterator[str]:
    """The lines of the final text: each customer's, then what no tool could tell."""
    if not plan.known.asked:
        yield "I cannot tell which customers you mean: the question names none."
    for customer in plan.known.asked:
        yield f"{plan.known.spelled[customer]}: {_orders(plan, customer)}"
    for fact in plan.unanswered():
        kind = "a customer" if fact.of == CUSTOMER.name else "an order"
        yield f"Missing: none of the tools I may call gives the {fact.name} of {kind}."


def _orders(plan: Plan, customer: str) -> str:
    orders = plan.outcome(ORDERS.name, customer)
    if orders is None:
        return "open orders unknown"
    if isinstance(orders, Note):
        return _why_none(orders)
    described = ", ".join(f"{plan.known.spelled[order]} {_status(plan, order)}" for order in orders)
    return f"{len(orders)} open orders ({described})"


def _why_none(note: Note) -> str:
    if note.kind == "nothing":
        return "0 open orders"
    if note.kind == "absent":
        return "could not be found"
    if note.kind == "unread":
        return f"open orders unknown, the result of {note.by} could not be understood"
    reason = " ".join(note.text.split())[:LONGEST_REASON_CHARS]
    return f"could not be looked up ({reason})" if reason else "could not be looked up"


def _status(plan: Plan, order: str) -> str:
    status = plan.outcome(STATUS.name, order)
    return status if isinstance(status, str) else "status unknown"
