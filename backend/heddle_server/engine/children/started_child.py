"""The process of a child before it has anything to do: it begins, and waits for its order on stdin."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from heddle.runtime.native.cache import key_file
from heddle.runtime.native.cache_folder import cache_of_runs
from heddle.runtime.native.secret_file import secret
from heddle_server.engine.children.limits import Limits
from heddle_server.engine.children.private_cache import keep_changes
from heddle_server.places import IMPORT_FOLDERS

# What a child inherits: where tools and libraries are, and how they are set. No secrets of the server.
INHERITED = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "CC", "HEDDLE_MARCH", "HEDDLE_CACHE_BYTES")


@dataclass(frozen=True, slots=True, eq=False)
class StartedChild:
    """``stop_descriptor`` is readable for the child, by that number, once ``ask_to_stop`` was called: it sees neither
    our files nor our events."""

    process: subprocess.Popen[bytes]
    environment: dict[str, str]
    stop_descriptor: int
    stop_writer: int
    changes: socket.socket
    """Here it passes on what it has changed of its cache."""
    teller: int
    """The other end of that, by the child's number."""

    @property
    def usable(self) -> bool:
        """Whether it still waits, in the environment that one which begins now would have."""
        return self.process.poll() is None and self.environment == environment()

    def take(self, order: dict[str, Any]) -> None:
        """Gives it what to do. Whether it has ended meanwhile tells its output."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps({**order, "teller": self.teller}).encode())
            self.process.stdin.close()

    def ask_to_stop(self) -> None:
        os.write(self.stop_writer, b".")

    def end(self) -> None:
        """Kills whatever is left of its process group and collects it, and what it leaves in its cache."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):  # An order that nobody took.
                    stream.close()
        with self.changes:
            keep_changes(self.changes)
        os.close(self.stop_descriptor)
        os.close(self.stop_writer)


def start(loading: Sequence[str] = ()) -> StartedChild:
    """``loading``: the machine's timing lock and a module, which it loads before its order comes."""
    variables = environment()
    reader, writer = os.pipe()
    changes, teller = socket.socketpair(type=socket.SOCK_DGRAM)
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "heddle_server.engine.children.sandbox", *loading],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env=variables,
            start_new_session=True,
            pass_fds=(reader, teller.fileno()),
        )
    except BaseException:
        os.close(reader)
        os.close(writer)
        changes.close()
        raise
    finally:
        number = teller.fileno()
        teller.close()
    return StartedChild(process, variables, reader, writer, changes, number)


def environment() -> dict[str, str]:
    """Without a home: the order names a folder of the run's own, and Python would look for packages there before."""
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    overrides = {"PYTHONPATH": search_path(), "HOME": os.devnull, "PYTHONUNBUFFERED": "1"}
    # Threads of OpenBLAS, which reads this when NumPy is imported, spin for 2^16 cycles, some 20 µs, and then sleep:
    # else for tens of milliseconds, on the cores that the next contender's threads wait for.
    overrides["OPENBLAS_THREAD_TIMEOUT"] = "16"
    # A cache of their own: what a run leaves there is never loaded into the server or its workers. CuPy would keep the
    # kernels that it compiles itself in the home of the run, and compile them again in the next.
    cache = cache_of_runs()
    return {**inherited, **overrides, "HEDDLE_CACHE": str(cache), "CUPY_CACHE_DIR": str(cache / "cupy")}


def order_of(module: str, limits: Limits, directory: str, sight: dict[str, list[str]]) -> dict[str, Any]:
    """``directory`` is where the child works, and where its job lies; ``sight`` what it sees of the server's files."""
    cache = cache_of_runs()
    cache.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # Ahead of a child, for which it is not to choose.
        secret(key_file(cache))
    places = {**sight, "cache": str(cache.resolve())}
    return {"module": module, "limits": limits.to_document(), "places": places, "directory": directory}


def search_path() -> str:
    """Where the child finds modules: in this checkout, then where its parent does, for optional packages."""
    folders = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return os.pathsep.join(
        dict.fromkeys([*map(str, IMPORT_FOLDERS), *(folder for folder in folders if os.path.isabs(folder))])
    )
