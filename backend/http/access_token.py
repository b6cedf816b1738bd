"""An optional token for what leaves something on the server: runs, uploads, links. Reading and compiling are free."""

from __future__ import annotations

import hmac

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from backend.http.refuse import refuse

GUARDED = ("/api/v1/runs", "/api/v1/datasets", "/api/v1/downloads", "/api/v1/links")
WRITING = ("POST", "PUT", "DELETE", "PATCH")


class AccessToken:
    def __init__(self, app: ASGIApp, token: str | None) -> None:
        self.app = app
        self.token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        guarded = scope["type"] == "http" and scope["method"] in WRITING and scope["path"].startswith(GUARDED)
        if guarded and self.token is not None and not self.shown(Headers(scope=scope)):
            detail = "Runs, uploads and links need this server's access token: Authorization: Bearer <token>."
            headers = {"www-authenticate": 'Bearer realm="heddle"'}
            await refuse(send, 401, "unauthorized", "Unauthorized", detail, headers)
            return
        await self.app(scope, receive, send)

    def shown(self, headers: Headers) -> bool:
        kind, _, shown = headers.get("authorization", "").partition(" ")
        assert self.token is not None
        return kind.lower() == "bearer" and hmac.compare_digest(shown.strip().encode(), self.token.encode())
