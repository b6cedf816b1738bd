"""GPU functions of loop IR with every reduction of a dtype: atomic updates, and combinations of threads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heddle.loop_ir.dtypes import FLOATS, INTEGERS, reduction_identity
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Allocate,
    Array,
    ArrayRole,
    Assign,
    Barrier,
    Block,
    Combine,
    CombineRuns,
    Const,
    Declare,
    For,
    Function,
    GroupScope,
    If,
    Load,
    MemorySpace,
    Parameter,
    ParameterKind,
    Single,
    Stmt,
    Store,
    Var,
)
from tests.compiler.loop_ir.gpu_kernels import HERE, N, add, below, blocks, one, threads, times, warps

OPERATORS = {
    dtype: ("&&", "||") if dtype == BOOL else ("+", "*", "min", "max") for dtype in sorted(INTEGERS | FLOATS | {BOOL})
}
COUNT = 203  # no multiple of a block
KEYS = np.repeat([0, 1, 0, 4, 5, 3], [1, 33, 30, 64, 70, 5]).astype(np.int32)
ROOM = 12  # elements of the result for each launch
AT = Var("at")


@dataclass(frozen=True)
class Case:
    """All launches of a dtype in one function. ``y`` holds the neutral values before, ``expected`` all results."""

    function: Function
    x: np.ndarray
    y: np.ndarray
    expected: np.ndarray


def case(dtype: str) -> Case:
    """Each operator has its own values in ``x`` and each way to reduce its own room in ``y``."""
    launches: list[Stmt] = []
    operands, before, after = [], [], []
    for number, operator in enumerate(OPERATORS[dtype]):
        x = values(operator, dtype)
        operands.append(x)
        for launch, groups in _Ways(operator, dtype, number * COUNT).all(len(launches)):
            launches.append(launch)
            expected = np.full(ROOM, _neutral(operator, dtype).value).astype(dtype)
            before.append(expected.copy())
            for place, group in groups.items():
                expected[place] = _reduced(operator, x[group])
            after.append(expected)
    return Case(_kernel(dtype, *launches), *(np.concatenate(parts) for parts in (operands, before, after)))


def values(operator: str, dtype: str) -> np.ndarray:
    """Values whose reduction is exact in any order and stays within a signed byte."""
    generator = np.random.default_rng(3)
    if operator == "*":
        factors = np.ones(COUNT)
        factors[[5, 40, 41, 100]] = 2
        return factors.astype(dtype)
    if dtype == BOOL:
        return generator.random(COUNT) < (0.02 if operator == "||" else 0.98)
    low, high = (0, 1) if dtype.startswith("u") else (-1, 1)
    scale = 1 if operator == "+" or dtype in ("int8", "uint8") else 50
    return (generator.integers(low, high, COUNT, endpoint=True) * scale).astype(dtype)


def _reduced(operator: str, data: np.ndarray) -> object:
    function = {"+": np.add, "*": np.multiply, "min": np.minimum, "max": np.maximum, "&&": np.logical_and}
    return function.get(operator, np.logical_or).reduce(data, dtype=data.dtype)


def _neutral(operator: str, dtype: str) -> Const:
    return Const(reduction_identity(operator, dtype), dtype)


def _array(name: str, dtype: str) -> Array:
    return Array(name, dtype, ArrayRole.VALS, name)


def _kernel(dtype: str, *body: Stmt) -> Function:
    x, y = _array("x", dtype), _array("y", dtype)
    keys = Array("keys", "int32", ArrayRole.CRD, "x", 1)
    parameters = (
        Parameter(ParameterKind.DIMENSION, "n", INDEX, "x", None, 0),
        Parameter(ParameterKind.ARRAY, "y", dtype, "y", y, None, True),
        Parameter(ParameterKind.ARRAY, "x", dtype, "x", x),
        Parameter(ParameterKind.ARRAY, "keys", "int32", "x", keys),
    )
    return Function("kernel", parameters, Block(body))


Groups = dict[int, slice | np.ndarray]


class _Ways:
    """The launches that reduce with one operator; x[start] is the first of their values."""

    def __init__(self, operator: str, dtype: str, start: int) -> None:
        self.operator, self.dtype, self.start = operator, dtype, start
        self.y = _array("y", dtype)
        self.value = Load(_array("x", dtype), add(Const(start), AT))
        self.total = Var("total", dtype)
        self.declare = Declare("total", dtype, _neutral(operator, dtype), HERE, mutable=True)

    def all(self, first: int) -> Iterator[tuple[For, Groups]]:
        everything: Groups = {3: slice(None)}
        rows = {row: slice(32 * row, 32 * row + 32) for row in range(-(-COUNT // 32))}
        blocks_of_60 = {block: slice(60 * block, 60 * block + 60) for block in range(-(-COUNT // 60))}
        keys: Groups = {int(key): np.flatnonzero(key == KEYS) for key in np.unique(KEYS)}
        ways = (self._atomic, self._atomic_in_shared, self._warps, self._blocks, self._runs)
        groups: tuple[Groups, ...] = (everything, everything, {**rows}, {**blocks_of_60}, keys)
        for number, (way, parts) in enumerate(zip(ways, groups, strict=True)):
            yield way((first + number) * ROOM), parts

    def _atomic(self, room: int) -> For:
        """All threads update one element."""
        update = Store(self.y, Const(room + 3), self.value, HERE, self.operator, True)
        return blocks(threads(64, _at(64, Var("b")), below(N, AT, update)), count=Const(-(-COUNT // 64)))

    def _atomic_in_shared(self, room: int) -> For:
        """The threads of a block update an element of shared memory, then one of them the result."""
        part = Array("part", self.dtype, ArrayRole.WORKSPACE)
        update = Store(part, Const(1), self.value, HERE, self.operator, True)
        give = Store(self.y, Const(room + 3), Load(part, Const(1)), HERE, self.operator, True)
        return blocks(
            Allocate(part, Const(3), HERE, space=MemorySpace.SHARED),
            one(GroupScope.BLOCK, Store(part, Const(1), _neutral(self.operator, self.dtype), HERE)),
            Barrier(GroupScope.BLOCK, HERE),
            threads(64, _at(64, Var("b")), below(N, AT, update)),
            Barrier(GroupScope.BLOCK, HERE),
            one(GroupScope.BLOCK, give),
            count=Const(-(-COUNT // 64)),
        )

    def _blocks(self, room: int) -> For:
        """Blocks of 60 threads combine theirs."""
        return blocks(
            self.declare,
            threads(60, _at(60, Var("b")), below(N, AT, self._take())),
            Combine("total", self.operator, GroupScope.BLOCK, HERE),
            self._give(GroupScope.BLOCK, room, Var("b")),
            count=Const(-(-COUNT // 60)),
        )

    def _warps(self, room: int) -> For:
        """Each of two warps combines its own."""
        row = add(times(Var("b"), Const(2)), Var("w"))
        body = (
            self.declare,
            threads(32, _at(32, row), below(N, AT, self._take())),
            Combine("total", self.operator, GroupScope.WARP, HERE),
            below(Const(-(-COUNT // 32)), row, self._give(GroupScope.WARP, room, row)),
        )
        return blocks(warps(2, *body), count=Const(-(-COUNT // 64)))

    def _runs(self, room: int) -> For:
        """Neighbours with equal keys are combined; each run of a warp gives its share atomically."""
        row = add(times(Var("b"), Const(2)), Var("w"))
        take = (Assign("key", Load(Array("keys", "int32", ArrayRole.CRD, "x", 1), AT), HERE), self._take())
        give = Store(self.y, add(Const(room), Var("key")), self.total, HERE, self.operator, True)
        body = (
            self.declare,
            Declare("key", INDEX, Const(99), HERE, mutable=True),
            threads(32, _at(32, row), below(N, AT, *take)),
            CombineRuns("total", "key", "head", self.operator, HERE),
            threads(32, If(Var("head", BOOL), Block((below(Const(99), Var("key"), give),)), HERE), variable="u"),
        )
        return blocks(warps(2, *body), count=Const(-(-COUNT // 64)))

    def _take(self) -> Assign:
        return Assign("total", self.value, HERE)

    def _give(self, scope: GroupScope, room: int, place: Var) -> Single:
        return one(scope, Store(self.y, add(Const(room), place), self.total, HERE))


def _at(size: int, group: Var) -> Declare:
    return Declare("at", INDEX, add(times(group, Const(size)), Var("t")), HERE)


def uneven_warps() -> Function:
    """Warp w of block b combines w + b + 1 times: warps of one block go different ways."""
    y = _array("y", "float64")
    row = add(times(Var("b"), Const(2)), Var("w"))
    turn = (
        Declare("total", "float64", Const(1.0, "float64"), HERE, mutable=True),
        Combine("total", "+", GroupScope.WARP, HERE),
        one(GroupScope.WARP, Store(y, row, Var("total", "float64"), HERE, "+")),
    )
    loop = For("k", Const(0), add(add(Var("w"), Var("b")), Const(1)), Block(turn), HERE)
    lanes = threads(32, Declare("unused", INDEX, Var("t"), HERE))
    clear = one(GroupScope.WARP, Store(y, row, Const(0.0, "float64"), HERE))
    return _kernel("float64", blocks(warps(2, clear, loop, lanes), count=Const(3)))
