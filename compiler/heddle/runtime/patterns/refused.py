"""Diagnostics of arguments."""

from __future__ import annotations

from heddle.diagnostics import Diagnostic, Location, OperandError, Part


def refusal(
    code: str,
    message: str,
    name: str,
    *,
    expected: str | None = None,
    actual: str | None = None,
    hint: str | None = None,
    candidates: tuple[str, ...] = (),
) -> OperandError:
    """The error ``runtime/code`` about the argument ``name``."""
    place = Location(Part.INPUT, tensor=name)
    return OperandError(
        Diagnostic(
            f"runtime/{code}", message, place, expected=expected, actual=actual, hint=hint, candidates=candidates
        )
    )
