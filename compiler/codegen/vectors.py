"""Which workspaces of C kernels are kept in vector registers, and which loops compute with them (spec PERFORMANCE).

A workspace of a constant number of elements whose every use is a loop over vector lanes, element by element, becomes
named vectors of gcc's vector extension: an array would be left in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compiler.codegen.lanes import ITEM_BYTES, Lanes
from compiler.loop_ir.nodes import Allocate, Array, Const, Fill, For, LoopKind, Stmt
from compiler.loop_ir.walk import children, loaded_arrays, statements, written_arrays

BYTES = 64
"""Of one vector; compilers cut it where registers are narrower."""
MOST_VECTORS = 16


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
    if not isinstance(allocate.size, Const) or array.dtype not in ITEM_BYTES:
        return None
    size = int(allocate.size.value.real)
    lanes = BYTES // ITEM_BYTES[array.dtype]
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
    return {*loaded_arrays(statement), *written_arrays(statement)}


def _is_by_lanes(loop: For, size: int) -> bool:
    """Whether the loop is straight-line code in which lane ``v`` touches element ``base + v`` of each array."""
    if loop.lower != Const(0) or loop.upper != Const(size) or loop.reductions or loop.private:
        return False
    return Lanes(loop).sound
