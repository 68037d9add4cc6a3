"""How long things take in the lab: stated, so that two runs can be compared to the second without a clock.

No figure here was measured, nor promised by the API. They keep the proportions
that a reader of live traces knows: a round trip costs about as much as sixty
tokens of output, and reading input is cheap beside writing output.
"""

from collections.abc import Mapping
from typing import Any

REQUEST_S = 1.0  # the way there and back, the queue, the first token
PLAIN_INPUT_S = 0.0001  # a token read and worked through; one written to the cache takes as long
CACHED_INPUT_S = 0.00001  # a token read from the cache
OUTPUT_S = 0.015  # a token of the reply
CALL_S = 0.5  # a tool call that the agent runs
BATCH_S = 3_600.0  # a message batch, however many requests it holds (catalog: batches)

FIRST_BACK_OFF_S = 0.5  # the SDK's wait before a retry where it is told none; at most, it takes up to a quarter off
LONGEST_BACK_OFF_S = 8.0  # catalog: sdk-retries


def reply_s(usage: Mapping[str, Any]) -> float:
    """From sending a request to the last token of its reply; a failed request, without usage, takes its way only."""
    read = usage.get("cache_read_input_tokens") or 0
    worked = (usage.get("input_tokens") or 0) + (usage.get("cache_creation_input_tokens") or 0)
    wrote = usage.get("output_tokens") or 0
    return REQUEST_S + worked * PLAIN_INPUT_S + read * CACHED_INPUT_S + wrote * OUTPUT_S


def retry_s(attempt: int, retry_after_s: float | None = None) -> float:
    """The wait after the failed attempt of that number: as long as the answer said, else the SDK's longest back-off."""
    if retry_after_s is not None:
        return retry_after_s
    return min(FIRST_BACK_OFF_S * 2.0 ** min(attempt - 1, 10), LONGEST_BACK_OFF_S)
