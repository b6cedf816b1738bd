"""What is known at a place of a launch: the intervals of its expressions, and what a condition or an access teaches.

The statements of a launch, which assign and branch, are walked in :mod:`heddle.loop_ir.analysis.index_ranges`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from heddle.loop_ir.analysis.intervals import (
    EVERYTHING,
    TRUTH,
    Interval,
    at_least,
    at_most,
    combine,
    exactly,
    interval,
    join,
)
from heddle.loop_ir.dtypes import INTEGERS, dtype_of, element_dtype, integer_range
from heddle.loop_ir.nodes import (
    BOOL,
    Array,
    ArrayRole,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    For,
    Load,
    Select,
    Unary,
    Var,
)
from heddle.loop_ir.walk import statements, written_arrays

_FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known before a launch: its ``scalars``, the ``contents`` of arrays (None: memory into which nothing
    has been written yet) and their ``sizes`` in elements. What is not named can be anything."""

    scalars: Mapping[str, Interval]
    contents: Mapping[str, Interval | None]
    sizes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Ranges:
    """``scalars``: what each scalar of the launch ever holds, ``expressions``: what each integer expression has as its
    value, ``stored``: what is written into each array of integers."""

    scalars: dict[str, Interval] = field(default_factory=dict)
    expressions: dict[Expr, Interval] = field(default_factory=dict)
    stored: dict[str, Interval] = field(default_factory=dict)


class Knowledge:
    """At first that of ``facts`` alone. ``before``: what a pass over the whole launch found; None in the first pass."""

    def __init__(self, launch: For, facts: Facts, before: Ranges | None) -> None:
        self.ranges = Ranges()
        self._facts, self._before = facts, before
        self._written = {name for inner in statements(launch) for name in written_arrays(inner)}
        self._launch_arrays: set[str] = set()  # arrays that the launch itself allocates
        self._sizes = dict(facts.sizes)
        self._known = dict(facts.scalars)  # what is known of scalars at this place

    @contextmanager
    def _branch(self) -> Iterator[None]:
        """What is learnt inside holds there alone."""
        outside = dict(self._known)
        yield
        self._known = outside

    def value(self, expression: Expr) -> Interval:
        value = self._value(expression)
        if dtype_of(expression) in INTEGERS:
            self.ranges.expressions[expression] = join(self.ranges.expressions.get(expression), value)
        return value

    def _value(self, expression: Expr) -> Interval:
        dtype = dtype_of(expression)
        match expression:
            case Const(value=value):
                return exactly(value) if isinstance(value, int) else whole_range(dtype)
            case Var(name=name):
                return self._scalar(name, dtype)
            case Load(array=array, index=index):
                self._exists(array, index)
                return self._content(array)
            case Binary(operator="&&" | "||" as operator, left=left, right=right):
                self.value(left)
                with self._branch():
                    self._hold(left, operator == "&&")
                    self.value(right)
                return TRUTH
            case Binary(operator=operator, left=left, right=right):
                first, second, whole = self.value(left), self.value(right), whole_range(dtype)
                bounds = combine(operator, first, second) if dtype in INTEGERS else whole
                return bounds if whole.low <= bounds.low and bounds.high <= whole.high else whole
            case Unary(operator=operator, operand=operand):
                inner = self.value(operand)
                turned, whole = interval(-inner.high, -inner.low), whole_range(dtype)
                fits = operator == "-" and whole.low <= turned.low and turned.high <= whole.high
                return turned if fits else whole
            case Cast(operand=operand):
                inner, whole = self.value(operand), whole_range(dtype)
                fits = dtype_of(operand) in INTEGERS | {BOOL} and whole.low <= inner.low and inner.high <= whole.high
                return inner if fits else whole
            case Select(condition=condition, then=then, otherwise=otherwise):
                self.value(condition)
                sides = []
                for side, holds in ((then, True), (otherwise, False)):
                    with self._branch():
                        self._hold(condition, holds)
                        sides.append(self.value(side))
                return join(*sides)
            case Call(arguments=arguments):
                for argument in arguments:
                    self.value(argument)
                return whole_range(dtype)
            case _:
                return whole_range(dtype)

    def _scalar(self, name: str, dtype: str) -> Interval:
        known = self._known.get(name)
        if known is not None:
            return known
        assigned = self._before.scalars.get(name) if self._before is not None else None
        return whole_range(dtype) if assigned is None else assigned

    def _content(self, array: Array) -> Interval:
        whole = whole_range(array.dtype)
        if element_dtype(array) not in INTEGERS or array.role is ArrayRole.VALS:
            return whole
        contents = None if array.name in self._launch_arrays else self._facts.contents.get(array.name, whole)
        if array.name in self._written:
            if self._before is None:
                return whole
            stored = self._before.stored.get(array.name)
            contents = contents if stored is None else join(contents, stored)
        return whole if contents is None else contents

    # --------------------------------------------------------------------------------------------- conditions

    def _exists(self, array: Array, index: Expr) -> None:
        """The element exists."""
        self.value(index)
        if array.name in self._sizes:
            self._at_most(index, self._sizes[array.name] - 1)
            self._at_least(index, 0)

    def _hold(self, condition: Expr, holds: bool) -> None:
        """Learns from ``condition`` that it is true, or false."""
        match condition:
            case Unary(operator="!", operand=operand):
                self._hold(operand, not holds)
            case Binary(operator="&&" | "||" as operator, left=left, right=right) if (operator == "&&") == holds:
                self._hold(left, holds)
                self._hold(right, holds)
            case Binary(operator=operator, left=left, right=right) if operator in _FLIPPED:
                if dtype_of(left) in INTEGERS:
                    self._compare(operator if holds else _FLIPPED[operator], left, right)
            case _:
                pass

    def _compare(self, operator: str, left: Expr, right: Expr) -> None:
        if operator == "!=":
            return
        first, second = self.value(left), self.value(right)
        for side, sign, other in ((left, operator, second), (right, _MIRRORED[operator], first)):
            if sign in ("<", "<=", "=="):
                self._at_most(side, other.high - (sign == "<"))
            if sign in (">", ">=", "=="):
                self._at_least(side, other.low + (sign == ">"))

    def _at_most(self, expression: Expr, high: int) -> None:
        match expression:
            case Var(name=name, dtype=dtype):
                self._known[name] = at_most(self._scalar(name, dtype), high)
            case Binary(operator="+", left=left, right=right):
                first, second = self.value(left), self.value(right)
                self._at_most(left, high - second.low)
                self._at_most(right, high - first.low)
            case Binary(operator="-", left=left, right=right):
                self._at_most(left, high + self.value(right).high)
            case _:
                pass

    def _at_least(self, expression: Expr, low: int) -> None:
        match expression:
            case Var(name=name, dtype=dtype):
                self._known[name] = at_least(self._scalar(name, dtype), low)
            case Binary(operator="+", left=left, right=right):
                first, second = self.value(left), self.value(right)
                self._at_least(left, low - second.high)
                self._at_least(right, low - first.high)
            case Binary(operator="-", left=left, right=right):
                self._at_least(left, low + self.value(right).low)
            case _:
                pass


def whole_range(dtype: str) -> Interval:
    """All values of a type."""
    if dtype == BOOL:
        return TRUTH
    return Interval(*integer_range(dtype)) if dtype in INTEGERS and dtype != "uint64" else EVERYTHING
