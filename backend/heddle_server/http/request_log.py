"""Every request gets an id, is counted, and is logged as one JSON line when that is asked for."""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
import time
from contextvars import ContextVar
from datetime import UTC, datetime

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heddle_server.http.metrics import Metrics

HEADER = "X-Request-ID"
GIVEN = re.compile(r"[A-Za-z0-9._-]{1,64}")
request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
access = logging.getLogger("heddle.access")


class RequestLog:
    """The outermost layer: what others refuse is seen too."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope).get(HEADER, "")
        identity = headers if GIVEN.fullmatch(headers) else secrets.token_hex(8)
        token = request_id.set(identity)
        begun, status, size = time.perf_counter(), 500, 0

        async def send_with_id(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = identity
            elif message["type"] == "http.response.body":
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, send_with_id)
        finally:
            seconds = time.perf_counter() - begun
            route = route_of(scope)
            self.metrics.observe(scope["method"], route, status, seconds)
            facts = {"method": scope["method"], "route": route, "status": status, "bytes": size}
            access.info("request", extra={"facts": {**facts, "milliseconds": round(1000 * seconds, 2)}})
            request_id.reset(token)


def route_of(scope: Scope) -> str:
    """The template of the route, never a person's text: else every id would be its own time series."""
    route = scope.get("route")
    path = getattr(route, "path_format", None) or getattr(route, "path", None)
    return str(path) if path is not None else "none"


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request": request_id.get(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_as_json() -> None:
    """All of Heddle's messages, and every request, as JSON lines on stderr."""
    for name in ("heddle", "uvicorn", "distributed"):
        # One handler for each: Dask raises the level of those of its own logger while a cluster is up.
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(JsonLines())
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
    logging.getLogger("heddle").setLevel(logging.INFO)
