"""Diagnostics: every message that Heddle shows about a person's input.

A user error is a :class:`CompileError` that carries diagnostics, an :class:`OperandError` where the data of a call is
at fault; a defect of Heddle itself is an :class:`InternalError`. The two never mix: the service answers the first with
200 and the second with 500.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

from heddle.advice import Advice

__all__ = [
    "CompileError",
    "Diagnostic",
    "Fix",
    "HeddleError",
    "InternalError",
    "Location",
    "OperandError",
    "Part",
    "PerformanceWarning",
    "Severity",
]


class Severity(StrEnum):
    """What a diagnostic means for the compile: only an error ends it."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Part(StrEnum):
    """The part of the Plan that a diagnostic points at."""

    EXPRESSION = "expression"
    FORMAT = "format"
    SCHEDULE = "schedule"
    INPUT = "input"
    PLAN = "plan"


@dataclass(frozen=True, slots=True)
class Location:
    """Where in the Plan: character offsets into the text of ``part``.

    For the schedule, ``command`` is the 0-based index of the command and the offsets count inside that command's own
    text. For a format or an input, ``tensor`` names the tensor. ``path`` is a JSON pointer for errors of the document.
    """

    part: Part
    start: int = 0
    end: int = 0
    command: int | None = None
    tensor: str | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """A one-click repair: the new text of each part that changes (None leaves the part alone)."""

    title: str
    expression: str | None = None
    schedule: tuple[str, ...] | None = None
    formats: dict[str, str] | None = None
    options: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What is wrong, why in this program, and what to do.

    ``code`` is stable, e.g. ``schedule/unknown-variable``: what stands before the slash is the part that is to blame.
    ``expected`` and ``actual`` are what the program should have there, and what it has.
    ``candidates`` are names that may have been meant, nearest first; ``fixes`` are repairs that compile. ``evidence``
    shows the mistake on small data, a sentence each. ``advice`` says what would help to the code that reads it,
    ``hint`` and ``fixes`` to a person.
    """

    code: str
    message: str
    location: Location | None = None
    severity: Severity = Severity.ERROR
    expected: str | None = None
    actual: str | None = None
    candidates: tuple[str, ...] = ()
    hint: str | None = None
    fixes: tuple[Fix, ...] = field(default=())
    advice: tuple[Advice, ...] = ()
    evidence: tuple[str, ...] = ()

    @property
    def found(self) -> str | None:
        """``actual`` under the name that it has in JSON."""
        return self.actual


class HeddleError(Exception):
    """The root of every exception that Heddle raises on purpose."""


class CompileError(HeddleError, ValueError):
    """The person's input cannot be compiled or run.

    Attributes
    ----------
    diagnostics
        why, at least one. The text of the error is their messages and remedies, each on a line of its own, so that
        whoever prints or logs it reads what to do. Who shows the diagnostics beside it takes ``messages``.
    """

    def __init__(self, *diagnostics: Diagnostic) -> None:
        assert diagnostics, "a CompileError needs a diagnostic"
        self.diagnostics: list[Diagnostic] = list(diagnostics)
        super().__init__("\n".join(_lines(diagnostics)))

    @property
    def messages(self) -> str:
        """What is wrong, without what to do."""
        return "\n".join(diagnostic.message for diagnostic in self.diagnostics)

    def _render_traceback_(self) -> list[str]:
        """What IPython shows: the mistakes without the stack, which is Heddle's and says nothing of them."""
        return [
            f"{type(self).__name__}: {line}" if number == 0 else line
            for number, line in enumerate(_lines(tuple(self.diagnostics)))
        ]

    def __reduce__(self) -> tuple[type[CompileError], tuple[Diagnostic, ...]]:
        return (type(self), tuple(self.diagnostics))


def _lines(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    """The messages, each with its remedies behind it; what several share stands behind the last of them."""
    last = {remedy: number for number, diagnostic in enumerate(diagnostics) for remedy in _list_fixes(diagnostic)}
    lines: list[str] = []
    for number, diagnostic in enumerate(diagnostics):
        lines.append(diagnostic.message)
        lines += [remedy for remedy in _list_fixes(diagnostic) if last[remedy] == number]
    return lines


def _list_fixes(diagnostic: Diagnostic) -> list[str]:
    remedies = [f"hint: {diagnostic.hint}"] if diagnostic.hint else []
    words = f"{diagnostic.message} {diagnostic.hint or ''}"
    if diagnostic.candidates and not any(
        re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words) for name in diagnostic.candidates
    ):
        remedies.append(f"did you mean: {', '.join(diagnostic.candidates)}")
    if not remedies and diagnostic.fixes:
        remedies.append(f"fix: {'; '.join(fix.title for fix in diagnostic.fixes)}")
    return remedies


class OperandError(CompileError):
    """Data that a call, ``pack``, ``convert``, ``bind`` or ``read`` cannot take: the program is right, its operands
    are not. It is a :class:`CompileError`, so that whoever catches that one catches both."""


class InternalError(HeddleError):
    """A defect of Heddle. The message asks for a report; the caller adds the Plan's link."""

    def __init__(self, message: str) -> None:
        super().__init__(f"{message} (this is a defect in Heddle; please report it)")


class PerformanceWarning(UserWarning):
    """A call does far more work than its operands need, and another way of writing it does without.

    Attributes
    ----------
    diagnostic
        why, with the severity warning. ``code`` is its code, ``estimate`` how much work there is and how much would do,
        ``rewriting`` what to write instead.

    Notes
    -----
    ``performance/densified``
        a dense array is made of a sparse operand, since no format was declared.
    ``performance/every-coordinate``
        all coordinates are visited, since a term has a value where an operand stores nothing.
    ``performance/stores-everything``
        a sparse result stores every coordinate.
    ``performance/dense-result``, ``performance/dense-temporary``
        a dense array is written of which most elements are zero.
    ``performance/search-per-element``
        each element or tile is searched, as a schedule asks, where a walk would do.
    ``performance/storage-order``
        pairs of rows and columns are looked at, as a schedule asks.
    ``performance/contraction-order``
        all factors are multiplied in one loop nest.
    ``performance/one-thread``
        one thread takes all steps, since iterations add to the same elements.
    """

    def __init__(self, diagnostic: Diagnostic) -> None:
        """A warning with the text of a ``diagnostic``, which is its one argument: whoever carries a warning to another
        process makes it again from its arguments."""
        self.diagnostic = diagnostic
        super().__init__(diagnostic)

    def __str__(self) -> str:
        return f"[{self.diagnostic.code}] " + "\n".join(_lines((self.diagnostic,)))

    @property
    def code(self) -> str:
        """That of the diagnostic, ``performance/…``."""
        return self.diagnostic.code

    @property
    def estimate(self) -> str:
        """How much work the call does, and how much would do."""
        return self.diagnostic.actual or ""

    @property
    def rewriting(self) -> str:
        """What to write instead."""
        return self.diagnostic.hint or ""


def nearest(word: str, candidates: list[str] | tuple[str, ...], limit: int = 3, alike: float = 0.5) -> tuple[str, ...]:
    """The candidates closest to ``word``, best first, for "did you mean"; ``alike`` is how close they must be, 1 the
    same."""
    from difflib import get_close_matches

    same = [candidate for candidate in candidates if candidate.lower() == word.lower()]  # CPUThread for cputhread
    close = get_close_matches(word, candidates, n=limit, cutoff=alike)
    return tuple(dict.fromkeys([*same, *close]))[:limit]
