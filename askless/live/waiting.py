"""How long a busy API asks to wait."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite

LONGEST_S = 60.0  # a longer wait is not sat out


def asked_s(headers: Mapping[str, str]) -> float | None:
    """Seconds, as retry-after has them; None where it says nothing that can be waited for."""
    return _seconds(headers.get("retry-after", ""))


def wait_s(headers: Mapping[str, str]) -> float | None:
    """What a client waits: the SDKs obey retry-after-ms first."""
    exact = _number(headers.get("retry-after-ms", ""))
    return asked_s(headers) if exact is None else exact / 1000


def _seconds(text: str) -> float | None:
    number = _number(text)
    return _until(text) if number is None else number


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) and number >= 0 else None


def _until(text: str) -> float | None:
    """Seconds to a date, which HTTP allows as well."""
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    left_s = (date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return float(round(left_s)) if left_s >= 0 else None
