"""A process that has imported the service and waits to become servers: ``python -m tests.backend.warm_start FD``.

The imports of a server take longer than all that it does afterwards, and tests start dozens. For each order that
comes through the socket FD this process forks one that goes on as ``python -m heddle_server.cli …`` would: with the
words, environment, session and output that were ordered. An attendant in between waits for it and says how it ended.
What imports read is as it was here: ``PYTHON…`` and ``HEDDLE_LOG``.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import socket
import sys
from contextlib import suppress
from importlib import import_module

PROGRAM = "heddle_server.cli"
IMPORTED = ("heddle.cli.program", "heddle_server.server", "alembic.command", "distributed")
"""What a server imports until it is ready, with all that these import."""

MOST_OF_AN_ORDER = 1 << 20


def wait_for_orders(orders: socket.socket) -> list[str] | None:
    """The words of the program that this process has become; None where nobody can order any more."""
    for module in IMPORTED:
        import_module(module)
    signal.signal(signal.SIGCHLD, _collect)
    while True:
        order, descriptors, _, _ = socket.recv_fds(orders, MOST_OF_AN_ORDER, 2)
        if not order:
            return None
        output, news = descriptors
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _attend(news)
            return _become_program(output, **json.loads(order))
        os.close(output)
        os.close(news)


def _collect(*_: object) -> None:
    """Takes note of the attendants that have ended, and of what their servers cost."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _attend(news: int) -> None:
    """Comes back in a process of its own; this one writes the number of that one, and in the end how it ended."""
    number = os.fork()
    if number == 0:
        os.close(news)
        return
    os.write(news, f"{number}\n".encode())
    _, status = os.waitpid(number, 0)
    with suppress(BrokenPipeError):
        os.write(news, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _become_program(output: int, words: list[str], environment: dict[str, str]) -> list[str]:
    os.setsid()
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    os.environ.clear()
    os.environ.update(environment)
    return words


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as socket_of_orders:
        words_of_program = wait_for_orders(socket_of_orders)
    if words_of_program is not None:
        sys.argv[1:] = words_of_program
        runpy.run_module(PROGRAM, run_name="__main__", alter_sys=True)
