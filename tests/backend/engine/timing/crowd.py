"""A crowd that asks for turns, on a clock that goes from event to event: nothing waits, and every run is the same."""

from __future__ import annotations

import asyncio
import heapq
import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import count

from heddle_server.engine.turns import Displaced, Turns

PLACES = 2
SMALL_SECONDS, LARGE_SECONDS = 0.05, 1.0


@dataclass
class Crowd:
    """``used`` is what each has had when they come; those in ``large`` ask for large work. ``waits`` has the seconds
    that each waited, and ``small`` and ``large_waits`` those of all work of a size."""

    used: dict[str, float]
    large: Collection[str] = ()
    most: int = 1_000_000
    now: float = 100.0
    waits: dict[str, list[float]] = field(default_factory=dict)
    events: list[tuple[float, int, str | asyncio.Future[None]]] = field(default_factory=list)
    numbers: count[int] = field(default_factory=count)

    async def come(self, seconds: float, overload: float, seed: int = 1) -> None:
        """For so long they ask for ``overload`` times as much as can be done; returns when all of it is."""
        rng, turns, names = random.Random(seed), Turns(PLACES, self.most, lambda: self.now), sorted(self.used)
        mean = sum(self.takes(name) for name in names) / len(names)
        at = self.now
        while (at := at + rng.expovariate(overload * PLACES / mean)) < 100.0 + seconds:
            self.plan(at, rng.choice(names))
        working = []
        while self.events:
            self.now, _, event = heapq.heappop(self.events)
            if isinstance(event, str):
                working.append(asyncio.create_task(self.work(turns, event)))
            else:
                event.set_result(None)
            for _ in range(6):
                await asyncio.sleep(0)
        await asyncio.gather(*working)

    def takes(self, name: str) -> float:
        return LARGE_SECONDS if name in self.large else SMALL_SECONDS

    def plan(self, at: float, event: str | asyncio.Future[None]) -> None:
        heapq.heappush(self.events, (at, next(self.numbers), event))

    async def work(self, turns: Turns, name: str) -> None:
        since = self.now
        try:
            async with turns.turn(name, name not in self.large, lambda: self.used[name]):
                self.waits.setdefault(name, []).append(self.now - since)
                self.used[name] += self.takes(name)
                end: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self.plan(self.now + self.takes(name), end)
                await end
        except Displaced:
            return

    def of_size(self, *, large: bool) -> list[float]:
        return [wait for name, waits in self.waits.items() if (name in self.large) == large for wait in waits]


def quantile(waits: Collection[float], share: float) -> float:
    return sorted(waits)[int(share * len(waits))]


def people(number: int, used: float = 0.0, **more: float) -> Mapping[str, float]:
    return {**{f"person {each}": used for each in range(number)}, **more}
