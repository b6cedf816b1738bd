"""What the system says of stolen time: how often and for how long threads of this process could go on and had no core,
and what others took of the machine. Linux says all of it, other systems a part; what is not said is None."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

try:
    import resource
except ImportError:  # not a Unix
    resource = None  # type: ignore[assignment]

_STEAL = 7
"""The field of the first line of ``/proc/stat``: ticks in which another virtual machine had the processor."""

_COUNTED_IN_OTHERS = 8
"""Fields behind it, ticks of guests, are in those of user and nice as well."""


@dataclass(frozen=True, slots=True)
class Reading:
    """``involuntary`` counts how often a thread was put off its core though it could go on, ``waited_ns`` for how many
    nanoseconds threads could go on and had none, all threads added up."""

    involuntary: int | None = None
    waited_ns: int | None = None

    def since(self, before: Reading) -> Reading:
        return Reading(_less(self.involuntary, before.involuntary), _less(self.waited_ns, before.waited_ns))


@dataclass(frozen=True, slots=True)
class MachineReading:
    """At ``seconds`` of a clock: for how many microseconds since its start somebody on this machine waited for a
    processor, how many ticks of its processors passed, and how many of them another virtual machine had."""

    seconds: float
    pressure_us: int | None = None
    ticks: int | None = None
    stolen: int | None = None

    def shares_since(self, before: MachineReading) -> tuple[float | None, float | None]:
        """Of the time in between: the pressure, and the steal."""
        pressure, ticks = _less(self.pressure_us, before.pressure_us), _less(self.ticks, before.ticks)
        stolen, spent = _less(self.stolen, before.stolen), self.seconds - before.seconds
        return (
            None if pressure is None or spent <= 0 else min(1.0, pressure / 1e6 / spent),
            None if not ticks or stolen is None else min(1.0, stolen / ticks),
        )


class System(Protocol):
    """Whoever can be asked what a process lost to others."""

    def look_for_threads(self) -> None:
        """Is called once all threads of the process have begun."""
        ...

    def read(self) -> Reading:
        """Since the process began."""
        ...


class Silent:
    """A system that says nothing."""

    def look_for_threads(self) -> None:
        pass

    def read(self) -> Reading:
        return Reading()


SILENT = Silent()


class SystemLoad:
    """A context in which the system is asked. Files stay open: asking costs a few microseconds, and no more for what
    is not there."""

    def __init__(self, proc: str = "/proc") -> None:
        self._proc = proc
        self._threads: list[int] = []
        self._files: dict[str, int] = {}

    def __enter__(self) -> SystemLoad:
        for name in ("pressure/cpu", "stat"):
            with suppress(OSError):
                self._files[name] = os.open(f"{self._proc}/{name}", os.O_RDONLY | os.O_CLOEXEC)
        self.look_for_threads()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in (*self._threads, *self._files.values()):
            os.close(file)
        self._threads, self._files = [], {}

    def look_for_threads(self) -> None:
        for file in self._threads:
            os.close(file)
        self._threads = []
        with suppress(OSError):
            for number in os.listdir(f"{self._proc}/self/task"):
                with suppress(OSError):
                    path = f"{self._proc}/self/task/{number}/schedstat"
                    self._threads.append(os.open(path, os.O_RDONLY | os.O_CLOEXEC))

    def read(self) -> Reading:
        """Of this process."""
        involuntary = None if resource is None else resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw
        waited = [_read_wait(file) for file in self._threads]
        known = [nanoseconds for nanoseconds in waited if nanoseconds is not None]
        return Reading(involuntary, sum(known) if known else None)

    def read_machine(self) -> MachineReading:
        ticks = _ticks(self._text("stat"))
        stolen = ticks[_STEAL] if ticks is not None and len(ticks) > _STEAL else None
        passed = sum(ticks[:_COUNTED_IN_OTHERS]) if ticks is not None else None
        return MachineReading(time.monotonic(), _pressure(self._text("pressure/cpu")), passed, stolen)

    def _text(self, name: str) -> str:
        try:
            return os.pread(self._files[name], 512, 0).decode("ascii", "replace")
        except (KeyError, OSError):
            return ""


def _less(now: int | None, before: int | None) -> int | None:
    return None if now is None or before is None else max(0, now - before)


def _read_wait(file: int) -> int | None:
    """The second of the numbers: nanoseconds on the run queue. None where the thread has ended."""
    try:
        return int(os.pread(file, 64, 0).split()[1])
    except (OSError, ValueError, IndexError):
        return None


def _pressure(text: str) -> int | None:
    """Microseconds of ``some avg10=0.00 avg60=0.00 avg300=0.00 total=1234``."""
    for line in text.splitlines():
        kind, _, total = line.partition(" ")[0], *line.rpartition("total=")[1:]
        if kind == "some" and total.isdigit():
            return int(total)
    return None


def _ticks(text: str) -> list[int] | None:
    """Those of ``cpu  1962519 426440 …``, the line of all processors."""
    line = text.partition("\n")[0].split()
    if line[:1] != ["cpu"] or not all(word.isdigit() for word in line[1:]):
        return None
    return [int(word) for word in line[1:]]
