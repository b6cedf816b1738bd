"""One connection, held to its limits while it sends headers and bodies and reads answers. uvicorn's own takes headers
of any number and size, waits for them for ever, and keeps an answer that nobody reads."""

from __future__ import annotations

import asyncio
import json
import logging
from http import HTTPStatus
from typing import Any, cast

from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from heddle_server.http.connection_limits import ConnectionLimits, Register
from heddle_server.http.networks import UNKNOWN
from heddle_server.problem import MEDIA_TYPE, ProblemError

TICK_SECONDS = 1.0

# What clients do wrong is answered and not told: a stranger could fill the disk with it.
logger = logging.getLogger("heddle.connections")
logger.setLevel(logging.ERROR)


class TooMuchError(Exception):
    """Raised inside the parser, which gives up the connection."""


class Guarded:
    """A transport that drops what is written behind its end, as asyncio's own does. uvloop's raises an error, and
    whoever answers learns of the end only in the next turn of the loop."""

    __slots__ = ("_transport",)

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)


class Connection(HttpToolsProtocol):
    register: Register

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.logger = logger
        self._address = UNKNOWN
        self._in_headers = True  # Between requests, too: what comes next are headers.
        self._begun = self._ended = False
        self._header_bytes = 0
        self._body_bytes = 0
        self._body_waited = self._body_idle = 0.0
        self._held = 0
        self._refused = False
        self._refusal: tuple[int, str] | None = None
        self._header_timer: asyncio.TimerHandle | None = None
        self._body_timer: asyncio.TimerHandle | None = None
        self._read_timer: asyncio.TimerHandle | None = None
        self._start_timer: asyncio.TimerHandle | None = None
        # The request that is answered; uvicorn's own ``cycle`` is the last that came, and may still wait for its turn.
        self._answered: RequestResponseCycle | None = None
        self._follows = False
        self._next: tuple[RequestResponseCycle, ASGI3Application] | None = None

    @property
    def limits(self) -> ConnectionLimits:
        return self.register.limits

    # The connection.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(cast(asyncio.Transport, Guarded(transport)))
        self._address = self.client[0] if self.client is not None else UNKNOWN
        obstacle = self.register.enter(self._address)
        if obstacle is not None:
            self.refuse(503, obstacle, retry_after=10)
            return
        self._header_timer = self.loop.call_later(self.limits.header_seconds, self._headers_are_late)

    def connection_lost(self, exc: Exception | None) -> None:
        self.register.leave(self._address)
        self._stop_timers()
        self._forget_held()
        super().connection_lost(exc)

    def _stop_timers(self) -> None:
        for timer in (self._header_timer, self._body_timer, self._read_timer, self._start_timer):
            if timer is not None:
                timer.cancel()
        self._header_timer = self._body_timer = self._read_timer = self._start_timer = None

    # What the client sends.

    def data_received(self, data: bytes) -> None:
        while data and not self._refused and self.parser is not None:
            room = max(1, self.limits.header_bytes - self._header_bytes) if self._in_headers else len(data)
            piece, data = data[:room], data[room:]
            self._take(piece)
        if not self._refused:
            self._watch()

    def _take(self, piece: bytes) -> None:
        self._ended = False
        self._header_bytes += len(piece)
        if not self._in_headers:
            self._body_bytes += len(piece)
            self._body_idle = 0.0
        super().data_received(piece)
        if self._ended and self._begun:
            # Another request ends in the piece where this one begins: of this one, only what the parser told is known.
            told = sum(len(name) + len(value) + 4 for name, value in self.headers)
            self._header_bytes = max(1, len(self.url) + told)
        if self._in_headers and self._header_bytes >= self.limits.header_bytes:
            self.refuse(431, f"The headers of a request take at most {self.limits.header_bytes:,} bytes.")

    def _watch(self) -> None:
        """Starts the clock of what is incomplete."""
        if self._in_headers:
            if self._header_bytes and self._header_timer is None:
                self._header_timer = self.loop.call_later(self.limits.header_seconds, self._headers_are_late)
        elif self._body_timer is None:
            self._body_timer = self.loop.call_later(TICK_SECONDS, self._look_at_body)

    def _headers_are_late(self) -> None:
        self._header_timer = None
        if self._header_bytes == 0:
            self.transport.close()  # It never said anything, and would take an answer for that of its next request.
        elif self.flow.read_paused:  # It is we who do not read.
            self._watch()
        else:
            self._refuse_late_headers()

    def _refuse_late_headers(self) -> None:
        self.refuse(408, f"The headers of a request must come within {self.limits.header_seconds:g} s.")

    def _look_at_body(self) -> None:
        self._body_timer = None
        if self._in_headers or self._refused or self.transport.is_closing():
            return
        if not self.flow.read_paused:  # else it is we who do not read
            self._body_waited += TICK_SECONDS
            self._body_idle += TICK_SECONDS
        if self._body_idle > self.limits.body_seconds:
            self.refuse(408, f"Nothing of the body came for {self.limits.body_seconds:g} s.")
            return
        if self._body_waited > self.limits.body_seconds + self._body_bytes / self.limits.body_rate:
            self.refuse(408, f"The body came too slowly: below {self.limits.body_rate} bytes a second.")
            return
        self._body_timer = self.loop.call_later(TICK_SECONDS, self._look_at_body)

    def on_message_begin(self) -> None:
        self._begun = True
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > self.limits.header_bytes:
            self._give_up(414, f"An address takes at most {self.limits.header_bytes:,} bytes.")

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) >= self.limits.headers:
            self._give_up(431, f"A request has at most {self.limits.headers} headers.")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= self.limits.pipelined:
            self._give_up(503, f"At most {self.limits.pipelined} requests may wait on one connection.")
        self._in_headers = self._begun = False
        self._header_bytes = 0
        self._body_bytes, self._body_waited, self._body_idle = 0, 0.0, 0.0
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_headers = self._ended = True
        self._header_bytes = 0
        super().on_message_complete()

    def _give_up(self, status: int, detail: str) -> None:
        self._refusal = (status, detail)
        raise TooMuchError

    # What the client reads.

    def pause_writing(self) -> None:
        super().pause_writing()
        self._held = self.transport.get_write_buffer_size()
        if self.register.hold(self._address, self._held):
            self.loop.call_soon(self._abort)  # the write that brought us here is not over
            return
        seconds = self.limits.read_seconds + self._held / self.limits.read_rate
        self._read_timer = self.loop.call_later(seconds, self._abort)

    def resume_writing(self) -> None:
        self._forget_held()
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None
        super().resume_writing()
        if self._next is not None:
            (cycle, app), self._next = self._next, None
            self._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        self._follows = bool(self.pipeline)
        super().on_response_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        """Of requests that were sent without waiting for answers, as no browser does, each begins a moment after the
        last answer, and not before that was read: those of many connections keep everybody else waiting."""
        if self.transport.is_closing():
            return  # nobody takes the answer
        if self._follows:
            self._follows = False
            self._start_timer = self.loop.call_later(self.limits.pipelined_seconds, self._start_asgi_task, cycle, app)
        elif self.flow.write_paused:
            self._next = (cycle, app)
        else:
            self._answered = cycle
            super()._start_asgi_task(cycle, app)

    def _forget_held(self) -> None:
        self.register.release(self._address, self._held)
        self._held = 0

    # Refusals.

    def send_400_response(self, msg: str) -> None:
        """uvicorn calls it for what its parser does not take, our own limits among that."""
        status, detail = self._refusal or (400, "This is not a request of HTTP/1.1.")
        self.refuse(status, detail)

    def refuse(self, status: int, detail: str, retry_after: int | None = None) -> None:
        """Answers for the request that comes, unless another answer is under way, and ends the connection."""
        if self._refused or self.transport.is_closing():
            return
        self._refused = True
        self._stop_timers()
        answered = self._answered
        begun = answered is not None and answered.response_started and not answered.response_complete
        self._let_go()
        if begun or not self.register.may_linger():
            self.transport.abort()
            return
        self.transport.write(answer(status, detail, retry_after))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.register.lingering += 1
        self.loop.call_later(self.limits.linger_seconds, self._cut)

    def _cut(self) -> None:
        self.register.lingering -= 1
        self._abort()

    def _abort(self) -> None:
        self._let_go()
        self.transport.abort()

    def _let_go(self) -> None:
        """Whoever makes an answer learns at once that nobody takes it."""
        answered = self._answered
        if answered is not None and not answered.response_complete:
            answered.disconnected = True
            answered.message_event.set()


def answer(status: int, detail: str, retry_after: int | None) -> bytes:
    phrase = HTTPStatus(status).phrase
    body = json.dumps(ProblemError(status, phrase.lower().replace(" ", "-"), phrase, detail).document()).encode()
    lines = [
        f"HTTP/1.1 {status} {phrase}",
        f"content-type: {MEDIA_TYPE}",
        f"content-length: {len(body)}",
        "cache-control: no-store",
        "x-content-type-options: nosniff",
        "connection: close",
        *([f"retry-after: {retry_after}"] if retry_after is not None else []),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def connections(register: Register) -> type[Connection]:
    """The protocol for uvicorn, whose connections are counted in ``register``."""
    return type("RegisteredConnection", (Connection,), {"register": register})
