"""Whose work is next where processes are few: small work first; then, in turns, whoever had least and what is oldest.

Large work never has the last process: a small one that comes meanwhile begins at once. Nor does it wait forever: each
``PATIENCE_SECONDS`` one that has waited for so long goes with small work, into the processes that large work may have.

Where several wait, one turn of ``CYCLE`` goes to whoever had least lately, and the others to what has waited longest.
By the first, somebody who asks for little is served beside any flood after a few turns. By the others, no work waits
much longer than the rest: where more comes than can be done, going by least alone would leave somebody waiting for as
long as that lasts.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

PATIENCE_SECONDS = 5.0
CYCLE = 3
VISITORS_OF_ADDRESS = 20
"""An address has what so many visitors have, because a class sits behind one."""


class Displaced(Exception):  # noqa: N818 - reads as what happened
    """The queue is full, and this work is of those who have most in it."""


@dataclass(slots=True, eq=False)
class Waiter:
    """``used`` says how much whoever waits has had lately."""

    number: int
    who: str
    small: bool
    address: str
    used: Callable[[], float]
    since: float
    turn: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Turns:
    """``places`` work at a time, ``large_of_each`` of the large work of the same, and ``most`` wait."""

    def __init__(
        self, places: int, most: int, clock: Callable[[], float] = time.monotonic, large_of_each: int | None = None
    ) -> None:
        self._free, self._most, self._clock = places, most, clock
        self._large_of_each = places if large_of_each is None else large_of_each
        self._large_work: Counter[str] = Counter()
        self._large_free = max(1, places - 1)
        self._numbers = count(1)
        self._waiting: list[Waiter] = []
        # Of turns for which there was a choice.
        self._choices = 0
        self._large_began = float("-inf")

    @asynccontextmanager
    async def turn(self, who: str, small: bool, used: Callable[[], float], address: str = "") -> AsyncIterator[None]:
        """A context in which it is their turn. ``address`` is where they are, if anywhere. Raises Displaced."""
        waiter = Waiter(next(self._numbers), who, small, address, used, self._clock())
        self._waiting.append(waiter)
        self._serve()
        if len(self._waiting) > self._most:
            self._displace()
        try:
            await waiter.turn
            yield
        finally:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
            elif waiter.turn.done() and not waiter.turn.cancelled() and waiter.turn.exception() is None:
                self._free += 1
                self._large_free += not small
                self._large_work[who] -= not small
                self._large_work += Counter()  # forgets who does nothing any more
                self._serve()

    def _serve(self) -> None:
        while self._free and (able := [waiter for waiter in self._waiting if self._may_begin(waiter)]):
            chosen = self._choose(able)
            self._waiting.remove(chosen)
            self._free -= 1
            if not chosen.small:
                self._large_free -= 1
                self._large_began = self._clock()
                self._large_work[chosen.who] += 1
            chosen.turn.set_result(None)

    def _may_begin(self, waiter: Waiter) -> bool:
        """Not one that has been cancelled just now, and is about to leave."""
        large = self._large_free > 0 and self._large_work[waiter.who] < self._large_of_each
        return (waiter.small or large) and not waiter.turn.done()

    def _choose(self, able: list[Waiter]) -> Waiter:
        waited_since = self._clock() - PATIENCE_SECONDS
        may_be_large = self._large_began <= waited_since
        first = [waiter for waiter in able if waiter.small or (may_be_large and waiter.since <= waited_since)] or able
        if len(first) == 1:
            return first[0]
        by_use = self._choices % CYCLE == 0
        self._choices += 1
        return min(first, key=lambda waiter: (waiter.used() if by_use else 0.0, waiter.number))

    def _displace(self) -> None:
        """The last of those who have most in the queue, large work before small. Many visitors at one address count as
        well: whoever takes on ever more ids would fill the queue with one each, and send all others away."""
        of_visitor = Counter(waiter.who for waiter in self._waiting)
        of_address = Counter(waiter.address for waiter in self._waiting if waiter.address)

        def rank(waiter: Waiter) -> tuple[float, bool, int]:
            has = max(of_visitor[waiter.who], of_address[waiter.address] / VISITORS_OF_ADDRESS)
            return has, not waiter.small, waiter.number

        displaced = max((waiter for waiter in self._waiting if not waiter.turn.done()), key=rank)
        self._waiting.remove(displaced)
        displaced.turn.set_exception(Displaced())
