"""Who a request is from. Work is fair between visitors and bounded for each, so that a visitor is something that the
service gave: an id that it signed, in a cookie that ends with the browser.

Whoever asks for work without one is given one for the next time, as long as not too many go to one address, and counts
until then as one with all others of that address who have none: it pays nobody to throw ids away. Reading leaves none.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request

from heddle_server.http.networks import network_of, owner_of

COOKIE = "heddle_visitor"
SCOPE = "heddle.visitor"
IDENTITY = re.compile(r"[a-z0-9]{12}-[0-9a-f]{8}-[A-Za-z0-9_-]{16}")
TAG_LENGTH = 6
DAYS = 30
SHARED = "-without-id"


@dataclass(frozen=True, slots=True)
class Visitor:
    """``id`` is what counts for turns and limits, and begins with ``network`` and ``owner``: names for the networks
    to which it was given, without saying which these are. ``browser`` is the id of the cookie, also of one that is
    only given with this answer; None where there is none."""

    id: str
    address: str
    browser: str | None = None

    @property
    def network(self) -> str:
        return self.id[:TAG_LENGTH]

    @property
    def owner(self) -> str:
        return self.id[: 2 * TAG_LENGTH]


class Identities:
    """Makes ids and knows its own again. The key is of this process until ``key`` is set to one that is kept."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.key = secrets.token_bytes(32)
        self._clock = clock

    def new(self, address: str) -> str:
        return f"{self.place(address)}-{int(self._clock()):08x}-{secrets.token_urlsafe(12)}"

    def shared_identity(self, address: str) -> str:
        """Of all visitors of an address who have no id."""
        return f"{self.place(address)}{SHARED}"

    def place(self, address: str) -> str:
        """Names an address without giving it away to whoever reads the database but not the key."""
        return self.tag("network", network_of(address)) + self.tag("owner", owner_of(address))

    def tag(self, kind: str, name: str) -> str:
        digest = hmac.digest(self.key, f"{kind}:{name}".encode(), hashlib.sha256)
        return base64.b32encode(digest)[:TAG_LENGTH].decode().lower()

    def cookie(self, identity: str) -> str:
        return f"{identity}.{self.signature('visitor', identity)}"

    def check(self, cookie: str) -> str | None:
        """The id in a cookie, if it is ours and not too old."""
        identity, _, signature = cookie.partition(".")
        if IDENTITY.fullmatch(identity) is None:
            return None
        if not hmac.compare_digest(signature.encode(), self.signature("visitor", identity).encode()):
            return None
        age = self._clock() - int(identity.split("-")[1], 16)
        return identity if age < DAYS * 86_400 else None

    def signature(self, kind: str, text: str) -> str:
        digest = hmac.digest(self.key, f"{kind}:{text}".encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


def is_shared(identity: str) -> bool:
    """Whether many have this id, of whom none can be told from the others: what they make is nobody's."""
    return identity.endswith(SHARED)


async def visitor(request: Request) -> Visitor:
    """A dependency: the visitor of a request that asks for work."""
    visitor = request.scope[SCOPE]
    assert isinstance(visitor, Visitor)
    return visitor
