"""What a request can cost at most, known before it is sent.

Characters divided by four are too few for that. A token of text is a byte or
more, so its bytes are the most that it can hold; the API adds instructions of its
own where tools are offered. What cannot be bounded so is not sent.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from askless.api import prices
from askless.api.conversation import Request
from askless.api.parts import as_json

ADDED_TOKENS = 1_000  # for the API's own instructions with tools, which take a few hundred
COUNT_MARGIN = 0.05  # a count of count_tokens is an estimate, too (catalog: token-counting)

BLOCKS = {"text", "tool_use", "tool_result", "thinking", "redacted_thinking", "tool_reference"}
UNBOUND = {
    "container",
    "inference_geo",
    "mcp_servers",
    "speed",
}  # fields that change a price, or read more than was sent
WRITES = ("written_5m", "written_1h")


class UnboundError(Exception):
    """Why it cannot be known what a request may cost at most."""


@dataclass(frozen=True)
class Ceiling:
    """The most input tokens of a request, and the US dollars that those and all of its `max_tokens` come to."""

    input_tokens: int
    usd: float


def of(request: Request, counted: int | None = None) -> Ceiling:
    """The ceiling of a request; `counted` is what count_tokens said of it. UnboundError where there is none."""
    fields = request.fields
    terms = prices.terms(str(fields.get("model")))
    if terms is None:
        raise UnboundError(f"there is no price for the model {fields.get('model')!r} in the table of {as_of()}")
    if what := next(_unbound(request), None):
        raise UnboundError(f"there is no ceiling for what {what} may cost")
    body = as_json(request.body)
    tokens = _most(len(body.encode("utf-8", "surrogatepass")), counted)
    rates = terms.rates_of(tokens)
    written = [getattr(rates, kind) for kind in WRITES] if '"cache_control"' in body else []
    usd = tokens * max(rates.plain, *written, 0) + _output_tokens(fields) * rates.output
    return Ceiling(tokens, usd / prices.MTOK)


def as_of() -> str:
    """The month of the prices."""
    return str(prices.table()["as_of"])


def _most(size_bytes: int, counted: int | None) -> int:
    return size_bytes + ADDED_TOKENS if counted is None else counted + int(counted * COUNT_MARGIN) + 1


def _output_tokens(fields: dict[str, Any]) -> int:
    """The most that the API can answer; without a number it answers nothing."""
    most = fields.get("max_tokens")
    return most if isinstance(most, int) and most > 0 else 0


def _unbound(request: Request) -> Iterator[str]:
    yield from (f"the field {name}" for name in sorted(UNBOUND) if request.fields.get(name) is not None)
    for tool in _dicts(request.fields.get("tools")):
        if tool.get("type") not in (None, "custom"):
            yield f"a tool of type {tool['type']}"
    for message in request.messages:
        yield from _unbound_blocks(message.get("content") if isinstance(message, dict) else None)


def _unbound_blocks(content: Any) -> Iterator[str]:
    for block in _dicts(content):
        if block.get("type") not in BLOCKS:
            yield f"a block of type {block.get('type')}"
        yield from _unbound_blocks(block.get("content"))


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
