"""Runs one job in a fresh child process: starts it, relays its lines, ends it, and says how it ended."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from backend.engine.limits import Limits
from backend.engine.outcome import Ending, Outcome, decode_exit
from backend.engine.process_tree import usage
from backend.engine.sandbox import ENVIRONMENT
from backend.engine.sight import Sight
from backend.settings import REPOSITORY
from compiler.runtime.native.cache_folder import cache_of_runs

# Rare enough not to disturb what is being timed.
TICK_SECONDS = 0.1
MEMORY_SECONDS = 0.5
STDERR_BYTES = 16_384
# What a child inherits: where tools and libraries are, and how they are set. No secrets of the server.
INHERITED = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "CC", "HEDDLE_MARCH", "HEDDLE_CACHE_BYTES")
OPEN = Sight()

Report = Callable[[dict[str, Any]], None]


def run_child(
    module: str,
    job: dict[str, Any],
    limits: Limits,
    report: Report,
    cancel: threading.Event,
    sight: Sight = OPEN,
    stop: threading.Event | None = None,
) -> Outcome:
    """Blocks until the child has ended; ``report`` gets its progress events, ``cancel`` ends it early. Where there is a
    ``stop``, the job's ``stop_descriptor`` becomes readable for the child once that is set."""
    with (
        tempfile.TemporaryDirectory(prefix="heddle-run-", ignore_cleanup_errors=True) as directory,
        Signal.opened(stop) as signalled,
    ):
        given = Path(directory) / "job.json"
        if signalled is not None:
            job = {**job, "stop_descriptor": signalled.read}
        given.write_text(json.dumps(job))
        with given.open("rb") as stdin:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "backend.engine.sandbox"],
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=directory,
                env=environment(module, limits, directory, sight.to_document(job)),
                start_new_session=True,
                pass_fds=() if signalled is None else (signalled.read,),
            )
        try:
            return Watch(process, limits, report, cancel, signalled).until_the_end()
        finally:
            end_group(process)


def environment(module: str, limits: Limits, directory: str, sight: dict[str, list[str]]) -> dict[str, str]:
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    own = {"PYTHONPATH": search_path(), "HOME": directory, "TMPDIR": directory, "PYTHONUNBUFFERED": "1"}
    # A cache of their own: what a run leaves there is never loaded into the server or its workers.
    cache = cache_of_runs()
    cache.mkdir(parents=True, exist_ok=True)
    places = {"writable": [str(cache.resolve())], **sight}
    order = json.dumps({"module": module, "limits": limits.to_document(), "places": places})
    return {**inherited, **own, "HEDDLE_CACHE": str(cache), ENVIRONMENT: order}


def search_path() -> str:
    """Where the child finds modules: in this repository, then where its parent does, for optional packages."""
    folders = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return os.pathsep.join(dict.fromkeys([str(REPOSITORY), *(one for one in folders if os.path.isabs(one))]))


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill whatever is left of the child's process group and collect the child."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


class Signal:
    """A pipe that becomes readable when ``event`` is set: the child sees neither our files nor our events."""

    def __init__(self, event: threading.Event) -> None:
        self._event = event
        self.read, self._write = os.pipe()
        self._sent = False

    @staticmethod
    @contextlib.contextmanager
    def opened(event: threading.Event | None) -> Iterator[Signal | None]:
        if event is None:
            yield None
            return
        signalled = Signal(event)
        try:
            yield signalled
        finally:
            os.close(signalled.read)
            os.close(signalled._write)

    def pass_on(self) -> None:
        if self._event.is_set() and not self._sent:
            self._sent = True
            os.write(self._write, b".")


class Watch:
    """Reads a child's lines and holds it to its limits until it ends."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        limits: Limits,
        report: Report,
        cancel: threading.Event,
        stop: Signal | None = None,
    ) -> None:
        self._process = process
        self._limits = limits
        self._report = report
        self._cancel = cancel
        self._stop = stop
        self._line = bytearray()
        self._errors = bytearray()
        self._received = 0
        self._last: dict[str, Any] | None = None
        self._sandbox: dict[str, Any] = {}

    def until_the_end(self) -> Outcome:
        ended_by_us = self._read()
        # Between the last line and the exit nothing may take long: the group is killed when it does.
        if ended_by_us is None:
            try:
                code = self._process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                code = -signal.SIGKILL
            outcome = self._reported() or decode_exit(code, self._errors.decode(errors="replace"))
        else:
            outcome = ended_by_us
        return Outcome(
            outcome.ending, outcome.result, outcome.title, outcome.detail, outcome.diagnostics, self._sandbox
        )

    def _read(self) -> Outcome | None:
        """Returns the reason when we must end the child, None when it closed its output on its own."""
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        deadline = time.monotonic() + self._limits.seconds
        next_memory = 0.0
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ, self._take_output)
            selector.register(self._process.stderr, selectors.EVENT_READ, self._take_errors)
            while selector.get_map():
                for key, _ in selector.select(TICK_SECONDS):
                    stream: IO[bytes] = key.fileobj  # type: ignore[assignment]
                    data = os.read(stream.fileno(), 65_536)
                    if data:
                        key.data(data)
                    else:
                        selector.unregister(stream)
                now = time.monotonic()
                if self._stop is not None:
                    self._stop.pass_on()
                if self._cancel.is_set():
                    return Outcome("cancelled", title="Cancelled", detail="The run was cancelled.")
                if now > deadline:
                    return Outcome("timeout", title="Time is up", detail=over_time(self._limits.seconds))
                if self._received > self._limits.output_bytes:
                    detail = f"The run wrote more than {self._limits.output_bytes:,} bytes of output."
                    return Outcome("failed", title="Too much output", detail=detail)
                if now > next_memory:
                    next_memory = now + MEMORY_SECONDS
                    used = usage(self._process.pid, self._limits.processes)
                    if used.resident_bytes > self._limits.memory_bytes:
                        return Outcome("oom", title="Out of memory", detail=over_memory(self._limits.memory_bytes))
                    if used.processes > self._limits.processes:
                        detail = f"The run started more than {self._limits.processes} processes and was stopped."
                        return Outcome("failed", title="Too many processes", detail=detail)
                if self._process.poll() is not None and not selector.select(0):
                    # Ended, and nothing left to read; a grandchild may still hold the pipes open.
                    return None
        return None

    def _take_output(self, data: bytes) -> None:
        self._received += len(data)
        self._line += data
        *lines, rest = self._line.split(b"\n")
        self._line = bytearray(rest)
        for line in lines:
            self._take_line(bytes(line))

    def _take_errors(self, data: bytes) -> None:
        self._received += len(data)
        self._errors += data
        del self._errors[:-STDERR_BYTES]

    def _take_line(self, line: bytes) -> None:
        try:
            event = json.loads(line)
        except ValueError:
            return  # Something printed by a library; only events matter.
        if not isinstance(event, dict):
            return
        match event.get("event"):
            case "sandbox":
                self._sandbox = event["sandbox"]
            case "progress" | "sweeps" | "checkpoint" | "lines":
                self._report(event)
            case "result" | "problem":
                self._last = event
            case _:
                pass

    def _reported(self) -> Outcome | None:
        if self._last is None:
            return None
        if self._last["event"] == "result":
            result = dict(self._last["result"])
            result["sandbox"] = {**result.get("sandbox", {}), **self._sandbox}
            return Outcome("done", result=result)
        problem = self._last["problem"]
        diagnostics = problem.get("diagnostics")
        ending: Ending = "refused" if diagnostics else "failed"
        return Outcome(ending, title=problem["title"], detail=problem["detail"], diagnostics=diagnostics)


def over_time(seconds: float) -> str:
    return f"The run did not end within {seconds:g} s and was stopped. Use a smaller input."


def over_memory(memory_bytes: int) -> str:
    return f"The run used more than {memory_bytes / 2**30:.1f} GiB of memory and was stopped. Use a smaller input."
