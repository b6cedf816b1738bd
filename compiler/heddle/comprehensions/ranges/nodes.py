"""What range inference finds: a range for each index variable, the rounds that led there, and what must be checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from heddle.comprehensions.language.nodes import Node
from heddle.comprehensions.ranges.text import text
from heddle.notation.nodes import Span
from heddle.symbolic.nodes import Length, Test


@dataclass(frozen=True, slots=True)
class Range:
    """``[lower, upper)``."""

    lower: Length
    upper: Length

    @property
    def extent(self) -> Length:
        return self.upper - self.lower

    @property
    def shown(self) -> str:
        """As a ``where`` has it."""
        return f"{text(self.lower)}:{text(self.upper)}"


@dataclass(frozen=True, slots=True)
class Constraint:
    """``lower <= subscript < upper``: a read in its dimension. ``factors`` are those of the index variables of an
    affine subscript, None for others; ``exact`` says that it is a formula of sizes and index variables alone. ``under``
    are the conditions under which it is read, ``guards`` what they say of sizes and index variables."""

    step: int
    tensor: str
    dimension: int
    access: str
    subscript: Length
    node: Node
    factors: Mapping[str, int] | None
    lower: Length
    upper: Length
    exact: bool
    under: tuple[Node, ...]
    guards: tuple[Test, ...]
    span: Span

    @property
    def shown(self) -> str:
        """What it says, as a text."""
        return f"{text(self.lower)} <= {text(self.subscript)} < {text(self.upper)}"


@dataclass(frozen=True, slots=True)
class Round:
    """One thing that was found: in round ``number`` of a statement, from ``access``, what ``variable`` is held to.
    ``number`` 0: given by a ``where``. ``how``: ``access``, ``where``, ``earlier`` (another statement's range),
    ``later`` (of the statement that assigns the same tensor next), ``passed`` (the caller's tensor) or ``declared``.
    ``range`` is that interval."""

    step: int
    number: int
    variable: str
    how: str
    access: str
    constraint: str
    eliminated: tuple[str, ...]
    range: Range

    @property
    def lower(self) -> str:
        return text(self.range.lower)

    @property
    def upper(self) -> str:
        return text(self.range.upper)


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
class Computed:
    """A formula of statement ``step`` whose value may leave 64 bits for some sizes, or that divides by what may not be
    positive: it is looked at when the sizes are known. ``ranges`` are those of its variables."""

    whole: Length
    step: int
    shown: str
    ranges: Mapping[str, Range]


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
    computed: tuple[Computed, ...] = ()
