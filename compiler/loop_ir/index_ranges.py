"""Where the integers of a launch can lie, from the sizes of its operands: intervals for every scalar and expression.

Abstract interpretation in a few passes. The first pass knows nothing of the scalars that the launch assigns; each
further one reads them as what the pass before it found them to be assigned, so that every pass is sound by itself and
none is wider than the one before. Within a pass, conditions narrow what they compare, and so does memory: an element
that is read or written exists, since kernels never leave their arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from compiler.diagnostics import InternalError
from compiler.loop_ir.dtypes import INTEGERS, dtype_of, element_dtype, integer_range
from compiler.loop_ir.intervals import (
    EVERYTHING,
    TRUTH,
    Interval,
    at_least,
    at_most,
    combined,
    exactly,
    interval,
    joined,
)
from compiler.loop_ir.nodes import (
    BOOL,
    Allocate,
    Array,
    ArrayRole,
    Assign,
    Barrier,
    Binary,
    Block,
    Break,
    Call,
    Cast,
    Combine,
    CombineRuns,
    Comment,
    Const,
    Continue,
    Declare,
    Expr,
    Fill,
    For,
    If,
    Load,
    Prefetch,
    Search,
    SearchKind,
    Select,
    Single,
    Sort,
    Stmt,
    Store,
    Unary,
    Var,
    While,
)
from compiler.loop_ir.walk import children, statements, written_arrays

PASSES = 5
_FLIPPED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known in front of a launch: its ``scalars``, the ``contents`` of arrays (None: memory into which nothing
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


def ranges_of(launch: For, facts: Facts) -> Ranges:
    """Of one launch, the loop over blocks ``launch``."""
    found: Ranges | None = None
    for _ in range(PASSES):
        walk = _Pass(launch, facts, found)
        walk.statement(launch)
        if found is not None and walk.ranges.scalars == found.scalars and walk.ranges.stored == found.stored:
            break
        found = walk.ranges
    return walk.ranges


class _Pass:
    def __init__(self, launch: For, facts: Facts, before: Ranges | None) -> None:
        self.ranges = Ranges()
        self._facts, self._before = facts, before
        self._written = {name for inner in statements(launch) for name in written_arrays(inner)}
        self._own: set[str] = set()  # arrays that the launch itself allocates
        self._sizes = dict(facts.sizes)
        self._known = dict(facts.scalars)  # what is known of scalars at this place

    # --------------------------------------------------------------------------------------------- statements

    def statement(self, statement: Stmt) -> None:
        match statement:
            case Block(statements=inner):
                for one in inner:
                    self.statement(one)
            case Declare(name=name, dtype=dtype, value=value):
                self._assigned(name, dtype, self.value(value))
            case Assign(name=name, value=value, reduce=reduce):
                self._reduced(name, value, reduce)
            case Store(array=array, index=index, value=value, reduce=reduce):
                found = self.value(value)
                self._at(array, index)
                self._stored(array, found if reduce is None else _whole(array.dtype))
            case Search():
                self._search(statement)
            case For(variable=variable, lower=lower, upper=upper, body=body):
                first, end = self.value(lower), self.value(upper)
                with self._loop(body):
                    self._assigned(variable, "int64", Interval(first.low, max(first.high, end.high)))
                    self._known[variable] = Interval(first.low, max(first.low, end.high - 1))
                    self.statement(body)
            case While(condition=condition, body=body):
                with self._loop(body):
                    self.value(condition)
                    self._hold(condition, True)
                    self.statement(body)
                if not _breaks(body):
                    self._hold(condition, False)
            case If():
                self._conditional(statement)
            case Single(body=body):
                with self._branch():
                    self.statement(body)
                self._forget(body)
            case Fill(array=array, size=size, value=value):
                self.value(size)
                self._stored(array, self.value(value))
            case Allocate(array=array, size=size, zero=zero):
                self._sizes[array.name] = self.value(size).high
                self._own.add(array.name)
                if zero:
                    self._stored(array, exactly(0))
            case Sort(lower=lower, upper=upper):
                self.value(lower)
                self.value(upper)
            case Prefetch(index=index):
                self.value(index)
            case Combine(name=name) | CombineRuns(name=name):
                self._assigned(name, "int64", EVERYTHING)
            case Barrier() | Comment() | Break() | Continue():
                pass
            case _:
                raise InternalError(f"a launch has no {type(statement).__name__}")

    def _assigned(self, name: str, dtype: str, value: Interval) -> None:
        if dtype in INTEGERS:
            self.ranges.scalars[name] = joined(self.ranges.scalars.get(name), value)
            self._known[name] = value

    def _reduced(self, name: str, value: Expr, reduce: str | None) -> None:
        dtype, found = dtype_of(value), self.value(value)
        before = self.ranges.scalars.get(name)
        if reduce is None or dtype not in INTEGERS or before is None:
            self._assigned(name, dtype, found if reduce is None else _whole(dtype))
            return
        after = self.value(Binary(reduce, Var(name, dtype), value, dtype))
        if reduce == "+" and found.low >= 0 and after.high < _whole(dtype).high:
            # What only grows is never below what else it is assigned.
            self.ranges.scalars[name] = Interval(before.low, max(before.high, after.high))
            self._known[name] = after
            return
        self._assigned(name, dtype, after)

    def _stored(self, array: Array, value: Interval) -> None:
        if array.dtype in INTEGERS:
            self.ranges.stored[array.name] = joined(self.ranges.stored.get(array.name), value)

    def _search(self, search: Search) -> None:
        lower, upper = self.value(search.lower), self.value(search.upper)
        self.value(search.value)
        last = upper.high - (search.kind is SearchKind.BEFORE)
        self._assigned(search.name, "int64", Interval(lower.low, max(lower.high, last)))

    def _conditional(self, branch: If) -> None:
        self.value(branch.condition)
        for body, holds in ((branch.then, True), (branch.otherwise, False)):
            if body is not None:
                with self._branch():
                    self._hold(branch.condition, holds)
                    self.statement(body)
        self._forget(branch.then)
        self._forget(branch.otherwise)
        if branch.otherwise is None and _leaves(branch.then):
            self._hold(branch.condition, False)

    @contextmanager
    def _branch(self) -> Iterator[None]:
        """What is learnt inside holds there alone."""
        outside = dict(self._known)
        yield
        self._known = outside

    @contextmanager
    def _loop(self, body: Stmt) -> Iterator[None]:
        """Nothing is known of what ``body`` assigns, neither at its start, where it comes back to, nor behind it."""
        self._forget(body)
        with self._branch():
            yield

    def _forget(self, body: Stmt | None) -> None:
        for one in () if body is None else statements(body):
            if isinstance(one, Assign | Combine | CombineRuns):
                self._known.pop(one.name, None)

    # -------------------------------------------------------------------------------------------- expressions

    def value(self, expression: Expr) -> Interval:
        found = self._value(expression)
        if dtype_of(expression) in INTEGERS:
            self.ranges.expressions[expression] = joined(self.ranges.expressions.get(expression), found)
        return found

    def _value(self, expression: Expr) -> Interval:
        dtype = dtype_of(expression)
        match expression:
            case Const(value=value):
                return exactly(value) if isinstance(value, int) else _whole(dtype)
            case Var(name=name):
                return self._scalar(name, dtype)
            case Load(array=array, index=index):
                self._at(array, index)
                return self._content(array)
            case Binary(operator="&&" | "||" as operator, left=left, right=right):
                self.value(left)
                with self._branch():
                    self._hold(left, operator == "&&")
                    self.value(right)
                return TRUTH
            case Binary(operator=operator, left=left, right=right):
                first, second, whole = self.value(left), self.value(right), _whole(dtype)
                found = combined(operator, first, second) if dtype in INTEGERS else whole
                return found if whole.low <= found.low and found.high <= whole.high else whole
            case Unary(operator=operator, operand=operand):
                inner = self.value(operand)
                turned, whole = interval(-inner.high, -inner.low), _whole(dtype)
                fits = operator == "-" and whole.low <= turned.low and turned.high <= whole.high
                return turned if fits else whole
            case Cast(operand=operand):
                inner, whole = self.value(operand), _whole(dtype)
                fits = dtype_of(operand) in INTEGERS | {BOOL} and whole.low <= inner.low and inner.high <= whole.high
                return inner if fits else whole
            case Select(condition=condition, then=then, otherwise=otherwise):
                self.value(condition)
                sides = []
                for side, holds in ((then, True), (otherwise, False)):
                    with self._branch():
                        self._hold(condition, holds)
                        sides.append(self.value(side))
                return joined(*sides)
            case Call(arguments=arguments):
                for argument in arguments:
                    self.value(argument)
                return _whole(dtype)
            case _:
                return _whole(dtype)

    def _scalar(self, name: str, dtype: str) -> Interval:
        known = self._known.get(name)
        if known is not None:
            return known
        assigned = self._before.scalars.get(name) if self._before is not None else None
        return _whole(dtype) if assigned is None else assigned

    def _content(self, array: Array) -> Interval:
        whole = _whole(array.dtype)
        if element_dtype(array) not in INTEGERS or array.role is ArrayRole.VALS:
            return whole
        found = None if array.name in self._own else self._facts.contents.get(array.name, whole)
        if array.name in self._written:
            if self._before is None:
                return whole
            stored = self._before.stored.get(array.name)
            found = found if stored is None else joined(found, stored)
        return whole if found is None else found

    # --------------------------------------------------------------------------------------------- conditions

    def _at(self, array: Array, index: Expr) -> None:
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
        for one, sign, other in ((left, operator, second), (right, _MIRRORED[operator], first)):
            if sign in ("<", "<=", "=="):
                self._at_most(one, other.high - (sign == "<"))
            if sign in (">", ">=", "=="):
                self._at_least(one, other.low + (sign == ">"))

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


def _whole(dtype: str) -> Interval:
    if dtype == BOOL:
        return TRUTH
    return Interval(*integer_range(dtype)) if dtype in INTEGERS and dtype != "uint64" else EVERYTHING


def _leaves(body: Stmt) -> bool:
    """Whether the statement behind ``body`` is reached only around it."""
    while isinstance(body, Block) and body.statements:
        body = body.statements[-1]
    return isinstance(body, Break | Continue)


def _breaks(body: Stmt) -> bool:
    """Whether a ``break`` in ``body`` ends the loop around it."""
    return isinstance(body, Break) or any(_breaks(one) for one in children(body) if not isinstance(one, For | While))
