"""A process that is waited for together with what it cost: the time that it and its children spent on processors."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

INTERRUPT_SECONDS = 5.0
"""How long a process that was interrupted together with this one may take to end by itself."""

GIVES_WAY = 10
"""Steps of priority: such a process gets a tenth of a core that another one wants, and all that is idle."""

GIVES_SOME_WAY = 5
"""Such a process gets a quarter of it."""


@dataclass(frozen=True, slots=True)
class FinishedProcess:
    """``output`` is empty where the process wrote to this one's terminal. ``processor_seconds`` are the user and system
    time of the process and of all descendants that were waited for, whatever else ran meanwhile."""

    code: int
    output: str
    processor_seconds: float


def run_measured(
    command: Sequence[str | Path],
    folder: Path,
    environment: Mapping[str, str] | None = None,
    *,
    capture: bool = False,
    steps: int = 0,
) -> FinishedProcess:
    """Runs a command to its end, that gives way by so many ``steps`` to processes of the usual priority; with
    ``capture`` both its streams become ``output``."""
    if not capture:
        code, seconds = _wait(_give_way(subprocess.Popen(command, cwd=folder, env=environment), steps))
        return FinishedProcess(code, "", seconds)
    with tempfile.TemporaryFile() as sink:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=sink, stderr=subprocess.STDOUT)
        code, seconds = _wait(_give_way(process, steps))
        sink.seek(0)
        return FinishedProcess(code, sink.read().decode(errors="replace"), seconds)


def _give_way(process: subprocess.Popen[bytes], steps: int) -> subprocess.Popen[bytes]:
    if steps:
        os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + steps)
    return process


def _wait(process: subprocess.Popen[bytes]) -> tuple[int, float]:
    """Exit code and processor-seconds. Popen.wait() would drop the latter, and getrusage() adds up all children."""
    try:
        _, status, usage = os.wait4(process.pid, 0)
    except BaseException:
        with suppress(subprocess.TimeoutExpired):
            process.wait(INTERRUPT_SECONDS)
        process.kill()
        process.wait()
        raise
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime
