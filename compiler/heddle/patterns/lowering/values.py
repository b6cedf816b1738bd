"""What terms become: scalars as expressions of loops, pairs, arrays as views, and functions.

An array is how an element is read and how all are visited; no array exists in memory unless a term keeps it there.
Reading an element may make statements at the place where it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from heddle.loop_ir.nodes import Expr, LoopKind
from heddle.patterns.syntax.nodes import Lambda, NatLambda, Span
from heddle.symbolic.nodes import Length

Environment = Mapping[str, "Value"]


@dataclass(frozen=True, slots=True)
class ScalarValue:
    """``length`` is the same where it is an integer that lengths can be made of. A number in the text is ``literal``:
    it takes the type of what it meets. ``size``: it is a position in [0, size). ``source`` is the field of a parameter
    that it was loaded from."""

    expression: Expr
    dtype: str
    length: Length | None = None
    literal: bool = False
    size: Length | None = None
    source: tuple[str, tuple[int, ...]] | None = None
    nat: bool = False


@dataclass(frozen=True, slots=True)
class PairValue:
    first: Value
    second: Value


Visit = Callable[[Length, "Value"], None]


@dataclass(frozen=True, slots=True, eq=False)
class ArrayValue:
    """``element(i)`` reads the element at ``i``; None where only visiting all is possible. ``each`` visits all in the
    loops of the array's own; None for one loop over positions of ``kind``. ``into`` writes all of it to a destination
    in its own way. ``named`` is what its loop is called. ``from_map``: a map makes its elements, in the order and on
    the units that it says."""

    size: Length
    element: Callable[[Length], Value]
    each: Callable[[Visit, LoopKind | str, int | None], None] | None = None
    into: Callable[[object], None] | None = None
    kind: LoopKind | str = LoopKind.SERIAL
    unroll: int | None = None
    named: str = "i"
    from_map: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    term: Lambda | NatLambda
    environment: Environment


@dataclass(frozen=True, slots=True, eq=False)
class Partial:
    """A pattern with the arguments that it has so far."""

    pattern: str
    arguments: tuple[tuple[Value, Span], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Composition:
    """``first`` and then ``second``."""

    first: Value
    second: Value


@dataclass(frozen=True, slots=True)
class OperatorValue:
    operator: str


@dataclass(frozen=True, slots=True)
class Word:
    """A name that an argument of a pattern may be: clamp, wrap."""

    word: str


FunctionValue = Closure | Partial | Composition | OperatorValue
Value = ScalarValue | PairValue | ArrayValue | Closure | Partial | Composition | OperatorValue | Word
FUNCTIONS = (Closure, Partial, Composition, OperatorValue)
