"""Where the integers of a launch can lie, from the sizes of its operands: intervals for every scalar and expression.

Abstract interpretation in a few passes. The first pass knows nothing of the scalars that the launch assigns; each
further one reads them as what the pass before it found them to be assigned, so that every pass is sound on its own and
none is wider than the one before. Within a pass, conditions narrow what they compare, and so does memory: an element
that is read or written exists, since kernels never leave their arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from heddle.diagnostics import InternalError
from heddle.loop_ir.analysis.index_knowledge import Facts, Knowledge, Ranges, whole_range
from heddle.loop_ir.analysis.intervals import EVERYTHING, Interval, exactly, join
from heddle.loop_ir.dtypes import INTEGERS, dtype_of
from heddle.loop_ir.nodes import (
    Allocate,
    Array,
    Assign,
    Barrier,
    Binary,
    Block,
    Break,
    Combine,
    CombineRuns,
    Comment,
    Continue,
    Declare,
    Expr,
    Fill,
    For,
    If,
    Insert,
    Prefetch,
    Search,
    SearchKind,
    Single,
    Sort,
    Stmt,
    Store,
    Var,
    While,
)
from heddle.loop_ir.walk import children, statements

PASSES = 5


def ranges_of(launch: For, facts: Facts) -> Ranges:
    """Of one launch, the loop over blocks ``launch``."""
    ranges: Ranges | None = None
    for _ in range(PASSES):
        walk = _Pass(launch, facts, ranges)
        walk.statement(launch)
        if ranges is not None and walk.ranges.scalars == ranges.scalars and walk.ranges.stored == ranges.stored:
            break
        ranges = walk.ranges
    return walk.ranges


class _Pass(Knowledge):
    """Walks the statements in order; what each assigns or stores is kept in ``ranges``."""

    def statement(self, statement: Stmt) -> None:
        match statement:
            case Block(statements=inner):
                for child in inner:
                    self.statement(child)
            case Declare(name=name, dtype=dtype, value=value):
                self._assign(name, dtype, self.value(value))
            case Assign(name=name, value=value, reduce=reduce):
                self._reduce(name, value, reduce)
            case Store(array=array, index=index, value=value, reduce=reduce):
                bounds = self.value(value)
                self._exists(array, index)
                self._store(array, bounds if reduce is None else whole_range(array.dtype))
            case Search():
                self._search(statement)
            case For(variable=variable, lower=lower, upper=upper, body=body):
                first, end = self.value(lower), self.value(upper)
                with self._loop(body):
                    self._assign(variable, "int64", Interval(first.low, max(first.high, end.high)))
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
                self._store(array, self.value(value))
            case Allocate(array=array, size=size, zero=zero):
                self._sizes[array.name] = self.value(size).high
                self._launch_arrays.add(array.name)
                if zero:
                    self._store(array, exactly(0))
            case Sort(lower=lower, upper=upper):
                self.value(lower)
                self.value(upper)
            case Insert(name=name, keys=keys, lower=lower, room=room, key=key):
                self.value(lower)
                self._store(keys, self.value(key))
                self._assign(name, "int64", Interval(0, max(0, self.value(room).high - 1)))
            case Prefetch(index=index):
                self.value(index)
            case Combine(name=name) | CombineRuns(name=name):
                self._assign(name, "int64", EVERYTHING)
            case Barrier() | Comment() | Break() | Continue():
                pass
            case _:
                raise InternalError(f"a launch has no {type(statement).__name__}")

    def _assign(self, name: str, dtype: str, value: Interval) -> None:
        if dtype in INTEGERS:
            self.ranges.scalars[name] = join(self.ranges.scalars.get(name), value)
            self._known[name] = value

    def _reduce(self, name: str, value: Expr, reduce: str | None) -> None:
        dtype, bounds = dtype_of(value), self.value(value)
        before = self.ranges.scalars.get(name)
        if reduce is None or dtype not in INTEGERS or before is None:
            self._assign(name, dtype, bounds if reduce is None else whole_range(dtype))
            return
        after = self.value(Binary(reduce, Var(name, dtype), value, dtype))
        if reduce == "+" and bounds.low >= 0 and after.high < whole_range(dtype).high:
            # What only grows is never below what else it is assigned.
            self.ranges.scalars[name] = Interval(before.low, max(before.high, after.high))
            self._known[name] = after
            return
        self._assign(name, dtype, after)

    def _store(self, array: Array, value: Interval) -> None:
        if array.dtype in INTEGERS:
            self.ranges.stored[array.name] = join(self.ranges.stored.get(array.name), value)

    def _search(self, search: Search) -> None:
        lower, upper = self.value(search.lower), self.value(search.upper)
        self.value(search.value)
        last = upper.high - (search.kind is SearchKind.BEFORE)
        self._assign(search.name, "int64", Interval(lower.low, max(lower.high, last)))

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
    def _loop(self, body: Stmt) -> Iterator[None]:
        """Nothing is known about what ``body`` assigns, neither at its start, where it comes back to, nor after it."""
        self._forget(body)
        with self._branch():
            yield

    def _forget(self, body: Stmt | None) -> None:
        for statement in () if body is None else statements(body):
            if isinstance(statement, Assign | Combine | CombineRuns):
                self._known.pop(statement.name, None)


def _leaves(body: Stmt) -> bool:
    """Whether the statement after ``body`` is reached only around it."""
    while isinstance(body, Block) and body.statements:
        body = body.statements[-1]
    return isinstance(body, Break | Continue)


def _breaks(body: Stmt) -> bool:
    """Whether a ``break`` in ``body`` ends the loop around it."""
    return isinstance(body, Break) or any(
        _breaks(child) for child in children(body) if not isinstance(child, For | While)
    )
