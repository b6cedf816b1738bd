"""Runs one job in a child process of its own: starts it, relays its lines, ends it, and says how it ended."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from heddle_server.engine.children.child_lines import ChildEvents
from heddle_server.engine.children.limits import Limits
from heddle_server.engine.children.outcome import Ending, Outcome, decode_exit
from heddle_server.engine.children.process_tree import usage
from heddle_server.engine.children.run_cache import CacheRoom, tidy_run_cache
from heddle_server.engine.children.sandbox import JOB
from heddle_server.engine.children.sight import Sight
from heddle_server.engine.children.started_child import StartedChild, order_of, start
from heddle_server.engine.children.waiting_child import WaitingChild
from heddle_server.engine.scratch import scratch_prefix

# Rare enough not to disturb what is being timed.
TICK_SECONDS = 0.1
MEMORY_SECONDS = 0.5
STDERR_BYTES = 16_384
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
    waiting: WaitingChild | None = None,
) -> Outcome:
    """Blocks until the child has ended; ``report`` gets its progress events, ``cancel`` ends it early. Where there is a
    ``stop``, the job's ``stop_descriptor`` becomes readable for the child once that is set. The process that waits in
    ``waiting`` gets the job; where there is none, or it is of no use any more, another one begins."""
    with (
        tempfile.TemporaryDirectory(prefix=scratch_prefix("run"), ignore_cleanup_errors=True) as directory,
        waiting.taken() if waiting is not None else contextlib.nullcontext() as spare_child,
        contextlib.ExitStack() as ends,
    ):
        ends.callback(tidy_run_cache)  # called last, when nothing of the run is left
        if spare_child is not None:
            ends.callback(spare_child.end)
        order = order_of(module, limits, directory, sight.to_document(job))

        def watch(child: StartedChild) -> Outcome:
            told = {**job, "stop_descriptor": child.stop_descriptor} if stop is not None else job
            (Path(directory) / JOB).write_text(json.dumps(told), encoding="utf-8")
            child.take(order)
            return Watch(child, limits, report, cancel, stop).until_the_end()

        if spare_child is not None and spare_child.usable:
            outcome = watch(spare_child)
            # Whoever has not told of its sandbox had ended before the order came, and has begun nothing.
            if outcome.sandbox or outcome.ending not in ("crashed", "failed"):
                return outcome
        child = start()
        ends.callback(child.end)
        return watch(child)


class Watch:
    """Reads a child's lines and holds it to its limits until it ends."""

    def __init__(
        self,
        child: StartedChild,
        limits: Limits,
        report: Report,
        cancel: threading.Event,
        stop: threading.Event | None = None,
    ) -> None:
        self._child = child
        self._process = child.process
        self._limits = limits
        self._report = report
        self._cancel = cancel
        self._stop = stop
        self._events = ChildEvents()
        self._errors = bytearray()
        self._received = 0
        self._last: dict[str, Any] | None = None
        self._sandbox: dict[str, Any] = {}
        self._room = CacheRoom(limits.cache_bytes)

    def until_the_end(self) -> Outcome:
        ended_by_us = self._read()
        # Between the last line and the exit nothing may take long: the group is killed when it does.
        if ended_by_us is None:
            try:
                code = self._process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                code = -signal.SIGKILL
            outcome = self._read_report() or decode_exit(code, self._errors.decode(errors="replace"))
        else:
            outcome = ended_by_us
        return replace(outcome, sandbox=self._sandbox, ignored=self._events.ignored)

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
                if self._stop is not None and self._stop.is_set():
                    self._child.ask_to_stop()
                    self._stop = None
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
                    if self._sandbox.get("cache") == "shared" and self._room.is_exceeded():
                        detail = (
                            f"The run wrote more than {self._limits.cache_bytes:,} bytes into its cache of kernels."
                        )
                        return Outcome("failed", title="Too many files", detail=detail)
                if self._process.poll() is not None and not selector.select(0):
                    # Ended, and nothing left to read; a grandchild may still hold the pipes open.
                    return None
        return None

    def _take_output(self, data: bytes) -> None:
        self._received += len(data)
        for event in self._events.take(data):
            self._take_event(event)

    def _take_errors(self, data: bytes) -> None:
        self._received += len(data)
        self._errors += data
        del self._errors[:-STDERR_BYTES]

    def _take_event(self, event: dict[str, Any]) -> None:
        match event["event"]:
            case "sandbox":
                # The first is the sandbox's own, from before the child had anything to do.
                self._sandbox = self._sandbox or event["sandbox"]
            case "progress" | "sweeps" | "checkpoint" | "lines":
                self._report(event)
            case "result" | "problem":
                self._last = event
            case unknown:
                raise AssertionError(unknown)

    def _read_report(self) -> Outcome | None:
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
