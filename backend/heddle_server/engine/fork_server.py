"""Python's fork server as a fork of this process: what it starts has all imports done, which took each a second.

Compile processes and Dask's workers come from it. They share the memory of what is imported, and one that was killed is
replaced in no time. It is begun while this process has nothing that another may not have: no request, key or port.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from multiprocessing import connection, forkserver, util
from typing import Any

# Those whose fork server is known to be one of these attributes and this ``main``; others begin theirs anew.
KNOWN_PYTHONS = ((3, 11), (3, 12), (3, 13))


def begin_fork_server() -> None:
    """To be called in the main thread, behind the imports; other threads hold no lock. Where forks are not to be
    trusted (libraries of macOS end in them), and when it has died, Python's own way serves."""
    python = python_fork_server()
    if sys.platform != "linux" or sys.version_info[:2] not in KNOWN_PYTHONS or python._forkserver_pid is not None:
        return
    address = connection.arbitrary_address("AF_UNIX")  # type: ignore[attr-defined]
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        os.chmod(address, 0o600)
        listener.listen()
        alive_reader, alive_writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            _serve(listener.detach(), alive_reader, alive_writer)
        os.close(alive_reader)
    python._forkserver_address, python._forkserver_alive_fd, python._forkserver_pid = address, alive_writer, pid


def start_method() -> str:
    """How ``multiprocessing`` is to start a process that lives as long as this one at most."""
    return "forkserver" if python_fork_server()._forkserver_pid is not None else "spawn"


def python_fork_server() -> Any:
    """Where ``multiprocessing`` keeps what it knows of its fork server, in attributes without types."""
    return forkserver._forkserver


def _serve(listener: int, alive_reader: int, alive_writer: int) -> None:
    """In the fork, which ends with the last process that has an ``alive_writer``, and never returns."""
    code = 1
    try:
        os.close(alive_writer)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        util._run_after_forkers()  # type: ignore[attr-defined]
        forkserver.main(listener, alive_reader, [])
    except SystemExit:
        code = 0
    finally:
        os._exit(code)
