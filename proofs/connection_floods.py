"""Attacks on connections, for ``heddle prove attacks``: they are over before there is a request. Each is a function of
a flood and an address of this machine, like the rows of ``attacks.ATTACKS``."""

from __future__ import annotations

import re
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from threading import Event
from typing import Protocol

from tests.backend.serving import Server

CONNECTIONS = 30
HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")


class Flood(Protocol):
    """An attack under way: what it was answered, and when it is to end."""

    server: Server
    over: Event
    answers: Counter[int]


def dial(flood: Flood, address: str, receives: int | None = None) -> socket.socket:
    dialled = socket.socket()
    dialled.settimeout(10)
    if receives is not None:
        dialled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
    dialled.bind((address, 0))
    dialled.connect(("127.0.0.1", flood.server.port))
    return dialled


def note(flood: Flood, dialled: socket.socket) -> None:
    """A connection that is cut off is no answer, and no failure."""
    with suppress(OSError):
        found = STATUS.match(dialled.recv(4096))
        if found is not None:
            flood.answers[int(found[1])] += 1


def long_headers(flood: Flood, address: str) -> None:
    """A header of 64 MB, and another request of 300,000 headers, again and again."""
    while not flood.over.is_set():
        for piece, times in ((b"a" * (1 << 20), 64), (b"a: b\r\n" * 3_000, 100)):
            with suppress(OSError), dial(flood, address) as dialled:
                dialled.sendall(HEAD + b"X-Long: ")
                with suppress(OSError):
                    for _ in range(times):
                        dialled.sendall(piece)
                note(flood, dialled)


def slow_requests(flood: Flood, address: str) -> None:
    """Headers and bodies of which a byte comes each second."""
    body = b"POST /api/v1/compile HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"
    while not flood.over.is_set():
        with ExitStack() as open_sockets:
            dialled = []
            for number in range(CONNECTIONS):
                with suppress(OSError):
                    dialled.append(open_sockets.enter_context(dial(flood, address)))
                    dialled[-1].sendall(HEAD + b"X-Slow: " if number % 2 else body)
            for _ in range(30):
                if flood.over.wait(1):
                    break
                for one in dialled:
                    with suppress(OSError):
                        one.send(b"a")
            for one in dialled:
                one.settimeout(0.1)
                note(flood, one)


def deaf_readers(flood: Flood, address: str) -> None:
    """Large answers that nobody reads."""
    ask = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    while not flood.over.is_set():
        with ExitStack() as open_sockets:
            for _ in range(CONNECTIONS):
                with suppress(OSError):
                    open_sockets.enter_context(dial(flood, address, receives=4096)).sendall(ask * 8)
            flood.over.wait(15)


CONNECTION_FLOODS: dict[str, Callable[[Flood, str], None]] = {
    "long headers": long_headers,
    "slow requests": slow_requests,
    "deaf readers": deaf_readers,
}
