"""How often a visitor, an address and a network may ask for work.

The ceilings of an address are high, because a whole class sits behind one; those of a visitor are what one person's
hands and a page that compiles as one types can need.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from starlette.types import ASGIApp, Receive, Scope, Send

from heddle_server.http.buckets import Buckets
from heddle_server.http.networks import network_of, owner_of
from heddle_server.http.refuse import refuse
from heddle_server.http.visitor import SCOPE, Visitor

# How many times an address's requests its whole network may make.
NETWORK_FACTOR = 3


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
    Quota("codes", ("POST",), ("/api/v1/access",), 20, 240),
    Quota("uploads", ("PUT",), ("/api/v1/datasets",), 20, 300),
    Quota("downloads", ("POST",), ("/api/v1/downloads",), 20, 300),
    Quota("runs", ("POST",), ("/api/v1/runs", "/api/v1/searches"), 60, 1_200),
    Quota("links", ("POST",), ("/api/v1/links",), 120, 1_200),
    Quota("class requests", ("POST", "DELETE"), ("/api/v1/classrooms",), 120, 6_000),
    Quota("requests", ("POST", "PUT", "DELETE"), ("/api/v1/",), 900, 9_000),
)


class Quotas:
    """Refuses with 429 and Retry-After. ``factor`` scales all quotas; 0 turns them off."""

    def __init__(self, app: ASGIApp, factor: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.app = app
        self.factor = factor
        self.buckets = Buckets(clock)

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
    """(kind, identity, requests a minute): the browser, or all without an id at one address as if they were one; the
    address; and its neighbourhood."""
    visitor: Visitor = scope[SCOPE]
    return [
        ("browser", visitor.id, quota.of_visitor),
        ("address", owner_of(visitor.address), quota.of_address),
        ("network", network_of(visitor.address), NETWORK_FACTOR * quota.of_address),
    ]
