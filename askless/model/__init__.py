"""Who answers a request: the scripted model, or a recording played back."""

from dataclasses import dataclass
from typing import Any, Protocol

from askless.api.conversation import Request


@dataclass(frozen=True)
class Reply:
    """What a model says: content blocks and a stop reason. Ids, usage and the envelope are the service's."""

    content: tuple[dict[str, Any], ...]
    stop_reason: str
    stop_details: dict[str, Any] | None = None  # of a refusal


class Model(Protocol):
    """A pure function of a request that the rules have let through."""

    def __call__(self, request: Request) -> Reply: ...
