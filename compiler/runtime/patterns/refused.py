"""Diagnostics of arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

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


@contextmanager
def counted_from(given: Mapping[str, NDArray[Any]]) -> Iterator[None]:
    """Errors that name an element of ``given`` offsets say where these are counted from, unless it is 0."""
    try:
        yield
    except CompileError as error:
        moved = {name: array[0] for name, array in given.items() if len(array) and array[0]}
        raise CompileError(*(_said(one, moved) for one in error.diagnostics)) from None


def _said(one: Diagnostic, moved: Mapping[str, Any]) -> Diagnostic:
    notes = [
        f"{name} is counted from its first element, {first}."
        for name, first in moved.items()
        if f"{name}@" in one.message
    ]
    return replace(one, hint=" ".join([*([one.hint] if one.hint else []), *notes])) if notes else one
