"""How long a run in the queue will probably wait: from how long the last ones kept a machine, however they ended."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

REMEMBERED = 20
FIRST_GUESS_SECONDS = 8.0


class ExpectedWait:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._taken: deque[float] = deque(maxlen=REMEMBERED)
        self._began: dict[str, float] = {}

    def begin(self, run_id: str) -> None:
        self._began[run_id] = self._clock()

    def end(self, run_id: str) -> None:
        self._taken.append(self._clock() - self._began.pop(run_id))

    @property
    def typical(self) -> float:
        """The mean: a queue takes as long as all of its runs together, the few long ones included."""
        return sum(self._taken) / len(self._taken) if self._taken else FIRST_GUESS_SECONDS

    def seconds(self, measurements_ahead: int, slots: int) -> float:
        """``slots`` are measured at a time."""
        now = self._clock()
        under_way = sum(self._rest(now - began) for began in self._began.values())
        return round((measurements_ahead * self.typical + under_way) / max(1, slots), 1)

    def _rest(self, elapsed: float) -> float:
        """Of a run that has taken so long: what those took beyond it that took longer, or as long again."""
        longer = [duration - elapsed for duration in self._taken if duration > elapsed]
        if longer:
            return sum(longer) / len(longer)
        return elapsed if self._taken else max(elapsed, FIRST_GUESS_SECONDS - elapsed)
