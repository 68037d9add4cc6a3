"""The order desk: what it knows, what is drawn, and which answers are right."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.task import execute

store: Any = execute(Path(__file__).parent.parent / "tasks/t01_fewer_tool_calls/store.py")

seeds = st.binary(max_size=40)
desks = st.builds(lambda seed: store.draw(seed) if seed else store.SHOWN, seeds)

FOUND_NOT = ["could not be found", "does not exist", "is not a customer", "not found", "no such customer", "unknown"]
FOUND_NOT += [
    "I was unable to find this customer",
    "doesn't appear to exist",
    "isn't a recognized customer ID",
    "invalid",
]
STATUS_FIRST, STATUS_LAST = "{status}: {order}", "{order} {status}"


def line(desk: Any, customer: str, style: str, missing: str, orders: list[str]) -> str:
    if customer not in desk.customers:
        return f"{customer}: {missing}"
    said = [style.format(order=order, status=desk.status(order)) for order in orders]
    return f"{customer}: {', '.join(said) or 'no open orders'}"


def answer(desk: Any, style: str = STATUS_LAST, missing: str = FOUND_NOT[0]) -> str:
    return "\n".join(line(desk, customer, style, missing, open_orders(desk, customer)) for customer in desk.asked)


def open_orders(desk: Any, customer: str) -> list[str]:
    return list(desk.orders(customer)) if customer in desk.customers else []


def all_orders(desk: Any) -> list[str]:
    return [order for customer in desk.asked for order in open_orders(desk, customer)]


def test_the_desk_raises_key_error_for_what_does_not_exist() -> None:
    with pytest.raises(KeyError, match="C4"):
        store.SHOWN.orders("C4")
    with pytest.raises(KeyError, match="ord-999"):
        store.SHOWN.status("ord-999")


def test_a_delivered_order_is_no_open_order_but_has_a_status() -> None:
    assert store.SHOWN.orders("C2") == ["ord-201"]
    assert store.SHOWN.status("ord-200") == "delivered"


@given(seeds)
def test_a_seed_draws_the_same_desk_each_time(seed: bytes) -> None:
    assert store.draw(seed) == store.draw(seed)


@given(seeds)
def test_a_drawn_desk_has_the_shape_of_the_shown_one(seed: bytes) -> None:
    desk = store.draw(seed)
    orders = [order for customer in desk.customers for order in desk.customers[customer]]
    assert 2 <= len(desk.asked) == len(set(desk.asked)) <= 6
    assert len(orders) == len(set(orders)) <= 30
    assert len([customer for customer in desk.asked if customer not in desk.customers]) == 1
    assert max(len(open_orders(desk, customer)) for customer in desk.asked) >= 3


@given(seeds)
def test_a_drawn_desk_shares_no_identifier_with_the_shown_one(seed: bytes) -> None:
    desk, shown = store.draw(seed), store.SHOWN
    assert not {*desk.asked, *desk.customers} & {*shown.asked, *shown.customers}
    assert not set(desk._statuses) & set(shown._statuses)


def test_seeds_draw_different_desks_of_every_size() -> None:
    drawn = [store.draw(bytes([number])) for number in range(100)]
    assert {len(desk.asked) for desk in drawn} == {2, 3, 4, 5, 6}
    assert len({desk.asked for desk in drawn}) == 100
    assert any(open_orders(desk, customer) == [] for desk in drawn for customer in desk.customers)


@given(desks, st.sampled_from([STATUS_FIRST, STATUS_LAST]), st.sampled_from(FOUND_NOT), st.randoms())
def test_the_facts_are_right_in_any_order_and_wording(desk: Any, style: str, missing: str, random: Any) -> None:
    customers = random.sample(desk.asked, len(desk.asked))
    orders = {customer: open_orders(desk, customer) for customer in customers}
    lines = [line(desk, each, style, missing, random.sample(orders[each], len(orders[each]))) for each in customers]
    assert store.is_right(desk, "\n".join(lines))
    assert store.is_right(desk, "The open orders:\n\n" + "\n\n".join(f"- **{each}**" for each in lines).upper())


@given(desks, st.randoms())
def test_one_order_a_line_says_the_same(desk: Any, random: Any) -> None:
    rows = [
        f"| {customer} | {order} | {desk.status(order)} |"
        for customer in desk.asked
        for order in open_orders(desk, customer)
    ]
    empty = [
        line(desk, customer, "", "unknown customer", []) for customer in desk.asked if not open_orders(desk, customer)
    ]
    assert store.is_right(desk, "\n".join(random.sample([*rows, *empty], len(rows) + len(empty))))


@given(desks, st.randoms(), st.sampled_from([STATUS_FIRST, STATUS_LAST]))
def test_one_wrong_status_is_wrong(desk: Any, random: Any, style: str) -> None:
    order = random.choice(all_orders(desk))
    other = random.choice([status for status in store.STATUSES if status != desk.status(order)])
    said = style.format(order=order, status=desk.status(order))
    assert not store.is_right(desk, answer(desk, style).replace(said, style.format(order=order, status=other)))


@given(desks, st.randoms())
def test_one_missing_order_is_wrong(desk: Any, random: Any) -> None:
    order = random.choice(all_orders(desk))
    assert not store.is_right(desk, answer(desk).replace(f"{order} {desk.status(order)}", ""))


@given(desks, st.randoms(), st.sampled_from(["ord-999 shipped", "ord-9999 packed", "ORD-1 delayed"]))
def test_one_order_too_many_is_wrong(desk: Any, random: Any, extra: str) -> None:
    customer = random.choice(desk.asked)
    assert not store.is_right(desk, answer(desk).replace(f"{customer}: ", f"{customer}: {extra}, "))


@given(desks)
def test_an_unknown_customer_with_orders_is_wrong(desk: Any) -> None:
    unknown = next(customer for customer in desk.asked if customer not in desk.customers)
    order = all_orders(desk)[0]
    assert not store.is_right(desk, answer(desk, missing=f"not found, {order} {desk.status(order)}"))
    assert not store.is_right(desk, answer(desk).replace(f"{unknown}: could not be found", ""))


@given(desks, st.sampled_from(["0 open orders", "no open orders", "the look-up failed", "timed out", ""]))
def test_an_unknown_customer_is_told_apart_from_every_other_case(desk: Any, said: str) -> None:
    assert not store.is_right(desk, answer(desk, missing=said))


@pytest.mark.parametrize(
    ("said", "right"),
    [("0 open orders", True), ("nothing open", True), ("has no orders", True)]
    + [(missing, False) for missing in [*FOUND_NOT, "the look-up failed", "", "ord-5 delivered"]],
)
def test_a_customer_without_open_orders_is_no_unknown_customer(said: str, right: bool) -> None:
    desk = store.Desk({"C1": {"ord-1": "shipped"}, "C2": {"ord-5": "delivered"}}, ("C1", "C2"))
    assert store.is_right(desk, f"C1: ord-1 shipped\nC2: {said}") is right


@pytest.mark.parametrize(
    "said",
    [
        "C1 has ord-101 and ord-103, both shipped; ord-102 is packed, not shipped yet.",
        "C1: 2 shipped, 1 packed: ord-101 shipped, ord-103 shipped, ord-102 packed",
        "C1\n  shipped: ord-101, ord-103\n  packed: ord-102",
        '{"C1": {"ord-101": "shipped", "ord-102": "packed", "ord-103": "shipped"}}',
        '[{"status": "packed", "id": "ord-102", "of": "C1"}, {"status": "shipped", "id": ["ord-101", "ord-103"]}]',
        "For c1: `ord-101` (**Shipped**), `ord-102` (**Packed**) and `ord-103` (**Shipped**)",
    ],
)
def test_prose_lists_and_json_are_read(said: str) -> None:
    desk = store.Desk({"C1": {"ord-101": "shipped", "ord-102": "packed", "ord-103": "shipped"}}, ("C1",))
    assert store.is_right(desk, said)


@pytest.mark.parametrize(
    "said",
    [
        "C1: ord-101 shipped packed",
        "C1: ord-101 packed\nC1: ord-101 shipped",
        "C1: ord-101",
        "C1: shipped",
        "C1: ord-101 not shipped",
        "C1: ord-101 shipped\nC9: ord-901 packed",
        "ord-101 shipped",
        "",
    ],
)
def test_hedges_gaps_and_inventions_are_wrong(said: str) -> None:
    assert not store.is_right(store.Desk({"C1": {"ord-101": "shipped"}}, ("C1",)), said)


@given(desks, st.text())
def test_any_text_at_all_is_judged(desk: Any, said: str) -> None:
    assert store.is_right(desk, said) is False


def test_identifiers_of_another_form_are_read() -> None:
    desk = store.Desk({"CUST-0007": {"ord/2026/14": "delayed"}}, ("CUST-0007", "CUST-0008"))
    assert store.is_right(desk, "cust-0007: ord/2026/14 is delayed\ncust-0008: unknown")
    assert not store.is_right(desk, "cust-0007: ord/2026/14 is delayed, ord/2026/15 too\ncust-0008: unknown")


@pytest.mark.parametrize("size", [1, 2, 1_000])
def test_a_grown_desk_asks_for_so_many_customers_with_two_open_orders_each(size: int) -> None:
    desk = store.grown(size)
    orders = [order for name in desk.asked for order in desk.orders(name)]
    assert (len(desk.asked), len(set(orders))) == (size, 2 * size)
    assert store.grown(size + 1).asked[:-1] == desk.asked
