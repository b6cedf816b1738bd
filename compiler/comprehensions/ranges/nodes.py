"""What range inference finds: a range for each index variable, the rounds that led there, and what must be checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compiler.comprehensions.language.nodes import Node
from compiler.lengths.nodes import Length
from compiler.notation.nodes import Span


@dataclass(frozen=True, slots=True)
class Range:
    """``[lower, upper)``."""

    lower: Length
    upper: Length

    @property
    def extent(self) -> Length:
        return self.upper - self.lower


@dataclass(frozen=True, slots=True)
class Constraint:
    """``lower <= subscript < upper``: a read in its dimension. ``factors`` are those of the index variables of an
    affine subscript, None for others; ``guards`` are the conditions under which it is read."""

    step: int
    tensor: str
    dimension: int
    access: str
    subscript: Length
    node: Node
    factors: Mapping[str, int] | None
    lower: Length
    upper: Length
    guards: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Round:
    """One thing that was found: in round ``number`` of a statement, from ``access``, what ``variable`` is held to.
    ``number`` 0: given by a ``where``. ``how``: ``access``, ``where``, ``earlier`` (another statement's range),
    ``later`` (of the statement that assigns the same tensor next), ``passed`` (the caller's tensor) or ``declared``."""

    step: int
    number: int
    variable: str
    how: str
    access: str
    constraint: str
    eliminated: tuple[str, ...]
    lower: str
    upper: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A read that is proved for no sizes: it is checked at the call. ``ranges`` are those of its statement."""

    constraint: Constraint
    ranges: Mapping[str, Range]


@dataclass(frozen=True, slots=True)
class Same:
    """Two lengths that must be equal at the call, and why."""

    left: Length
    right: Length
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """``ranges`` by statement; ``dimensions`` of every version of every tensor, from its first coordinate; ``gathers``
    are the subscripts that tensors decide."""

    ranges: tuple[Mapping[str, Range], ...]
    dimensions: Mapping[str, tuple[Range, ...]]
    rounds: tuple[Round, ...]
    conditions: tuple[Condition, ...] = ()
    gathers: tuple[Constraint, ...] = ()
    same: tuple[Same, ...] = field(default=())
    guarded: frozenset[tuple[int, str]] = frozenset()
    """Statement and access of reads that only a condition keeps inside."""
