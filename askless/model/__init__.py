"""Who answers a request: the scripted model, or a recording played back."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from askless.api.conversation import Request
from askless.api.parts import output_chars


@dataclass(frozen=True)
class Reply:
    """What a model says: content blocks and a stop reason. Ids, usage and the envelope are the service's."""

    content: tuple[dict[str, Any], ...]
    stop_reason: str
    stop_details: dict[str, Any] | None = None  # of a refusal

    @cached_property
    def chars(self) -> int:
        """The characters of its content; a quarter of them are its output tokens."""
        return output_chars(list(self.content))


class Model(Protocol):
    """A pure function of a request that the rules have let through."""

    def __call__(self, request: Request) -> Reply: ...
