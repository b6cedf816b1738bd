"""How long a run in the queue will probably wait, from how long the last ones took."""

from __future__ import annotations

from collections import deque
from statistics import median

REMEMBERED = 20
FIRST_GUESS_SECONDS = 8.0


class ExpectedWait:
    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=REMEMBERED)

    def learn(self, seconds: float) -> None:
        """A measurement took that long from its start to its end."""
        self._seconds.append(max(0.0, seconds))

    @property
    def typical(self) -> float:
        return median(self._seconds) if self._seconds else FIRST_GUESS_SECONDS

    def seconds(self, measurements_ahead: int, under_way: int, slots: int) -> float:
        """Those under way are halfway through, on average; ``slots`` are measured at a time."""
        return round((measurements_ahead + under_way / 2) * self.typical / max(1, slots), 1)
