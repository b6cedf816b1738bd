"""The layer that finds out who asks for work, and gives ids to those who have none."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heddle_server.http.buckets import Buckets
from heddle_server.http.networks import UNKNOWN, network_of, owner_of
from heddle_server.http.visitor import COOKIE, SCOPE, Identities, Visitor

WORK = ("POST", "PUT", "DELETE", "PATCH")
# New ids a minute; a bucket holds half a minute's worth, at the start those of a class that comes in at once.
NEW_OF_OWNER, NEW_OF_NETWORK = 600, 1800


class Visitors:
    """Puts a Visitor into the scope of each request. One that is beyond the limit of new ids gets none, and its work is
    shared with those of its address who have none either."""

    def __init__(self, app: ASGIApp, identities: Identities, clock: Callable[[], float] = time.monotonic) -> None:
        self.app = app
        self.identities = identities
        self.buckets = Buckets(clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        address = scope["client"][0] if scope.get("client") else UNKNOWN
        known = self.identities.check(cookie_parser(Headers(scope=scope).get("cookie", "")).get(COOKIE, ""))
        if known is not None:
            scope[SCOPE] = Visitor(known, address, known)
            await self.app(scope, receive, send)
            return
        identity = self.new(address) if scope["method"] in WORK and scope["path"].startswith("/api/") else None
        scope[SCOPE] = Visitor(self.identities.shared_identity(address), address, identity)

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and identity is not None:
                value = set_cookie(COOKIE, self.identities.cookie(identity), secure=scope["scheme"] == "https")
                MutableHeaders(scope=message).append("set-cookie", value)
            await send(message)

        await self.app(scope, receive, send_with_cookie)

    def new(self, address: str) -> str | None:
        for kind, who, allowed in (
            ("owner", owner_of(address), NEW_OF_OWNER),
            ("network", network_of(address), NEW_OF_NETWORK),
        ):
            if self.buckets.wait((kind, who), allowed) > 0:
                return None
        return self.identities.new(address)


def set_cookie(name: str, value: str, *, secure: bool) -> str:
    """For our own pages alone, and not for their scripts; it ends with the browser."""
    return f"{name}={value}; Path=/api; HttpOnly; SameSite=strict" + ("; Secure" if secure else "")
