"""How a child process ended, in the words of the run's states."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field
from typing import Any, Literal

Ending = Literal["done", "refused", "failed", "cancelled", "timeout", "oom", "crashed"]

# What the sandbox exits with when Python itself ran out of memory; no tool uses this number.
EXIT_OUT_OF_MEMORY = 94

LAST_LINES = 2


@dataclass(frozen=True, slots=True)
class Outcome:
    """``result`` is there when the ending is done; ``title`` and ``detail`` say what happened otherwise. Of a child
    that reported nothing, ``signal`` names what ended it, if that was one, and ``last_words`` is what it wrote on
    stderr. ``ignored`` events of it were none that a child of ours tells."""

    ending: Ending
    result: dict[str, Any] | None = None
    title: str = ""
    detail: str = ""
    diagnostics: list[dict[str, Any]] | None = None
    sandbox: dict[str, Any] = field(default_factory=dict)
    signal: str = ""
    last_words: str = ""
    ignored: int = 0

    @property
    def was_killed(self) -> bool:
        """By the system or by somebody, which says nothing about what it was doing."""
        return self.signal == signal.SIGKILL.name


def decode_exit(code: int, errors: str) -> Outcome:
    """The outcome of a child that ended with exit status ``code`` (negative: a signal) and reported nothing.

    ``errors`` is the tail of what it wrote on stderr.
    """
    last = " / ".join(errors.strip().splitlines()[-LAST_LINES:])[-500:]
    said = f" It said: {last}" if last else ""
    if code == EXIT_OUT_OF_MEMORY:
        return Outcome("oom", title="Out of memory", detail="The run needs more memory than a run is allowed.")
    if code >= 0:
        detail = f"The process of the run ended with status {code} and reported nothing.{said}"
        return Outcome("failed", title="The run ended without a result", detail=detail, last_words=last)
    name = signal_name(-code)
    match -code:
        case signal.SIGXCPU:
            return Outcome("timeout", title="Too much processor time", detail="The run used up its processor time.")
        case signal.SIGSEGV | signal.SIGBUS:
            what = "The kernel accessed memory that does not belong to it"
        case signal.SIGFPE | signal.SIGILL | signal.SIGABRT:
            what = "The kernel did something that the processor or the system does not allow"
        case signal.SIGXFSZ:
            what = "The run wrote a larger file than a run is allowed"
        case signal.SIGKILL:
            what = "Something outside Heddle killed the process, often the system because memory ran out"
        case _:
            what = "The process of the run was ended by a signal"
    title, detail = f"The run crashed ({name})", f"{what} ({name}).{said}"
    return Outcome("crashed", title=title, detail=detail, signal=name, last_words=last)


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
