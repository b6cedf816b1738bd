"""A process of the service that begins behind its imports, and is used like one of :mod:`subprocess`."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from tests.search_path import ROOT, search_path


class WarmProcess:
    """``python -m heddle_server.cli WORDS`` in a session of its own, whose both outputs go into the file ``output``."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str], output: Path) -> None:
        self.args = (*words,)
        self.returncode: int | None = None
        reading, writing = os.pipe()
        self._news = os.fdopen(reading, "rb")
        descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            order = json.dumps({"words": [*words], "environment": dict(environment)}).encode()
            socket.send_fds(_starter().orders, [order], [descriptor, writing])
        finally:
            os.close(descriptor)
            os.close(writing)
        first = self._news.readline()
        assert first, "no process has become the server: the process that had imported it has ended"
        self.pid = int(first)

    def poll(self) -> int | None:
        return self._wait(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._wait(timeout)
        if code is None:
            assert timeout is not None
            raise subprocess.TimeoutExpired(self.args, timeout)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _wait(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._news], [], [], seconds)[0]:
            last = self._news.readline()
            assert last, f"whoever waits for process {self.pid} has ended"
            self.returncode = int(last)
            self._news.close()
        return self.returncode


class _Starter:
    """The process of :mod:`tests.backend.warm_start`; it ends at an empty order, or when nobody can order any more."""

    def __init__(self) -> None:
        # Of packets: each order arrives whole.
        self.orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.backend.warm_start", str(theirs.fileno())],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": search_path()},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )


_starter = cache(_Starter)


def end_starter() -> None:
    """Waits for the process that starts others, where there is one: what it cost is then known."""
    if _starter.cache_info().currsize:
        starter = _starter()
        with starter.orders, suppress(OSError):  # it may have ended already
            starter.orders.send(b"")
        starter.process.wait()
        _starter.cache_clear()
