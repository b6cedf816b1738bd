"""Warnings about calls that do more work than their operands need, shown at the caller's line."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

from heddle.diagnostics import Diagnostic, Location, Part, PerformanceWarning, Severity

_PACKAGE = str(Path(__file__).parents[1])
"""As frames name their files: by the path of the import, which may go through links."""


def warn_performance(diagnostic: Diagnostic) -> None:
    """Warns at the innermost line that is not Heddle's."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(PerformanceWarning(diagnostic), stacklevel=level)


def performance_diagnostic(
    code: str, message: str, estimate: str, rewriting: str, tensor: str | None = None
) -> Diagnostic:
    """A warning about ``tensor``, or the whole call: how much work there is and how much would do, and what to write
    instead."""
    location = Location(Part.INPUT, tensor=tensor)
    return Diagnostic(
        f"performance/{code}", message, location, severity=Severity.WARNING, actual=estimate, hint=rewriting
    )


def spell_count(number: float) -> str:
    """A number of steps or bytes in a message, with two digits that count."""
    if number < 10_000:
        return f"{round(number):,}"
    for limit, divisor, unit in ((1e6, 1e3, "thousand"), (1e9, 1e6, "million"), (1e12, 1e9, "billion")):
        if number < limit:
            return f"{number / divisor:.2g} {unit}" if number / divisor < 100 else f"{number / divisor:.0f} {unit}"
    return f"{number:.2g}"
