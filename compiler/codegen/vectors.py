"""Which workspaces of C kernels are kept in vector registers, and which loops compute with them (spec PERFORMANCE).

A workspace of a constant number of elements whose every use is a loop over vector lanes, element by element, becomes
named vectors of gcc's vector extension: an array would be left in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compiler.loop_ir.dtypes import dtype_of
from compiler.loop_ir.nodes import (
    INDEX,
    Allocate,
    Array,
    Binary,
    Block,
    Const,
    Declare,
    Expr,
    Fill,
    For,
    Load,
    LoopKind,
    Stmt,
    Store,
    Unary,
    Var,
)
from compiler.loop_ir.walk import children, expressions, statements, subexpressions, written_arrays

BYTES = 64
"""Of one vector; compilers cut it where registers are narrower."""
MOST_VECTORS = 16
_ITEM_BYTES = {"float32": 4, "float64": 8, "int32": 4}  # int64 scalars are indices


@dataclass(frozen=True, slots=True)
class Tile:
    """``size`` elements of ``array`` in vectors of ``lanes``."""

    array: Array
    size: int
    lanes: int

    @property
    def count(self) -> int:
        return self.size // self.lanes


def tile_of(allocate: Allocate, rest: Sequence[Stmt]) -> Tile | None:
    """The tile of a workspace that the statements ``rest`` behind it use; None where it must be an array."""
    array = allocate.array
    if not isinstance(allocate.size, Const) or array.dtype not in _ITEM_BYTES:
        return None
    size = int(allocate.size.value.real)
    lanes = BYTES // _ITEM_BYTES[array.dtype]
    while lanes > 1 and size % lanes:
        lanes //= 2
    if size < 2 or lanes < 2 or size // lanes > MOST_VECTORS:
        return None
    computes = any(
        isinstance(one, For) and one.kind is LoopKind.CPU_VECTOR and array.name in arrays_of(one)
        for statement in rest
        for one in statements(statement)
    )
    return Tile(array, size, lanes) if computes and all(_keeps(one, array, size) for one in rest) else None


def _keeps(statement: Stmt, array: Array, size: int) -> bool:
    """Whether ``statement`` uses the array only as a whole."""
    if array.name not in arrays_of(statement):
        return True
    match statement:
        case Fill(size=Const(value=count)):
            return count == size
        case For(kind=LoopKind.CPU_VECTOR):
            return _is_by_lanes(statement, size)
        case _ if array.name in _own(statement):
            return False
        case _:
            return all(_keeps(child, array, size) for child in children(statement))


def arrays_of(statement: Stmt) -> set[str]:
    """The arrays that a statement and those inside it use."""
    return {name for inner in statements(statement) for name in _own(inner)}


def _own(statement: Stmt) -> set[str]:
    """The arrays that a statement itself uses."""
    loaded = {part.array.name for e in expressions(statement) for part in subexpressions(e) if isinstance(part, Load)}
    return loaded | set(written_arrays(statement))


def _is_by_lanes(loop: For, size: int) -> bool:
    """Whether the loop is straight-line code in which lane ``v`` touches element ``base + v`` of each array."""
    if loop.lower != Const(0) or loop.upper != Const(size) or loop.reductions or loop.private:
        return False
    lanes = Lanes(loop)
    return lanes.sound


class Lanes:
    """How the scalars and subscripts of a loop body follow the lane: not at all, one by one, or otherwise."""

    def __init__(self, loop: For) -> None:
        self.variable = loop.variable
        self.body = loop.body.statements if isinstance(loop.body, Block) else (loop.body,)
        self._steps: dict[str, int | None] = {loop.variable: 1}
        self.vectors: set[str] = set()
        """Scalars of the body that hold another value in each lane."""
        self._stored = {name for one in self.body for name in written_arrays(one)}
        self.dtype = next((one.array.dtype for one in self.body if isinstance(one, Store)), None)
        self.sound = self.dtype in _ITEM_BYTES and all(self._takes(one) for one in self.body)

    def step(self, index: Expr) -> int | None:
        """What an index grows by from lane to lane, where that is 0 or 1; None otherwise."""
        match index:
            case Const():
                return 0
            case Var(name=name):
                return self._steps.get(name, 0)
            case Binary(operator="+", left=left, right=right):
                steps = self.step(left), self.step(right)
                return None if None in steps or sum(steps) > 1 else sum(steps)  # type: ignore[arg-type]
            case Binary(operator="-", left=left, right=right):
                return self.step(left) if self.step(right) == 0 else None
            case Load(array=array, index=inner):
                return 0 if self.step(inner) == 0 and array.name not in self._stored else None
            case Binary(left=left, right=right):
                return 0 if self.step(left) == 0 and self.step(right) == 0 else None
            case _:
                return None

    def is_scalar(self, value: Expr) -> bool:
        """Whether all lanes have the same value."""
        return not any(isinstance(part, Var) and part.name in self.vectors for part in subexpressions(value)) and all(
            self.step(part) == 0 for part in subexpressions(value) if isinstance(part, Var | Load)
        )

    def _takes(self, statement: Stmt) -> bool:
        match statement:
            case Declare(name=name, dtype=dtype, value=value, mutable=False):
                if dtype == INDEX:
                    self._steps[name] = self.step(value)
                    return self._steps[name] is not None
                if not self.is_scalar(value):
                    self.vectors.add(name)
                return dtype == self.dtype and self._computes(value)
            case Store(index=index, value=value, array=array, reduce=reduce, atomic=False):
                plain = reduce in (None, "+", "*") and array.dtype == self.dtype
                return plain and self.step(index) == 1 and self._computes(value)
            case _:
                return False

    def _computes(self, value: Expr) -> bool:
        """Whether the value is of the one dtype, made by operations that vectors have."""
        if dtype_of(value) != self.dtype:
            return False
        if self.is_scalar(value):
            return True
        match value:
            case Var():
                return True
            case Load(index=index):
                return self.step(index) == 1
            case Binary(operator="+" | "-" | "*" | "/", left=left, right=right):
                integer = self.dtype == "int32"
                return not (integer and value.operator == "/") and self._computes(left) and self._computes(right)
            case Unary(operator="-", operand=operand):
                return self._computes(operand)
            case _:
                return False
