"""What types say about data and no proof gives: checked when arguments are bound, never assumed."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.lengths.nodes import Length
from compiler.patterns.syntax.nodes import Span

Variables = tuple[tuple[str, Length], ...]
"""Positions and the sizes of what they run over, outermost first."""


@dataclass(frozen=True, slots=True)
class AtLeastZero:
    """``length`` is at least 0 for all values of ``variables``; ``array`` is whose length it is, if any's."""

    length: Length
    variables: Variables
    span: Span
    array: str | None = None
    what: str = "a length"


@dataclass(frozen=True, slots=True)
class Equal:
    """``left`` and ``right`` are the same for all values of ``variables``."""

    left: Length
    right: Length
    variables: Variables
    span: Span


@dataclass(frozen=True, slots=True)
class Divides:
    """``divisor`` divides ``length``."""

    divisor: Length
    length: Length
    variables: Variables
    span: Span


@dataclass(frozen=True, slots=True)
class InRange:
    """Every element of the field ``path`` of the parameter ``array`` is in [0, size)."""

    array: str
    path: tuple[int, ...]
    size: Length
    span: Span
    of: str = ""
    """What is indexed, for messages."""


@dataclass(frozen=True, slots=True)
class Permutation:
    """The elements of the parameter ``array`` are 0 to ``size - 1``, each once."""

    array: str
    size: Length
    span: Span


Claim = AtLeastZero | Equal | Divides | InRange | Permutation
