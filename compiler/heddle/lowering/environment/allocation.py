"""Where memory that a kernel needs while it runs is allocated: at its use, or once for each worker."""

from __future__ import annotations

from heddle.iteration_graph.graph.gpu_units import GPU_UNITS
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Allocate, Array, Expr, Load, Var
from heddle.loop_ir.walk import subexpressions
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.origin import Origin, Role

_ON_THE_STACK = 1024


def lives_through_loops(environment: LoopEnvironment, size: Expr) -> bool:
    """Whether memory of ``size`` is allocated once for each worker, not at each use: the size is known that early."""
    sizes = {dimension.name for dimension in environment.kernel.dimensions.values() if isinstance(dimension, Var)}
    early = all(not isinstance(p, Load) and (not isinstance(p, Var) or p.name in sizes) for p in subexpressions(size))
    return early and not any(tag.unit in GPU_UNITS for _, tag in environment.context.nest.parallel)


def allocate(environment: LoopEnvironment, array: Array, size: Expr, zero: bool) -> None:
    """Small arrays of constant size, and those of GPU units, here; others once per worker, where their size is known
    that early."""
    allocation = Allocate(array, size, Origin(Role.INIT, None, array.tensor), zero)
    constant = build.constant(size)
    if (constant is not None and constant <= _ON_THE_STACK and not zero) or not lives_through_loops(environment, size):
        environment.emit(allocation)
        return
    worker = environment.context.worker
    owners = worker.allocations if worker is not None else environment.kernel.allocations
    if all(not isinstance(other, Allocate) or other.array != array for other in owners):
        owners.append(allocation)
