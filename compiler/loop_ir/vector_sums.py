"""Sums whose terms are gathered become vectors: a loop over lanes that adds to one scalar (spec PERFORMANCE, SpMV).

``y_sum += A_vals[jA] * x_vals[A2_crd[jA]]`` takes eight steps of ``jA`` at once; lanes behind the last one load
nothing and add 0. Compilers left to themselves load such elements one by one.
"""

from __future__ import annotations

from dataclasses import replace

from compiler.loop_ir import build
from compiler.loop_ir.dtypes import FLOATS, vector_dtype
from compiler.loop_ir.lane_loops import LaneLoop
from compiler.loop_ir.lane_statements import LaneVectors
from compiler.loop_ir.nodes import (
    BOOL,
    Assign,
    Block,
    Broadcast,
    Const,
    Declare,
    For,
    Function,
    LaneRange,
    LaneSum,
    LoopKind,
    Stmt,
    Var,
)
from compiler.loop_ir.rebuild import map_children
from compiler.loop_ir.walk import declared_names, statements
from compiler.names import Names

LANES = 8


def vector_sums(function: Function) -> Function:
    """A function that adds the same numbers."""
    taken = {parameter.name for parameter in function.parameters}
    taken.update(name for one in statements(function.body) for name in declared_names(one))
    names = Names(taken)

    def rewritten(statement: Stmt) -> Stmt:
        if isinstance(statement, For) and statement.kind is LoopKind.CPU_VECTOR:
            found = _sum_of(statement)
            return statement if found is None else _in_vectors(statement, *found, names)
        return map_children(statement, rewritten)

    body = rewritten(function.body)
    assert isinstance(body, Block)
    return function if body is function.body else replace(function, body=body)


def _sum_of(loop: For) -> tuple[LaneLoop, Assign] | None:
    """The one sum of floating-point numbers that a loop over lanes makes, where it gathers."""
    if len(loop.reductions) != 1 or loop.private:
        return None
    lanes = LaneLoop(loop)
    sums = [one for one in lanes.body if isinstance(one, Assign)]
    if not lanes.sound or not lanes.loaded or lanes.dtype not in FLOATS or len(sums) != 1:
        return None
    (total,) = sums
    others = all(isinstance(one, Declare) for one in lanes.body if one is not total)
    return (lanes, total) if others and not lanes.is_scalar(total.value) else None


def _in_vectors(loop: For, lanes: LaneLoop, total: Assign, names: Names) -> Block:
    """The sum of each lane, over all steps; then that of the lanes."""
    assert lanes.dtype is not None
    sums, kept, origin = names.fresh(f"{total.name}_lanes"), names.fresh("kept"), loop.origin
    dtype, mask = vector_dtype(lanes.dtype, LANES), vector_dtype(BOOL, LANES)
    to_go = build.sub(loop.upper, Var(loop.variable))
    vectors = LaneVectors(lanes, LANES, frozenset(), Var(loop.variable), Var(kept, mask))
    inside: list[Stmt] = [Declare(kept, mask, LaneRange(build.index(0), to_go, LANES), origin)]
    for statement in lanes.body:
        if statement is total:
            inside.append(Assign(sums, vectors.kept(total.value), total.origin, "+"))
        else:
            inside.append(vectors.statement(statement))
    zero = Broadcast(Const(0, lanes.dtype), LANES)
    steps = For(
        loop.variable, loop.lower, loop.upper, vectors.lanes(inside, origin), origin, step=LANES, merge=loop.merge
    )
    return Block(
        (
            Declare(sums, dtype, zero, total.origin, mutable=True),
            steps,
            Assign(total.name, LaneSum(Var(sums, dtype)), total.origin, "+"),
        )
    )
