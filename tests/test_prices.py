"""The dated table of models: prices, cache minimums, context windows."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askless.api.prices import cost_usd, table, terms
from askless.backend import MODEL

ROWS = table()["models"]
counts = st.integers(0, 10**6)


def usage(plain: int = 0, read: int = 0, short: int = 0, long: int = 0, output: int = 0, **more: Any) -> dict[str, Any]:
    by_lifetime = {"ephemeral_5m_input_tokens": short, "ephemeral_1h_input_tokens": long}
    return {
        "input_tokens": plain,
        "cache_creation_input_tokens": short + long,
        "cache_read_input_tokens": read,
        "cache_creation": by_lifetime,
        "output_tokens": output,
        **more,
    }


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["model"])
def test_a_row_is_a_model_that_the_service_takes_with_its_five_rates(row: dict[str, Any]) -> None:
    found = terms(row["model"])
    assert found
    assert MODEL.fullmatch(row["model"])
    for rates in filter(None, (found.rates, found.long_rates)):
        assert 0 < rates.read < rates.plain < rates.written_5m < rates.written_1h < rates.output
        assert (rates.written_5m, rates.written_1h) == pytest.approx((1.25 * rates.plain, 2 * rates.plain))
    assert found.cache_minimum_tokens in (512, 1024, 2048, 4096)
    assert found.window_tokens in (200_000, 1_000_000)


def test_the_table_says_for_which_month_it_holds() -> None:
    assert re.fullmatch(r"20\d\d-\d\d", table()["as_of"])
    assert len({row["model"] for row in ROWS}) == len(ROWS)


def test_a_model_is_known_by_its_name_with_and_without_a_date() -> None:
    assert terms("claude-haiku-4-5-20251001") == terms("claude-haiku-4-5")
    assert terms("claude-opus-9") is None
    assert cost_usd("claude-opus-9", usage(plain=1)) is None


@pytest.mark.parametrize(
    ("model", "spent", "dollars"),
    [
        ("claude-opus-5-5", usage(plain=1_000_000), 4.0),
        ("claude-opus-5-5", usage(read=1_000_000), 0.2),
        ("claude-opus-5-5", usage(short=1_000_000), 5.0),
        ("claude-opus-5-5", usage(long=1_000_000), 8.0),
        ("claude-opus-5-5", usage(output=1_000_000), 20.0),
        ("claude-opus-5-5", usage(plain=1_000_000, output=1_000_000, service_tier="batch"), 12.0),
        ("claude-haiku-5-5", usage(plain=40_000, read=60_000, output=1_000), 0.0051),
        ("claude-haiku-5-5", usage(plain=40_001, read=60_000, output=1_000), 0.0255005),
        ("claude-haiku-5-5", usage(plain=100_000, output=100_000), 0.06),
        ("claude-sonnet-5", {"input_tokens": 170, "output_tokens": 115}, 0.00149),
    ],
)
def test_a_cost_is_the_sum_of_the_five_kinds_of_tokens(model: str, spent: dict[str, Any], dollars: float) -> None:
    assert cost_usd(model, spent) == pytest.approx(dollars)


@given(st.sampled_from([row["model"] for row in ROWS]), st.tuples(counts, counts, counts, counts, counts))
def test_a_batch_is_half_and_reading_the_cache_never_costs_more_than_not(model: str, spent: tuple[int, ...]) -> None:
    whole = cost_usd(model, usage(*spent))
    plain, read, *others = spent
    assert whole is not None
    assert cost_usd(model, usage(*spent, service_tier="batch")) == pytest.approx(whole / 2)
    assert whole <= (cost_usd(model, usage(plain + read, 0, *others)) or 0) + 1e-12
