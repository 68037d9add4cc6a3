"""The budget of a live run: nothing is sent that could go over it."""

from threading import Lock


class Purse:
    """US dollars to spend. What a request may cost is held while it is under way; safe to share between threads."""

    def __init__(self, budget_usd: float) -> None:
        self.budget_usd = budget_usd
        self.spent_usd = 0.0
        self.guessed = 0  # requests whose reply did not say what it cost: they stand at the most they can have cost
        self._held: list[float] = []
        self._lock = Lock()

    @property
    def held_usd(self) -> float:
        """What the requests that are under way may cost."""
        return sum(self._held)

    @property
    def left_usd(self) -> float:
        """What may still be set aside."""
        return self.budget_usd - self.spent_usd - self.held_usd

    def hold(self, most_usd: float) -> bool:
        """Set aside what a request may cost; False where that would go over the budget."""
        with self._lock:
            fits = most_usd <= self.left_usd
            if fits:
                self._held.append(most_usd)
            return fits

    def settle(self, most_usd: float, usd: float | None) -> float:
        """A request has ended, at a cost or at one that nobody knows; what is counted for it."""
        with self._lock:
            self._held.remove(most_usd)
            self.guessed += usd is None
            cost = most_usd if usd is None else usd
            self.spent_usd += cost
            return cost
