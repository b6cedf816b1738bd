"""Who may leave something on the server, where its operator restricts that: runs, searches, uploads, links, downloads
and classes. Reading and compiling stay free.

A class has a code, which a student types once: the answer's cookie stands for it from then on. Scripts send a code or
the access token with each request. What tells of the machine itself can be closed to all but the operator.
"""

from __future__ import annotations

import hmac
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from heddle_server.http.refuse import refuse
from heddle_server.http.visitor import Identities
from heddle_server.http.writing import OF_OPERATORS, needs_code

COOKIE = "heddle_access"
SCOPE = "heddle.access"
OPERATOR_SCOPE = "heddle.operator"
DAYS = 30
CLOSABLE = {"metrics": ("/metrics",), "machines": ("/api/v1/machines",)}
KEPT = re.compile(r"(?P<name>[A-Za-z0-9_-]{1,40})\.(?P<until>[0-9]{1,12})\.(?P<seal>[A-Za-z0-9_-]{1,64})")
# The name of whoever has the access token.
TOKEN = "token"


@dataclass(frozen=True, slots=True)
class Access:
    """``codes`` are those of classes, by their names; ``closed`` names rows of CLOSABLE."""

    identities: Identities
    codes: Mapping[str, str]
    operator: str | None = None
    closed: tuple[str, ...] = ()

    @property
    def needed(self) -> bool:
        return bool(self.codes)

    def holder(self, code: str) -> str | None:
        """Whose code it is. All are compared, so that the time tells nothing."""
        holders = [name for name, known in self.codes.items() if same(code, known)]
        return holders[0] if holders else None

    def cookie(self, name: str) -> str:
        until = int(time.time()) + 86_400 * DAYS
        return f"{name}.{until}.{self.signature(name, until)}"

    def signature(self, name: str, until: int) -> str:
        """With the code, so that a code that is changed takes its cookies along."""
        return self.identities.signature("access", f"{name}:{until}:{self.codes[name]}")

    def grant(self, headers: Headers) -> str | None:
        """The name of the class, or of the token, that a request shows."""
        shown = bearer(headers)
        if shown is not None:
            return self.holder(shown)
        cookie = KEPT.fullmatch(cookie_parser(headers.get("cookie", "")).get(COOKIE, ""))
        if cookie is None or cookie["name"] not in self.codes or int(cookie["until"]) < time.time():
            return None
        return cookie["name"] if same(cookie["seal"], self.signature(cookie["name"], int(cookie["until"]))) else None

    def is_operator(self, headers: Headers) -> bool:
        shown = bearer(headers)
        return self.operator is not None and shown is not None and same(shown, self.operator)

    def is_closed(self, path: str) -> bool:
        return any(path == each for name in self.closed for each in CLOSABLE[name])


def bearer(headers: Headers) -> str | None:
    kind, _, shown = headers.get("authorization", "").partition(" ")
    return shown.strip() if kind.lower() == "bearer" else None


def same(shown: str, known: str) -> bool:
    return hmac.compare_digest(shown.encode(), known.encode())


class Gate:
    """The layer that asks for a code where one is needed, and says whose it is in the scope."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app = app
        self.access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers, access = Headers(scope=scope), self.access
        asks = {"www-authenticate": 'Bearer realm="heddle"'}
        scope[OPERATOR_SCOPE] = access.is_operator(headers)
        if access.is_closed(scope["path"]) or (scope["method"], scope["path"]) in OF_OPERATORS:
            if not scope[OPERATOR_SCOPE]:
                detail = "This is for the operator of this server alone: Authorization: Bearer <operator token>."
                await refuse(send, 401, "unauthorized", "Unauthorized", detail, asks)
                return
            await self.app(scope, receive, send)
            return
        scope[SCOPE] = access.grant(headers)
        has_code = scope[SCOPE] is not None or scope[OPERATOR_SCOPE]
        if access.needed and not has_code and needs_code(scope["method"], scope["path"]):
            detail = (
                "Runs, uploads and links need a code on this server. In the page, enter the code of your class; a "
                "script sends it, or the access token: Authorization: Bearer <code>."
            )
            await refuse(send, 401, "needs-code", "A code is needed", detail, asks)
            return
        await self.app(scope, receive, send)
