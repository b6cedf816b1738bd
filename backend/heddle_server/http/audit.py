"""Who wrote what: one line for each request that changes what the service keeps, refused ones included."""

from __future__ import annotations

import hashlib
import logging
from contextvars import ContextVar

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heddle_server.http.access import SCOPE as ACCESS
from heddle_server.http.visitor import SCOPE, Visitor
from heddle_server.http.writing import writes

logger = logging.getLogger("heddle.audit")

_written: ContextVar[list[str] | None] = ContextVar("written", default=None)


def wrote(identity: str) -> None:
    """Names what the request under way made, for the audit line: the id of a run, a data set, a link or a download."""
    written = _written.get()
    if written is not None:
        written.append(identity)


class Audit:
    """Logs ``heddle.audit`` lines with ``who`` (see :func:`who_asks`), ``class`` (whose code it showed), ``address``,
    ``method``, ``path``, ``status`` and ``wrote``: the ids of what was made. A request that ends without an answer has
    status 499, one that breaks down 500."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not writes(scope["method"], scope["path"]):
            await self.app(scope, receive, send)
            return
        written: list[str] = []
        token = _written.set(written)
        status = 499

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        except Exception:
            status = 500
            raise
        finally:
            _written.reset(token)
            client = scope.get("client")
            facts = {
                "who": who_asks(scope.get(SCOPE)),
                "class": scope.get(ACCESS),
                "address": client[0] if client else None,
                "method": scope["method"],
                "path": scope["path"][:200],
                "status": status,
                "wrote": written,
            }
            logger.info("write", extra={"facts": facts})


def who_asks(visitor: Visitor | None) -> str | None:
    """A name for the visitor: the same for all of that browser's lines, and of no use to whoever reads the log and
    would pass for that visitor. None for one without an id."""
    if visitor is None or visitor.browser is None:
        return None
    return hashlib.sha256(visitor.browser.encode()).hexdigest()[:12]
