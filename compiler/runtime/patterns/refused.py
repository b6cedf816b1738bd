"""Diagnostics of arguments."""

from __future__ import annotations

from compiler.diagnostics import CompileError, Diagnostic, Location, Part


def refused(
    code: str,
    message: str,
    name: str,
    *,
    expected: str | None = None,
    found: str | None = None,
    hint: str | None = None,
    candidates: tuple[str, ...] = (),
) -> CompileError:
    """The error ``runtime/code`` about the argument ``name``."""
    place = Location(Part.INPUT, tensor=name)
    return CompileError(
        Diagnostic(f"runtime/{code}", message, place, expected=expected, found=found, hint=hint, candidates=candidates)
    )
