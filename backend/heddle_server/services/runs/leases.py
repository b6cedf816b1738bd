"""How long a worker may say nothing about its run, by the monotonic clock: setting the other one does no harm."""

from __future__ import annotations

import time
from collections.abc import Callable


class Leases:
    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._until: dict[str, float] = {}

    def extend(self, run_id: str) -> None:
        self._until[run_id] = self._clock() + self._seconds

    def extend_known(self, run_id: str) -> None:
        """Extend a lease that has not ended; a late report does not bring one back."""
        if run_id in self._until:
            self.extend(run_id)

    def end(self, run_id: str) -> None:
        self._until.pop(run_id, None)

    def list_ended(self) -> list[str]:
        """The runs whose lease has run out."""
        now = self._clock()
        return [run_id for run_id, until in self._until.items() if until < now]
