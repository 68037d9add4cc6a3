"""The way to the real API: a key that stays here, and an address."""

import json
import os
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx2

from askless.client import sdk
from askless.errors import Problem

KEY = "ANTHROPIC_API_KEY"
BASE_URL = "ANTHROPIC_BASE_URL"
OFFICIAL = "https://api.anthropic.com"
HIDDEN = "[the key]"
RETRIES = 2  # after 429, 5xx and broken connections; the SDK waits as the answer asks, else half a second and longer
CONSOLE = "the Claude Console (platform.claude.com)"


@dataclass(frozen=True)
class Access:
    """A key and where it is good. Neither is part of how this prints."""

    key: str = field(repr=False)
    base_url: str = field(repr=False)

    @property
    def host(self) -> str:
        """Whom requests go to, without what an address may hold of a user and a password."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2]

    def client(self, **options: Any) -> Any:
        """A real `anthropic.Anthropic` for one's own requests; `options` are that class's own."""
        ours = {"api_key": self.key, "base_url": self.base_url, "max_retries": RETRIES, "open_telemetry": False}
        return sdk().Anthropic(**{**ours, **options})

    def hide(self, text: str) -> str:
        """A text of somebody else's without the key, should it hold the key."""
        return _hidden(text, self.key)

    def hide_in(self, data: bytes) -> bytes:
        """The same of bytes; JSON that spells the key in another way is written anew."""
        hidden = data.replace(self.key.encode(), HIDDEN.encode())
        try:
            value = json.loads(hidden)
            without = self.hide_all(value)
        except (ValueError, RecursionError):  # no JSON
            return hidden
        return hidden if without is value else json.dumps(without).encode()

    def hide_all(self, value: Any) -> Any:
        """The same of what was read as JSON; the value itself where it holds no key."""
        text = json.dumps(value)
        hidden = self.hide(text)
        return value if hidden == text else json.loads(hidden)


def access() -> Access:
    """What the environment says. A Problem where there is no key, or none that can be sent, or no such address."""
    key = os.environ.get(KEY, "").strip()
    if not key:
        raise Problem(f"{KEY} is not set, and the real API asks for a key.", f"make one in {CONSOLE}, export {KEY}=…")
    if not all("!" <= sign <= "~" for sign in key):
        raise Problem(f"{KEY} holds a sign that no key has, such as a space.", f"copy the key anew, export {KEY}=…")
    return Access(key, _base_url())


def _base_url() -> str:
    address = os.environ.get(BASE_URL, "").strip() or OFFICIAL
    if not _is_address(address):
        raise Problem(f"{BASE_URL} is no address.", f"unset it, or name one such as {OFFICIAL}")
    return address.rstrip("/")


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        httpx2.URL(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except (ValueError, httpx2.InvalidURL):
        return False


def host() -> str:
    """Whom requests go to."""
    return Access("", _base_url()).host


def hide(text: str) -> str:
    """A text without the key that the environment holds."""
    return _hidden(text, os.environ.get(KEY, "").strip())


def _hidden(text: str, key: str) -> str:
    """A text without a key, be it as it is or as JSON has it."""
    return text.replace(key, HIDDEN).replace(json.dumps(key)[1:-1], HIDDEN) if key else text
