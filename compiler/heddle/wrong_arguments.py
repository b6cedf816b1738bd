"""What a person passes where something else is expected: named by its value where that is a number or a short text,
else by its type, since its text may be long, or raise."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from heddle.diagnostics import Diagnostic, OperandError

Kind = TypeVar("Kind")

_LONGEST = 40
"""Letters or digits of a value that stands in a message."""


def wrong_argument(argument: str, expected: str, value: object) -> OperandError:
    """The error for ``argument`` of a function, which is not what is ``expected``."""
    actual = _spell(value)
    return OperandError(
        Diagnostic(
            "runtime/argument", f"{argument} must be {expected}, but is {actual}.", expected=expected, actual=actual
        )
    )


def _spell(value: object) -> str:
    """A number or a short text as it is written in Python: ``nan`` says more than its type."""
    if type(value) in (bool, float) or (type(value) is int and abs(value) < 10**_LONGEST):
        return repr(value)
    if type(value) is str and len(value) <= _LONGEST:
        return repr(value)
    return type_of(value)


def type_of(value: object) -> str:
    """``None``, or the name of the value's type: ``a numpy.ndarray``."""
    if value is None:
        return "None"
    kind = type(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def require_kind(value: object, kind: type[Kind], argument: str, expected: str) -> Kind:
    """``value``, which is a ``kind``.

    Raises
    ------
    OperandError
        ``runtime/argument``.
    """
    if isinstance(value, kind):
        return value
    raise wrong_argument(argument, expected, value)


def require_text(value: object, argument: str) -> str:
    """``value``, which is a text.

    Raises
    ------
    OperandError
        ``runtime/argument``.
    """
    return require_kind(value, str, argument, "a text")


def require_mapping(value: object, argument: str) -> Mapping[str, object]:
    """``value``, which has an entry for each of some names; an empty one for None.

    Raises
    ------
    OperandError
        ``runtime/argument``.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise wrong_argument(argument, "a dictionary by name", value)
    for name in value:
        require_text(name, f"each name in {argument}")
    return value


def require_path(value: object, argument: str) -> Path:
    """The path that is passed as a text or as an object of ``os.PathLike``.

    Raises
    ------
    OperandError
        ``runtime/argument``.
    """
    if isinstance(value, str | os.PathLike):
        path = os.fspath(value)
        if isinstance(path, str) and "\0" not in path:
            return Path(path)
    raise wrong_argument(argument, "the path of a file", value)
