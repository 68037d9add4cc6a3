"""A prediction, and the numbers in it as people write them; it needs no clock, thread or file."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import NoReturn
from unicodedata import category, decimal

MEASURES = ("round_trips", "tool_calls", "input_tokens")
SENT = ("round_trips", "input_tokens")  # of which every run has some
LARGEST = 999_999_999
DIGEST_HEX = 12  # enough to see that a stored prediction was edited; it keeps no secret
SEEN_CHARS = 40

TOO_LARGE = "is more than any run here could reach."
NEVER_NONE = "cannot be: every run sends at least one request."
TYPE_A_NUMBER = "Type one whole number, such as 1200."
TYPE_A_PERCENT = "Type a whole number from 0 to 100, or nothing."

ONE_FORM = str.maketrans("，٬．＇’～∼≈−％٪", ",,.''~~~-%%")  # noqa: RUF001
UNITS = {
    measure: re.compile(rf" ?(?:{unit})$")
    for measure, unit in {
        "round_trips": "(?:round )?trips?",
        "tool_calls": "(?:tool )?calls?",
        "input_tokens": "(?:input )?tokens?",
    }.items()
}
ABOUT = re.compile(r"^(?:~|(?:about|around|roughly|circa|approximately)\b|(?:ca|approx)\b\.?) *")
PLUS = re.compile(r"^\+ ?(?=\d)")
PLAIN = re.compile(r"\d+")
GROUPED = re.compile(r"[1-9]\d{0,2}([,. '_])\d{3}(?:\1\d{3})*")  # 1,200  1.200  1 200  1'200  1_200
INDIAN = re.compile(r"[1-9]\d?(?:,\d\d)+,\d{3}")  # 1,20,000
THOUSANDS = re.compile(r"(\d{1,6})(?:[.,](\d{1,2}))? ?k")  # 6k  1.2k


class Unclear(ValueError):  # noqa: N818 - a person reads it
    """What was typed can be no number, or more than one; `next_act` says what to type."""

    def __init__(self, seen: str, next_act: str = TYPE_A_NUMBER) -> None:
        super().__init__(f"{seen} {next_act}")
        self.seen = seen
        self.next_act = next_act


def read_number(text: str, measure: str = "") -> int:
    """The count that was typed: digits of any script, grouped as people group them.

    "about", a plus sign, a question mark after it and the measure's own unit are left out: 1200? is 1200, and how sure
    somebody is has a place of its own. Raises Unclear for anything that could be read in two ways, or in none, and for
    no requests or tokens at all.
    """
    typed = PLUS.sub("", ABOUT.sub("", _plain(text).rstrip("? ")))
    typed = UNITS[measure].sub("", typed) if measure else typed
    number = _whole(typed)
    if number is None:
        _ask_again(typed, text)
    if number > LARGEST:
        raise Unclear(f"{_seen(text)} {TOO_LARGE}")
    if number == 0 and measure in SENT:
        raise Unclear(f"{_seen(text)} {NEVER_NONE}")
    return number


def read_percent(text: str) -> int | None:
    """How sure somebody is, 0 to 100, with or without the sign; None where nothing was typed. Raises Unclear."""
    typed = _plain(text).removesuffix("%").rstrip()
    if not _plain(text):
        return None
    if not PLAIN.fullmatch(typed) or len(typed) > 3 or int(typed) > 100:
        raise Unclear(f"{_seen(text)} is no share of 100.", TYPE_A_PERCENT)
    return int(typed)


def _plain(text: str) -> str:
    """Lower case, ASCII digits, one form of each separator, nothing invisible, no space around."""
    return "".join(map(_character, text.translate(ONE_FORM))).casefold().strip()


def _character(character: str) -> str:
    if character.isdecimal():
        return str(decimal(character))
    kind = category(character)
    if kind == "Cf":  # a direction mark or a joiner, pasted along
        return ""
    return " " if kind == "Zs" else character


def _whole(typed: str) -> int | None:
    if len(typed) > SEEN_CHARS:
        return None
    if thousands := THOUSANDS.fullmatch(typed):
        return int(thousands[1] + (thousands[2] or "").ljust(3, "0"))
    if any(form.fullmatch(typed) for form in (PLAIN, GROUPED, INDIAN)):
        return int(re.sub(r"\D", "", typed))
    return None


def _ask_again(typed: str, text: str) -> NoReturn:
    if not typed:
        raise Unclear("No number was typed.")
    if PLAIN.fullmatch(typed):
        raise Unclear(f"{_seen(text)} {TOO_LARGE}")
    if re.fullmatch(r"- ?[\d.,' ]+", typed):
        raise Unclear(f"{_seen(text)} is below zero.")
    if len(re.findall(r"\d+", typed)) > 1 and re.search(r"\d *(?:-|–|—|\.\.|to|or|/) *\d", typed):  # noqa: RUF001
        raise Unclear(f"{_seen(text)} is more than one number.")
    if re.fullmatch(r"[\d.,' ]*\d[\d.,' ]*k?", typed):
        raise Unclear(f"{_seen(text)} can be read in more than one way.")
    raise Unclear(f"{_seen(text)} is not a number written in digits alone.")


def _seen(text: str) -> str:
    """What was typed, quoted, on one line of bounded length."""
    quoted = repr(text.strip())
    return quoted if len(quoted) <= SEEN_CHARS else f"{quoted[: SEEN_CHARS - 4]} ...'"


@dataclass(frozen=True)
class Prediction:
    """What somebody expects of one rung; `sure` holds a percentage for the measures they gave one for."""

    round_trips: int
    tool_calls: int
    input_tokens: int
    sure: Mapping[str, int] | None = field(default=None, hash=False)

    @property
    def numbers(self) -> dict[str, int]:
        """Each measure and its number."""
        return {measure: getattr(self, measure) for measure in MEASURES}

    @cached_property
    def digest(self) -> str:
        """The first hexadecimal digits of the SHA-256 of the prediction as canonical JSON."""
        fields = {**self.numbers, "sure": dict(self.sure or {})}
        canonical = json.dumps(fields, sort_keys=True, separators=(",", ":"))
        return sha256(canonical.encode()).hexdigest()[:DIGEST_HEX]
