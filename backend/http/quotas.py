"""How often a visitor, and an address, may ask for work. Token buckets: short bursts pass, a flood does not.

The ceilings of an address are high, because a whole class sits behind one; those of a visitor are what one person's
hands and a page that compiles as one types can need.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from math import ceil

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from backend.http.refuse import refuse
from backend.http.visitor import COOKIE, IDENTITY

# Buckets that are remembered; the least used are forgotten, which is as if they were full.
MOST_BUCKETS = 20_000


@dataclass(frozen=True, slots=True)
class Quota:
    """Requests per minute. A bucket holds half a minute's worth."""

    name: str
    methods: tuple[str, ...]
    paths: tuple[str, ...]
    of_visitor: int
    of_address: int


# The first that fits counts. A class of 100 behind one address asks for 100 runs in 10 s and 100 links in a minute.
QUOTAS = (
    Quota("uploads", ("PUT",), ("/api/v1/datasets",), 20, 300),
    Quota("downloads", ("POST",), ("/api/v1/downloads",), 20, 300),
    Quota("runs", ("POST",), ("/api/v1/runs",), 60, 1_200),
    Quota("links", ("POST",), ("/api/v1/links",), 120, 1_200),
    Quota("requests", ("POST", "PUT", "DELETE"), ("/api/v1/",), 900, 9_000),
)


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


class Quotas:
    """Refuses with 429 and Retry-After. ``factor`` scales all quotas; 0 turns them off."""

    def __init__(self, app: ASGIApp, factor: float) -> None:
        self.app = app
        self.factor = factor
        self.buckets = Buckets()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        quota = quota_of(scope) if self.factor > 0 else None
        if quota is not None:
            for kind, who, allowed in parties(scope, quota):
                seconds = self.buckets.wait((f"{quota.name} {kind}", who), allowed * self.factor)
                if seconds > 0:
                    again = ceil(seconds)
                    detail = (
                        f"Your {kind} may make {allowed * self.factor:,.0f} {quota.name} per minute. Try again "
                        f"in {again} s."
                    )
                    await refuse(
                        send, 429, "too-many-requests", "Too Many Requests", detail, {"retry-after": str(again)}
                    )
                    return
        await self.app(scope, receive, send)


def quota_of(scope: Scope) -> Quota | None:
    if scope["type"] != "http":
        return None
    for quota in QUOTAS:
        if scope["method"] in quota.methods and scope["path"].startswith(quota.paths):
            return quota
    return None


def parties(scope: Scope, quota: Quota) -> list[tuple[str, str, int]]:
    """(kind, identity, requests a minute): the browser where it has a cookie, and always the address."""
    address = scope["client"][0] if scope.get("client") else "unknown"
    found = [("address", address, quota.of_address)]
    try:
        cookie = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(COOKIE)
    except CookieError:
        cookie = None
    if cookie is not None and IDENTITY.fullmatch(cookie.value):
        found.insert(0, ("browser", cookie.value, quota.of_visitor))
    return found
