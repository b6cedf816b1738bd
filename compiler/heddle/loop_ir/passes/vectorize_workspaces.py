"""Workspaces of a constant size that lanes compute with become vectors, which registers hold.

An array would be left in memory. Every use of such a workspace is a loop over vector lanes, element by element: these
loops become statements of vectors as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heddle.loop_ir import build
from heddle.loop_ir.dtypes import vector_dtype
from heddle.loop_ir.nodes import (
    Allocate,
    Array,
    Assign,
    Block,
    Broadcast,
    Const,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    If,
    Load,
    LoopKind,
    Stmt,
)
from heddle.loop_ir.passes.lane_analysis import ITEM_BYTES, LaneLoop, split_tests
from heddle.loop_ir.passes.lane_vectors import LaneVectors, with_tests, within_bounds
from heddle.loop_ir.rebuild import map_children
from heddle.loop_ir.walk import (
    all_names,
    all_statements,
    children,
    expressions,
    loaded_arrays,
    statements,
    subexpressions,
    written_arrays,
)
from heddle.names import Names

MOST_BYTES = 1024
"""Of one vector: all registers of AVX-512 have twice as many."""


def vectorize_workspaces(function: Function) -> Function:
    """A function that computes the same."""
    if not any(
        isinstance(statement, For) and statement.kind is LoopKind.CPU_VECTOR for statement in all_statements(function)
    ):
        return function
    body = _Rewriter(Names(all_names(function))).block(function.body, frozenset())
    return function if body is function.body else replace(function, body=body)


class _Rewriter:
    def __init__(self, names: Names) -> None:
        self._names = names

    def block(self, block: Block, vectors: frozenset[str]) -> Block:
        """``vectors`` are the workspaces around that are vectors."""
        statements: list[Stmt] = []
        starts: dict[str, Fill] = {}
        for number, statement in enumerate(block.statements):
            if isinstance(statement, Fill) and statement is starts.get(statement.array.name):
                continue
            if isinstance(statement, Allocate):
                vectors = vectors - {statement.array.name}
                lanes = vector_lanes(statement, block.statements[number + 1 :])
                if lanes is not None:
                    vectors = vectors | {statement.array.name}
                    dtype = vector_dtype(statement.array.dtype, lanes)
                    value: Expr = Const(0, statement.array.dtype)
                    start = _start(statement.array, block.statements[number + 1 :])
                    if start is not None:
                        starts[statement.array.name], value = start, start.value
                    first = Broadcast(value, lanes)
                    statements.append(Declare(statement.array.name, dtype, first, statement.origin, mutable=True))
                    continue
            statements.append(self._statement(statement, vectors))
        same = len(statements) == len(block.statements) and all(
            new is old for new, old in zip(statements, block.statements, strict=True)
        )
        return block if same else Block(tuple(statements))

    def _statement(self, statement: Stmt, vectors: frozenset[str]) -> Stmt:
        match statement:
            case Block():
                return self.block(statement, vectors)
            case Fill(array=array, size=Const(value=int() as size), value=value, origin=origin) if (
                array.name in vectors
            ):
                return Assign(array.name, Broadcast(value, size), origin)
            case For(kind=LoopKind.CPU_VECTOR) if vectors & arrays_of(statement):
                return self._lanes(statement, vectors)
            case _:
                return map_children(statement, lambda child: self._statement(child, vectors))

    def _lanes(self, loop: For, vectors: frozenset[str]) -> Stmt:
        lanes, count = LaneLoop(loop), build.constant(loop.upper)
        assert count is not None
        lane_vectors = LaneVectors(lanes, count, vectors, build.index(0))
        scalars: list[Stmt] = []
        groups: list[Stmt] = []
        inside: list[Stmt] = []
        for statement in lanes.body:
            match statement:
                case If():
                    conditions, _ = split_tests(statement)
                    fresh = self._names.fresh("kept")
                    if all(lanes.masks(condition) for condition in conditions):
                        inside += with_tests(lane_vectors, statement, fresh)
                        continue
                    groups += [lane_vectors.lanes(inside, loop.origin)] if inside else []
                    groups.append(within_bounds(lane_vectors, statement, fresh))
                    inside = []
                case Declare(name=name) if name not in lanes.vectors and name not in lanes.loaded:
                    scalars.append(lane_vectors.statement(statement))
                case _:
                    inside.append(lane_vectors.statement(statement))
        if not groups:
            return lane_vectors.lanes([*scalars, *inside], loop.origin)
        return Block((*scalars, *groups, *([lane_vectors.lanes(inside, loop.origin)] if inside else [])))


def _start(array: Array, rest: Sequence[Stmt]) -> Fill | None:
    """What fills a workspace after its allocation, where other workspaces alone are set up in between."""
    for statement in rest:
        match statement:
            case Fill(array=filled) if filled == array:
                return statement
            case Fill(value=Const()) | Allocate():
                continue
            case _:
                return None
    return None


def vector_lanes(allocate: Allocate, rest: Sequence[Stmt]) -> int | None:
    """The lanes of the vector that a workspace can be which the statements ``rest`` after it use; None where it must
    be an array."""
    array = allocate.array
    if not isinstance(allocate.size, Const) or array.dtype not in ITEM_BYTES:
        return None
    size = int(allocate.size.value.real)
    if size < 2 or size % 2 or size * ITEM_BYTES[array.dtype] > MOST_BYTES:
        return None
    computes = any(
        isinstance(inner, For) and inner.kind is LoopKind.CPU_VECTOR and array.name in arrays_of(inner)
        for statement in rest
        for inner in statements(statement)
    )
    return size if computes and all(_keeps(statement, array, size) for statement in rest) else None


def _keeps(statement: Stmt, array: Array, size: int) -> bool:
    """Whether ``statement`` uses the array only as a whole."""
    if array.name not in arrays_of(statement):
        return True
    match statement:
        case Fill(size=Const(value=count)):
            return count == size
        case For(kind=LoopKind.CPU_VECTOR):
            return _is_by_lanes(statement, array, size)
        case _ if array.name in _list_direct_arrays(statement):
            return False
        case _:
            return all(_keeps(child, array, size) for child in children(statement))


def arrays_of(statement: Stmt) -> set[str]:
    """The arrays that a statement and those inside it use."""
    return {name for inner in statements(statement) for name in _list_direct_arrays(inner)}


def _list_direct_arrays(statement: Stmt) -> set[str]:
    """The arrays that a statement itself uses."""
    return {*loaded_arrays(statement), *written_arrays(statement)}


def _is_by_lanes(loop: For, array: Array, size: int) -> bool:
    """Whether the loop is straight-line code in which lane ``v`` touches element ``base + v`` of each array, and does
    not read one element of ``array`` in all lanes: a register has no subscripts."""
    if loop.lower != Const(0) or loop.upper != Const(size) or loop.reductions or loop.private:
        return False
    lanes = LaneLoop(loop)
    reads = (
        part for statement in statements(loop) for whole in expressions(statement) for part in subexpressions(whole)
    )
    return lanes.sound and all(
        lanes.step(part.index) == 1 for part in reads if isinstance(part, Load) and part.array.name == array.name
    )
