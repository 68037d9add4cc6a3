"""The order desk: its data, other desks drawn from a seed, and whether an answer has the facts right."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import count, groupby

UNIT = ("customer", "customers")  # what the size of a grown desk counts: one, and several
STATUSES = ("packed", "shipped", "delayed")
DELIVERED = "delivered"

Word = tuple[str, str]  # of an answer: its kind (order, status, denied: a status, or end: of a sentence), and itself

NO_CUSTOMER = re.compile(
    r"(?:not|n\Wt|unable to) (?:be |been |an? |any |known |valid |registered |appear to |seem to )*"
    r"(?:found|find|located?|exist|known|recogni[sz]ed|valid|customer|on file|in (?:the|our) )"
    r"|\b(?:unknown|invalid|non-?existent|no such|no record|no match|no (?:known )?customer)\b",
    re.IGNORECASE,
)
NO_ORDERS = re.compile(r"\b(?:no|none|nothing|zero|0|without|any|empty|not have)\b|n\Wt have|\[\]|\{\}", re.IGNORECASE)
SOME_ORDERS = re.compile(r"\b[1-9]\d*\s+(?:open\s+)?orders?\b", re.IGNORECASE)
BETWEEN = r"(?:yet|been|be|being|is|are|orders?)"
COUNTED = rf"\b\d+(?:\s+{BETWEEN})*\s+"  # "2 packed"
DENIED = rf"(?:\b(?:(?:can)?not|never|no\s+longer)|n\Wt)(?:[\s*`]+{BETWEEN})*[\s*`]+"  # "not yet shipped"
SENTENCE_END = r"[.;!?]\s|\n|\b(?:others?|rest|else|remaining|none)\b"  # or a turn to what is not named


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
    What is false makes it wrong before the first customer, too; so do facts on a customer who was not asked about.
    """
    pattern = _pattern(desk)
    told = {key: (passage, _words(pattern, passage)) for key, passage in _passages(desk, answer).items()}
    asked = {customer_id.casefold(): customer_id for customer_id in desk.asked}
    _, of_nobody = told.pop("", ("", []))
    beside = (told[key] for key in told.keys() - asked)
    if any(_says(words, "order", "status") or SOME_ORDERS.search(passage) for passage, words in beside):
        return False
    true = (_is_true(desk, customer_id, *told.get(key, ("", []))) for key, customer_id in asked.items())
    return _agrees(desk, of_nobody) and all(true)


def _is_true(desk: Desk, customer_id: str, passage: str, words: list[Word]) -> bool:
    """Whether a passage about one customer is true and whole."""
    if customer_id not in desk.customers:
        return not _says(words, "order") and bool(NO_CUSTOMER.search(passage))
    known = _known({order_id: desk.status(order_id) for order_id in desk.orders(customer_id)})
    if not known:
        is_empty = not _says(words, "order", "status")
        return is_empty and bool(NO_ORDERS.search(passage)) and not NO_CUSTOMER.search(passage)
    return known in (_statuses(words), _statuses(words[::-1])) and not _denies(known, words)


def _agrees(desk: Desk, words: list[Word]) -> bool:
    """Whether a passage about no customer gives no order a status that is not its own."""
    known = _known(desk._statuses)  # without asking the desk: what it is asked is noted
    return not _denies(known, words) and all(_is_own(known, said) for said in _statements(words))


def _is_own(known: Mapping[str, set[str]], words: list[Word]) -> bool:
    """Whether each status, read after its orders or before, is theirs; a reading that finds none does not count."""
    readings = [said for said in (_statuses(words), _statuses(words[::-1])) if any(said.values())]
    true = (all(said[order_id] <= known.get(order_id, set()) for order_id in said) for said in readings)
    return not readings or any(true)


def _denies(known: Mapping[str, set[str]], words: list[Word]) -> bool:
    """Whether a sentence that begins with an order denies one its status: "ord-1 shipped, ord-2 not packed"."""
    for sentence in _sentences(words):
        last = ""
        for kind, said in sentence if sentence[0][0] == "order" else []:
            last = said if kind == "order" else last
            if kind == "denied" and said in known.get(last, ()):
                return True
    return False


def _known(statuses: Mapping[str, str]) -> dict[str, set[str]]:
    return {order_id.casefold(): {status.casefold()} for order_id, status in statuses.items()}


def _passages(desk: Desk, answer: str) -> dict[str, str]:
    """What is said of each customer, and of "" before the first: their line; a line that names none goes on."""
    customer = re.compile(f"({_shapes([*desk.customers, *desk.asked])})", re.IGNORECASE)
    passages: defaultdict[str, list[str]] = defaultdict(list)
    subject = ""
    for line in filter(str.strip, answer.splitlines()):
        first, *rest = customer.split(line)
        named = [customer_id.casefold() for customer_id in rest[::2]]
        if len(set(named)) < 2:
            subject = named[0] if named else subject
            passages[subject].append(line)
        else:
            for customer_id, said in zip([subject, *named], [first, *rest[1::2]], strict=True):
                passages[customer_id].append(said)
            subject = named[-1]
    return {customer_id: "\n".join(said) for customer_id, said in passages.items()}


def _pattern(desk: Desk) -> re.Pattern[str]:
    """Finds the words of a passage; a status that is counted matches as none."""
    known = desk.customers.values()
    statuses = {DELIVERED, *STATUSES, *(status for orders in known for status in orders.values())}
    status = rf"\b(?:{'|'.join(sorted(map(re.escape, statuses)))})\b"
    order = _shapes(order_id for orders in known for order_id in orders)
    denied = rf"{DENIED}(?P<denied>{status})"
    words = rf"(?P<order>{order})|{denied}|{COUNTED}{status}|(?P<status>{status})|(?P<end>{SENTENCE_END})"
    return re.compile(words, re.IGNORECASE)


def _words(pattern: re.Pattern[str], passage: str) -> list[Word]:
    """The words of a passage that matter here, in the order they are said."""
    return [(kind, match[kind].casefold()) for match in pattern.finditer(passage) if (kind := match.lastgroup)]


def _says(words: Iterable[Word], *kinds: str) -> bool:
    return any(kind in kinds for kind, _ in words)


def _sentences(words: Iterable[Word]) -> Iterator[list[Word]]:
    return (list(said) for is_end, said in groupby(words, lambda word: word[0] == "end") if not is_end)


def _statements(words: Iterable[Word]) -> Iterator[list[Word]]:
    """Each sentence with an order and a status; and what others say, read on from one to the next."""
    others: list[Word] = []
    for sentence in _sentences(words):
        if _says(sentence, "order") and _says(sentence, "status"):
            yield from (others, sentence)
            others = []
        else:
            others += sentence
    yield others


def _shapes(identifiers: Iterable[str]) -> str:
    """A pattern of everything that looks like one of the identifiers, so that an invented one is seen, too."""
    shapes = {re.sub(r"\d+", r"\\d+", re.escape(identifier)) for identifier in identifiers}
    return rf"(?<!\w)(?:{'|'.join(sorted(shapes)) or '(?!)'})(?!\w)"


def _statuses(words: Iterable[Word]) -> dict[str, set[str]]:
    """The statuses said of each order; one that follows several orders is said of them all."""
    said: dict[str, set[str]] = {}
    subjects: list[str] = []
    told: set[str] = set()  # of the subjects
    for kind, word in words:
        if kind == "order":
            subjects, told = ([], set()) if told else (subjects, told)
            subjects.append(word)
            said.setdefault(word, set())
        elif kind == "status" and word not in told:
            told.add(word)
            for subject in subjects:
                said[subject].add(word)
    return said
