"""Sums to which a loop over lanes applies a function are stored for that loop once, so that registers can hold them.

``H(i,f) = relu(sum(j, A(i,j) * Z(j,f)))`` adds up a tile of ``f`` in a workspace, and reads it in a loop that calls
``relu``. Vectors have no functions: for that loop alone the workspace would stay an array, to which each addition goes
through memory. A copy of the sums, made when all are there, leaves the workspace to loops that vectors can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    Allocate,
    Array,
    ArrayRole,
    Block,
    Const,
    Expr,
    For,
    Function,
    Load,
    LoopKind,
    Stmt,
    Store,
    Var,
)
from heddle.loop_ir.passes.lane_analysis import LaneLoop
from heddle.loop_ir.passes.vectorize_workspaces import arrays_of, vector_lanes
from heddle.loop_ir.rebuild import map_children, map_expressions, map_operands
from heddle.loop_ir.walk import all_names, all_statements, expressions, statements, subexpressions, written_arrays
from heddle.names import Names


def store_sums(function: Function) -> Function:
    """A function that computes the same."""
    if not any(isinstance(statement, For) and _is_over_lanes(statement) for statement in all_statements(function)):
        return function
    body = _statement(function.body, Names(all_names(function)))
    assert isinstance(body, Block)
    return function if body is function.body else replace(function, body=body)


def _statement(statement: Stmt, names: Names) -> Stmt:
    nested = map_children(statement, lambda child: _statement(child, names))
    if not isinstance(nested, Block):
        return nested
    for number, inner in enumerate(nested.statements):
        if isinstance(inner, Allocate):
            rest = nested.statements[number + 1 :]
            stored = _store(inner, rest, names)
            if stored is not None:
                return _statement(Block((*nested.statements[:number], *stored)), names)
    return nested


def _store(allocate: Allocate, rest: Sequence[Stmt], names: Names) -> list[Stmt] | None:
    """``allocate`` and the statements after it with copies; None where they would make no vector of the workspace, or
    where no loop adds to it."""
    array = allocate.array
    if vector_lanes(allocate, rest) is not None or not any(_adds_in_a_loop(statement, array) for statement in rest):
        return None
    copy = Array(names.fresh(array.name), array.dtype, ArrayRole.WORKSPACE)
    new_rest: list[Stmt] = []
    for statement in rest:
        if isinstance(statement, For) and _reads_for_a_function(statement, array, allocate.size):
            lane = names.fresh("lane")
            store = Store(copy, Var(lane), Load(array, Var(lane)), statement.origin)
            new_rest.append(
                For(lane, build.index(0), statement.upper, store, statement.origin, kind=LoopKind.CPU_VECTOR)
            )
            statement = _read_copy(statement, array, copy)
        new_rest.append(statement)
    if vector_lanes(allocate, new_rest) is None:
        return None
    return [replace(allocate, array=copy, zero=False), allocate, *new_rest]


def _is_over_lanes(loop: For) -> bool:
    return loop.kind is LoopKind.CPU_VECTOR


def _adds_in_a_loop(statement: Stmt, array: Array) -> bool:
    """Whether a loop repeats additions to ``array``: a register saves nothing where each element is written once."""
    return any(
        isinstance(inner, For) and not _is_over_lanes(inner) and array.name in _written_inside(inner)
        for inner in statements(statement)
    )


def _written_inside(statement: Stmt) -> set[str]:
    return {name for inner in statements(statement) for name in written_arrays(inner)}


def _reads_for_a_function(loop: For, array: Array, size: Expr) -> bool:
    """Whether the loop over all lanes only reads ``array``, at the lane, and computes what vectors cannot."""
    if not _is_over_lanes(loop) or array.name not in arrays_of(loop) or array.name in _written_inside(loop):
        return False
    if loop.lower != Const(0) or loop.upper != size or loop.private or LaneLoop(loop).sound:
        return False
    loads = [
        part
        for statement in statements(loop)
        for value in expressions(statement)
        for part in subexpressions(value)
        if isinstance(part, Load) and part.array == array
    ]
    return all(load.index == Var(loop.variable) for load in loads)


def _read_copy(loop: For, array: Array, copy: Array) -> For:
    def value(expression: Expr) -> Expr:
        inner = map_operands(expression, value)
        return replace(inner, array=copy) if isinstance(inner, Load) and inner.array == array else inner

    def statement(inner: Stmt) -> Stmt:
        return map_expressions(map_children(inner, statement), value)

    return replace(loop, body=statement(loop.body))
