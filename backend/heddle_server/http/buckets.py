"""Token buckets: short bursts pass, a flood does not."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

# Buckets that are remembered; the least used are forgotten, which is as if they were full.
MOST_BUCKETS = 20_000


@dataclass(slots=True)
class Bucket:
    tokens: float
    filled: float


class Buckets:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()

    def wait(self, key: tuple[str, str], per_minute: float) -> float:
        """Takes a token; 0 when there was one, else the seconds until there is one."""
        now, capacity = self._clock(), max(1.0, per_minute / 2)
        bucket = self._buckets.setdefault(key, Bucket(capacity, now))
        self._buckets.move_to_end(key)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        bucket.tokens = min(capacity, bucket.tokens + (now - bucket.filled) * per_minute / 60)
        bucket.filled = now
        if bucket.tokens < 1:
            return (1 - bucket.tokens) * 60 / per_minute
        bucket.tokens -= 1
        return 0.0
