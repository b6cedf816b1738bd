"""The statements of a loop over lanes as statements of vectors: all of its lanes, or eight at a time."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from heddle.diagnostics import InternalError
from heddle.loop_ir import build
from heddle.loop_ir.dtypes import vector_dtype
from heddle.loop_ir.nodes import (
    BOOL,
    Assign,
    Binary,
    Block,
    Broadcast,
    Cast,
    Declare,
    Expr,
    Gather,
    If,
    Keep,
    LaneRange,
    Lanes,
    Load,
    Scatter,
    Stmt,
    Store,
    Unary,
    Var,
    VectorLoad,
    VectorStore,
)
from heddle.loop_ir.passes.lane_analysis import LaneLoop, split_tests
from heddle.origin import Origin


class LaneVectors:
    """Turns what one loop computes into vectors of ``count`` lanes, whose first is the iteration ``first``.

    ``vectors`` are the workspaces that are vectors themselves. With a ``mask`` only its lanes are computed;
    ``masks_loads``: the elements of the others must not even be loaded.
    """

    def __init__(
        self,
        loop: LaneLoop,
        count: int,
        vectors: frozenset[str],
        first: Expr,
        mask: Expr | None = None,
        *,
        masks_loads: bool = True,
    ) -> None:
        self.loop, self.count = loop, count
        self._vectors, self._first = vectors, first
        self._mask, self._masks_loads = mask, masks_loads

    def where(self, mask: Expr, *, loads: bool) -> LaneVectors:
        """The same in the lanes of a mask."""
        return LaneVectors(self.loop, self.count, self._vectors, self._first, mask, masks_loads=loads)

    def lanes(self, statements: list[Stmt], origin: Origin) -> Lanes:
        return Lanes(self.loop.variable, self.count, Block(tuple(statements)), origin)

    def statement(self, statement: Stmt) -> Stmt:
        """A statement without a test."""
        loop = self.loop
        match statement:
            case Declare(name=name, origin=origin) if name in loop.loaded:
                array, index = loop.loaded[name].array, self.first(loop.loaded[name].index)
                load = VectorLoad(array, index, self.count, self._mask if self._masks_loads else None)
                return Declare(name, vector_dtype(array.dtype, self.count), load, origin)
            case Declare(name=name, dtype=dtype, value=value, origin=origin) if name in loop.vectors:
                return Declare(name, vector_dtype(dtype, self.count), self.value(value), origin)
            case Declare(value=value):
                return replace(statement, value=self.first(value))
            case Store(array=array, index=index, value=value, reduce=reduce, origin=origin, path=path):
                summand = self.summand(value)
                if array.name in self._vectors:
                    return Assign(array.name, summand, origin, reduce)
                if isinstance(index, Var) and index.name in loop.loaded:
                    return Scatter(array, self._indices(index.name), summand, origin, reduce)
                return VectorStore(array, self.first(index), summand, origin, reduce, path)
            case _:
                raise InternalError(f"no vectors for {statement!r}")

    def value(self, value: Expr) -> Expr:
        if self.loop.is_scalar(value):
            return Broadcast(self.first(value), self.count)
        match value:
            case Var(name=name, dtype=dtype):
                return Var(name, vector_dtype(dtype, self.count))
            case Load(array=array) if array.name in self._vectors:
                return Var(array.name, vector_dtype(array.dtype, self.count))
            case Load(array=array, index=Var(name=name)) if name in self.loop.loaded:
                return Gather(array, self._indices(name), self._mask)
            case Load(array=array, index=index, path=path):
                mask = self._mask if self._masks_loads else None
                return VectorLoad(array, self.first(index), self.count, mask, path)
            case Binary(operator=operator, left=left, right=right, dtype=dtype):
                return Binary(operator, self.value(left), self.value(right), vector_dtype(dtype, self.count))
            case Unary(operator=operator, operand=operand, dtype=dtype):
                return Unary(operator, self.value(operand), vector_dtype(dtype, self.count))
            case _:
                raise InternalError(f"no vector for {value!r}")

    def summand(self, value: Expr) -> Expr:
        """What a lane adds: 0 where a mask leaves it out."""
        return self.value(value) if self._mask is None else self._keep_lanes(value)

    def _keep_lanes(self, value: Expr) -> Expr:
        """The value in the lanes of the mask, 0 in the others: a product is 0 where all of its factors are."""
        assert self._mask is not None
        match value:
            case Load(index=index) if not self.loop.is_scalar(value) and (
                self._masks_loads or self.loop.is_gathered(index)
            ):
                return self.value(value)
            case Binary(operator="*", left=left, right=right, dtype=dtype) if not (
                self.loop.is_scalar(left) or self.loop.is_scalar(right)
            ):
                return Binary("*", self._keep_lanes(left), self._keep_lanes(right), vector_dtype(dtype, self.count))
            case _:
                return Keep(self.value(value), self._mask)

    def first(self, value: Expr) -> Expr:
        """A value, or a subscript, in the first of all lanes."""
        return build.substitute(value, {self.loop.variable: self._first})

    def at_lane(self, value: Expr, lane: int) -> Expr:
        """A value in one lane."""
        values: dict[str, Expr] = {name: build.add(Var(name), build.index(lane)) for name in self.loop.growing}
        return build.substitute(value, {**values, self.loop.variable: build.add(self._first, build.index(lane))})

    def _indices(self, name: str) -> Expr:
        return Var(name, vector_dtype("int32", self.count))


def with_tests(vectors: LaneVectors, statement: If, fresh: str) -> list[Stmt]:
    """A sum where tests of loaded subscripts hold: what says which lanes they keep, in ``fresh``, and the sum."""
    conditions, store = split_tests(statement)
    assert store is not None
    dtype = vector_dtype(BOOL, vectors.count)
    tests: list[Expr] = []
    for condition in conditions:
        assert isinstance(condition, Binary)
        assert isinstance(condition.left, Var)
        bound = Broadcast(Cast(vectors.first(condition.right), "int32"), vectors.count)
        left = Var(condition.left.name, vector_dtype("int32", vectors.count))
        tests.append(Binary(condition.operator, left, bound, dtype))
    mask = reduce(lambda first, second: Binary("&&", first, second, dtype), tests)
    active_lanes = vectors.where(Var(fresh, dtype), loads=False)
    return [Declare(fresh, dtype, mask, statement.origin), active_lanes.statement(store)]


def within_bounds(vectors: LaneVectors, statement: If, fresh: str) -> Stmt:
    """A sum where tests of growing subscripts hold: for all lanes where they do at both ends, else for those between.

    Tests of what all lanes share stand around both.
    """
    conditions, store = split_tests(statement)
    assert store is not None
    origin, dtype = statement.origin, vector_dtype(BOOL, vectors.count)
    tests = [condition for condition in conditions if isinstance(condition, Binary)]
    growing = [test for test in tests if vectors.loop.step(test.left) == 1]
    whole: Stmt = vectors.lanes([vectors.statement(store)], origin)
    if growing:
        declared = Declare(fresh, dtype, _between(vectors, growing), origin)
        active_lanes = vectors.where(Var(fresh, dtype), loads=True)
        tail = active_lanes.lanes([declared, active_lanes.statement(store)], origin)
        every, some = (
            build.both(*(vectors.at_lane(test, _end(test, vectors.count, first_to_fail=fails)) for test in growing))
            for fails in (True, False)
        )
        whole = If(every, Block((whole,)), origin, If(some, Block((tail,)), origin))
    shared = [vectors.first(test) for test in tests if test not in growing]
    return If(build.both(*shared), Block((whole,)), origin) if shared else whole


def _between(vectors: LaneVectors, tests: list[Binary]) -> LaneRange:
    """The lanes that pass all of the tests."""
    low: list[Expr] = []
    high: list[Expr] = []
    for test in tests:
        to_go = build.sub(vectors.first(test.right), vectors.first(test.left))
        behind = build.add(to_go, build.index(1)) if test.operator in ("<=", ">") else to_go
        (high if test.operator.startswith("<") else low).append(behind)
    return LaneRange(
        reduce(build.maximum, low) if low else build.index(0),
        reduce(build.minimum, high) if high else build.index(vectors.count),
        vectors.count,
    )


def _end(test: Binary, count: int, *, first_to_fail: bool) -> int:
    """The lane that is the first, or the last, to fail a test of what grows."""
    return count - 1 if test.operator.startswith("<") == first_to_fail else 0
