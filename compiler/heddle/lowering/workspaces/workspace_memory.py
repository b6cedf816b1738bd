"""The memory of workspaces: how large it is, what it starts with, and where it is allocated."""

from __future__ import annotations

from heddle.iteration_graph.algebra.constants import background
from heddle.iteration_graph.graph.gpu_units import GPU_UNITS
from heddle.iteration_graph.graph.nodes import Assign, Where, Workspace
from heddle.iteration_graph.graph.provenance import assignments
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Allocate, Array, Const, Expr, Load, Var
from heddle.loop_ir.walk import subexpressions
from heddle.lowering.environment.compute import typed_constant
from heddle.lowering.environment.elements import extent
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.store import neutral
from heddle.origin import Origin, Role

_ON_THE_STACK = 1024


def start_value(statement: Where, workspace: Workspace) -> Const:
    """What a workspace holds before the producer runs: what is neutral for its reduction, or what its values are where
    all operands are absent."""
    return first_value(assignments(statement.producer)[-1][1], workspace)


def first_value(assign: Assign, workspace: Workspace) -> Const:
    """The same for what ``assign`` computes."""
    if assign.operator == "=":
        return typed_constant(background(assign.target).value, workspace.dtype)
    return neutral(assign.operator, workspace.dtype)


def size_of(environment: LoopEnvironment, workspace: Workspace) -> Expr:
    size: Expr = build.index(1)
    for variable in workspace.variables:
        size = build.mul(size, extent(environment, variable))
    return size


def lives_through_loops(environment: LoopEnvironment, size: Expr) -> bool:
    """Whether memory of ``size`` is allocated once for each worker, not at each use: the size is known that early."""
    sizes = {dimension.name for dimension in environment.kernel.dimensions.values() if isinstance(dimension, Var)}
    early = all(not isinstance(p, Load) and (not isinstance(p, Var) or p.name in sizes) for p in subexpressions(size))
    return early and not any(tag.unit in GPU_UNITS for _, tag in environment.nest.parallel)


def allocate(environment: LoopEnvironment, array: Array, size: Expr, zero: bool) -> None:
    """Small arrays of constant size, and those of GPU units, here; others once per worker, where their size is known
    that early."""
    allocation = Allocate(array, size, Origin(Role.INIT, None, array.tensor), zero)
    constant = build.constant(size)
    if (constant is not None and constant <= _ON_THE_STACK and not zero) or not lives_through_loops(environment, size):
        environment.emit(allocation)
        return
    owners = environment.worker.allocations if environment.worker is not None else environment.kernel.allocations
    if all(not isinstance(other, Allocate) or other.array != array for other in owners):
        owners.append(allocation)
