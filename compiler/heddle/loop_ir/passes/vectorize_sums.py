"""Sums whose terms are gathered become vectors: a loop over lanes that adds to one scalar.

``y_sum += A_vals[jA] * x_vals[A2_crd[jA]]`` takes eight steps of ``jA`` at once. Where instructions mask vectors, lanes
after the last step load nothing and add 0; elsewhere the steps that do not fill a vector follow one by one. Compilers
left to themselves vectorize neither.
"""

from __future__ import annotations

from dataclasses import replace

from heddle.loop_ir import build
from heddle.loop_ir.dtypes import FLOATS, vector_dtype
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    ArrayRole,
    Assign,
    Block,
    Broadcast,
    Const,
    Declare,
    Expr,
    For,
    Function,
    If,
    LaneRange,
    LaneSum,
    Load,
    LoopKind,
    Stmt,
    Var,
    VectorMasks,
)
from heddle.loop_ir.passes.lane_analysis import LaneLoop
from heddle.loop_ir.passes.lane_vectors import LaneVectors
from heddle.loop_ir.rebuild import map_children
from heddle.loop_ir.walk import all_names, all_statements
from heddle.names import Names
from heddle.origin import Role

LANES = 8


def vectorize_sums(function: Function) -> Function:
    """A function that adds the same numbers."""
    if not any(
        isinstance(statement, For) and statement.kind is LoopKind.CPU_VECTOR for statement in all_statements(function)
    ):
        return function
    names = Names(all_names(function))

    def rewrite(statement: Stmt) -> Stmt:
        if isinstance(statement, For) and statement.kind is LoopKind.CPU_VECTOR:
            vector_sum = _sum_of(statement)
            return statement if vector_sum is None else _in_vectors(statement, *vector_sum, names)
        return map_children(statement, rewrite)

    body = rewrite(function.body)
    assert isinstance(body, Block)
    return function if body is function.body else replace(function, body=body)


def _sum_of(loop: For) -> tuple[LaneLoop, Assign] | None:
    """The one sum of floating-point numbers that a loop over lanes makes, where it gathers."""
    if len(loop.reductions) != 1 or loop.private:
        return None
    lanes = LaneLoop(loop)
    sums = [statement for statement in lanes.body if isinstance(statement, Assign)]
    if not lanes.sound or not lanes.loaded or lanes.dtype not in FLOATS or len(sums) != 1:
        return None
    (total,) = sums
    others = all(isinstance(statement, Declare) for statement in lanes.body if statement is not total)
    return (lanes, total) if others and not lanes.is_scalar(total.value) else None


def _in_vectors(loop: For, lanes: LaneLoop, total: Assign, names: Names) -> Block:
    """The sum of each lane, over all steps; then that of the lanes."""
    assert lanes.dtype is not None
    sums, mask_name = names.fresh(f"{total.name}_lanes"), names.fresh("kept")
    dtype, mask = vector_dtype(lanes.dtype, LANES), vector_dtype(BOOL, LANES)
    to_go = build.sub(loop.upper, Var(loop.variable))
    masked = LaneVectors(lanes, LANES, frozenset(), Var(loop.variable), Var(mask_name, mask))
    declared = Declare(mask_name, mask, LaneRange(build.index(0), to_go, LANES), loop.origin)
    in_masks = _steps(loop, masked, total, sums, (declared,))

    bounds = replace(loop.origin, role=Role.BOUNDS)
    begin, behind = names.fresh(f"{loop.variable}_begin"), names.fresh(f"{loop.variable}_full")
    length = build.sub(loop.upper, Var(begin))
    if not _is_segment(loop.lower, loop.upper):
        length = build.maximum(length, build.index(0))
    full = build.add(Var(begin), build.mul(build.floor_divide(length, build.index(LANES)), build.index(LANES)))
    whole = LaneVectors(lanes, LANES, frozenset(), Var(loop.variable))
    in_full = Block(
        (
            Declare(begin, INDEX, loop.lower, bounds),
            Declare(behind, INDEX, full, bounds),
            _steps(replace(loop, lower=Var(begin), upper=Var(behind)), whole, total, sums, ()),
            replace(loop, lower=Var(behind), kind=LoopKind.SERIAL, reductions=()),
        )
    )
    return Block(
        (
            Declare(sums, dtype, Broadcast(Const(0, lanes.dtype), LANES), total.origin, mutable=True),
            If(VectorMasks(), Block((in_masks,)), loop.origin, in_full),
            Assign(total.name, LaneSum(Var(sums, dtype)), total.origin, "+"),
        )
    )


def _is_segment(lower: Expr, upper: Expr) -> bool:
    """Whether the bounds are neighbours in an array of positions, so that the upper one is not below the lower one."""
    match lower, upper:
        case Load(array=first, index=index), Load(array=second, index=behind):
            same = first == second and first.role is ArrayRole.POS
            return same and behind == build.add(index, build.index(1))
        case _:
            return False


def _steps(loop: For, vectors: LaneVectors, total: Assign, sums: str, first: tuple[Stmt, ...]) -> For:
    """The loop, eight steps at a time; ``first`` is what a step starts with."""
    inside = list(first)
    for statement in vectors.loop.body:
        if statement is total:
            inside.append(Assign(sums, vectors.summand(total.value), total.origin, "+"))
        else:
            inside.append(vectors.statement(statement))
    body = vectors.lanes(inside, loop.origin)
    return For(loop.variable, loop.lower, loop.upper, body, loop.origin, step=LANES, merge=loop.merge)
