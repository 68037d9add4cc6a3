"""The one exception that a person is meant to read."""


class Problem(Exception):  # noqa: N818 - a person reads its name
    """What was seen, and the one act that comes next; the command line prints both and leaves with `exit_code`."""

    def __init__(self, seen: str, next_act: str, *, exit_code: int = 2) -> None:
        super().__init__(seen, next_act)
        self.seen = seen
        self.next_act = next_act
        self.exit_code = exit_code

    def __str__(self) -> str:
        return f"{self.seen}\nNext: {self.next_act}"
