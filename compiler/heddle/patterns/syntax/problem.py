"""Diagnostics of programs in patterns, and of the steps that rewrite them."""

from __future__ import annotations

from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from heddle.patterns.syntax.nodes import Span


def problem(
    code: str,
    message: str,
    span: Span,
    *,
    expected: str | None = None,
    actual: str | None = None,
    hint: str | None = None,
    candidates: tuple[str, ...] = (),
    fixes: tuple[Fix, ...] = (),
) -> CompileError:
    """The error ``patterns/code`` at ``span`` of the text."""
    return CompileError(
        Diagnostic(
            f"patterns/{code}",
            message,
            Location(Part.EXPRESSION, span[0], span[1]),
            expected=expected,
            actual=actual,
            hint=hint,
            candidates=candidates,
            fixes=fixes,
        )
    )


def step_problem(
    code: str,
    message: str,
    text: str,
    number: int,
    *,
    expected: str,
    actual: str,
    hint: str | None = None,
    candidates: tuple[str, ...] = (),
) -> CompileError:
    """The error ``patterns/code`` about ``text``, the step of that ``number`` in the schedule."""
    place = Location(Part.SCHEDULE, 0, len(text), command=number)
    return CompileError(
        Diagnostic(
            f"patterns/{code}", message, place, expected=expected, actual=actual, hint=hint, candidates=candidates
        )
    )
