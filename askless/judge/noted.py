"""A desk that notes what it gives: what was looked up is part of the evidence."""

from typing import Any

from askless.check.evidence import leaves


class Noted:
    """A desk as an agent sees it. `given` grows by every string that a look-up gives."""

    def __init__(self, desk: Any) -> None:
        self.noted = desk
        self.given: set[str] = set()

    def __dir__(self) -> list[str]:
        return dir(self.noted)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.noted, name)
        return self._noting(found) if callable(found) else found

    def _noting(self, look_up: Any) -> Any:
        def noting(*args: Any, **kwargs: Any) -> Any:
            value = look_up(*args, **kwargs)
            self.given.update(leaves(value))
            return value

        return noting
