"""The body of a message batch: what is looked at when it is created.

The requests in it are not: each is checked when its turn comes (catalog: batches).
"""

import re
from typing import Any

from askless.api.refusal import Refusal, refuse
from askless.api.shape import Items, Record, mapping, text

REQUESTS_AT_MOST = 100_000
CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")

BODY = Record({"requests": Items(Record({"custom_id": text, "params": mapping}, {}))}, {})


def refusal(fields: dict[str, Any]) -> Refusal | None:
    """The refusal of a batch as a whole."""
    return BODY("", fields) or _listed(fields["requests"])


def _listed(requests: list[dict[str, Any]]) -> Refusal | None:
    if not 0 < len(requests) <= REQUESTS_AT_MOST:
        return refuse("batch-size", "requests", found=len(requests), most=f"{REQUESTS_AT_MOST:,}")
    seen: set[str] = set()
    for at, each in enumerate(requests):
        if not CUSTOM_ID.fullmatch(each["custom_id"]):
            return refuse("batch-id-form", f"requests.{at}.custom_id")
        if each["custom_id"] in seen:
            return refuse("batch-ids-unique", f"requests.{at}.custom_id", id=each["custom_id"])
        seen.add(each["custom_id"])
    return None
