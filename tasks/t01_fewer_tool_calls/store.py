"""The order desk: its data, other desks drawn from a seed, and whether an answer has the facts right."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import count

UNIT = ("customer", "customers")  # what the size of a grown desk counts: one, and several
STATUSES = ("packed", "shipped", "delayed")
DELIVERED = "delivered"

Word = tuple[str, str]  # of an answer: (order, "") or ("", status)

NO_CUSTOMER = re.compile(
    r"(?:not|n't|unable to) (?:be |been |an? |any |known |valid |registered |appear to |seem to )*"
    r"(?:found|find|located?|exist|known|recogni[sz]ed|valid|customer|on file|in (?:the|our) )"
    r"|\b(?:unknown|invalid|non-?existent|no such|no record|no match|no (?:known )?customer)\b",
    re.IGNORECASE,
)
NO_ORDERS = re.compile(r"\b(?:no|none|nothing|zero|0|without|any|empty|not have)\b|n't have|\[\]|\{\}", re.IGNORECASE)
NOT_OR_COUNTED = (
    r"(?:\bnot|n't|\bnever|\b\d+)(?:\s+(?:yet|been|be|is|are|orders?))*\s+"  # "not yet shipped", "2 packed"
)


@dataclass(frozen=True)
class Desk:
    """Every customer's orders with their status, and which customers the question asks about, known or not."""

    customers: Mapping[str, Mapping[str, str]]
    asked: tuple[str, ...]

    @property
    def question(self) -> str:
        """What the agent is asked."""
        *most, last = self.asked
        named = f"{', '.join(most)} and {last}" if most else last
        return (
            f"For customers {named}: list each customer's open orders, then the shipping status of every order. "
            "Finish with one line per customer."
        )

    def orders(self, customer_id: str) -> list[str]:
        """The customer's open orders, the delivered ones left out; KeyError for one who is no customer."""
        return [order_id for order_id, status in self.customers[customer_id].items() if status != DELIVERED]

    def status(self, order_id: str) -> str:
        """The order's shipping status; KeyError for an order that does not exist."""
        return self._statuses[order_id]

    @property
    def table(self) -> list[tuple[str, ...]]:
        """The data for people to read: a head, then a row for each order and for each customer who is unknown."""
        known = [
            (customer_id, order_id, f"{status}, so not open" if status == DELIVERED else status)
            for customer_id, orders in self.customers.items()
            for order_id, status in orders.items()
        ]
        unknown = [
            (customer_id, "no such customer", "") for customer_id in self.asked if customer_id not in self.customers
        ]
        return [("customer", "order", "status"), *known, *unknown]

    @cached_property
    def _statuses(self) -> dict[str, str]:
        return {order_id: status for orders in self.customers.values() for order_id, status in orders.items()}


SHOWN = Desk(
    customers={
        "C1": {"ord-101": "shipped", "ord-102": "packed"},
        "C2": {"ord-200": DELIVERED, "ord-201": "shipped"},
        "C3": {"ord-301": "delayed", "ord-302": "shipped", "ord-303": "packed"},
    },
    asked=("C1", "C2", "C3", "C4"),
)


def draw(seed: bytes) -> Desk:
    """Another desk of the same shape, the same for the same seed, with none of the shown desk's identifiers.

    It asks for 2 to 6 customers; one is unknown, and the first known one has three open orders or more, so that
    the rungs differ on every desk.
    """
    numbers = _numbers(seed)
    asked = _sample(numbers, [f"C{number}" for number in range(10, 100)], 2 + next(numbers) % 5)
    unknown = next(numbers) % len(asked)
    order_ids = iter(_sample(numbers, [f"ord-{number}" for number in range(400, 1000)], 30))
    customers: dict[str, dict[str, str]] = {}
    for customer_id in asked[:unknown] + asked[unknown + 1 :]:
        open_orders = next(numbers) % 5 if customers else 3 + next(numbers) % 2
        statuses = [STATUSES[next(numbers) % len(STATUSES)] for _ in range(open_orders)]
        delivered = [DELIVERED] * (next(numbers) % 2)
        customers[customer_id] = {next(order_ids): status for status in delivered + statuses}
    return Desk(customers, tuple(asked))


def grown(customers: int) -> Desk:
    """A desk of any size, the same for the same one: it asks for so many customers with two open orders each."""
    first, second, _ = STATUSES
    orders = {f"C{at}": {f"ord-{at}0": first, f"ord-{at}1": second} for at in range(1, customers + 1)}
    return Desk(orders, tuple(orders))


def _numbers(seed: bytes) -> Iterator[int]:
    for turn in count():
        yield int.from_bytes(sha256(seed + turn.to_bytes(8, "big")).digest()[:8], "big")


def _sample(numbers: Iterator[int], things: list[str], size: int) -> list[str]:
    return [things.pop(next(numbers) % len(things)) for _ in range(size)]


def is_right(desk: Desk, answer: str) -> bool:
    """Whether an answer says of every customer asked about, in whatever words and order, what the desk knows.

    An unknown customer must be told apart from one without open orders. A status may stand after its orders or before.
    """
    pattern = _pattern(desk)
    told = {key: (passage, _words(pattern, passage)) for key, passage in _passages(desk, answer).items()}
    asked = {customer_id.casefold(): customer_id for customer_id in desk.asked}
    if any(_orders(words) for key, (_, words) in told.items() if key not in asked):
        return False
    return all(_is_true(desk, customer_id, *told.get(key, ("", []))) for key, customer_id in asked.items())


def _is_true(desk: Desk, customer_id: str, passage: str, words: list[Word]) -> bool:
    """Whether a passage about one customer is true and whole."""
    if customer_id not in desk.customers:
        return not _orders(words) and bool(NO_CUSTOMER.search(passage))
    known = {order_id.casefold(): {desk.status(order_id).casefold()} for order_id in desk.orders(customer_id)}
    if not known:
        return not words and bool(NO_ORDERS.search(passage)) and not NO_CUSTOMER.search(passage)
    return known in (_statuses(words), _statuses(words[::-1]))


def _passages(desk: Desk, answer: str) -> dict[str, str]:
    """What is said of each customer: the line, where it names no other; a line that names none goes on."""
    customer = re.compile(f"({_shapes([*desk.customers, *desk.asked])})", re.IGNORECASE)
    passages: defaultdict[str, list[str]] = defaultdict(list)
    subject = ""
    for line in filter(str.strip, answer.splitlines()):
        first, *rest = customer.split(line)
        named = [customer_id.casefold() for customer_id in rest[::2]]
        if len(set(named)) == 1:
            passages[named[0]].append(line)
        else:
            for customer_id, said in zip([subject, *named], [first, *rest[1::2]], strict=True):
                passages[customer_id].append(said)
        subject = named[-1] if named else subject
    return {customer_id: "\n".join(said) for customer_id, said in passages.items() if customer_id}


def _pattern(desk: Desk) -> re.Pattern[str]:
    """Finds the orders and the statuses in a passage; a status that is denied or counted matches as neither."""
    known = desk.customers.values()
    statuses = {DELIVERED, *STATUSES, *(status for orders in known for status in orders.values())}
    status = rf"\b(?:{'|'.join(sorted(map(re.escape, statuses)))})\b"
    order = _shapes(order_id for orders in known for order_id in orders)
    return re.compile(rf"(?P<order>{order})|{NOT_OR_COUNTED}{status}|(?P<status>{status})", re.IGNORECASE)


def _words(pattern: re.Pattern[str], passage: str) -> list[Word]:
    """The orders and statuses in the order they are said."""
    found = [(match["order"] or "", match["status"] or "") for match in pattern.finditer(passage)]
    return [(order_id.casefold(), status.casefold()) for order_id, status in found if order_id or status]


def _orders(words: Iterable[Word]) -> list[str]:
    return [order_id for order_id, _ in words if order_id]


def _shapes(identifiers: Iterable[str]) -> str:
    """A pattern of everything that looks like one of the identifiers, so that an invented one is seen, too."""
    shapes = {re.sub(r"\d+", r"\\d+", re.escape(identifier)) for identifier in identifiers}
    return rf"(?<!\w)(?:{'|'.join(sorted(shapes)) or '(?!)'})(?!\w)"


def _statuses(words: Iterable[Word]) -> dict[str, set[str]]:
    """The statuses said of each order; one that follows several orders is said of them all."""
    said: dict[str, set[str]] = {}
    subjects: list[str] = []
    told: set[str] = set()  # of the subjects
    for order_id, status in words:
        if order_id:
            subjects, told = ([], set()) if told else (subjects, told)
            subjects.append(order_id)
            said.setdefault(order_id, set())
        elif status not in told:
            told.add(status)
            for subject in subjects:
                said[subject].add(status)
    return said
