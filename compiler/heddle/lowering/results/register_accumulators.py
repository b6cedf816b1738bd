"""Several sums of one row side by side in registers, so that its entries are visited once for all of them
(docs/sources.toml G6, G7): one for each iteration of loops of constant extent inside the loop over the entries.

The sums are an array of constant size in the worker's own memory. Loops that are unrolled make registers of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod

from heddle.iteration_graph.graph.gpu_units import uses_gpu
from heddle.iteration_graph.graph.nodes import Assign, Forall, Statement
from heddle.iteration_graph.graph.provenance import assignments, leaves, operand_accesses
from heddle.loop_ir import build
from heddle.loop_ir.dtypes import dtype_of
from heddle.loop_ir.nodes import Allocate, Array, ArrayRole, Declare, Expr, Fill, Load, LoopKind, Store, Var
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.store import is_shared, neutral, written_dtype
from heddle.lowering.environment.values.compute import compute
from heddle.lowering.environment.values.elements import extent, position_in
from heddle.lowering.nest.operand_iterators import iterated_at
from heddle.lowering.nest.range_loops import lower_range_loop
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role

MOST = 32
"""Sums side by side: GenTen's widest block of columns on a CPU (G8). More would not stay in registers."""


@dataclass(frozen=True, slots=True)
class RegisterAccumulators:
    """Sums side by side: ``element`` is that of ``array`` for the current iterations of some loops inside."""

    array: Array
    element: Access
    scalar: Var | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        return self.element.indices

    def store(
        self, environment: LoopEnvironment, target: Access, value: Expr, operator: str, atomic: bool | None
    ) -> None:
        """Into the sum that belongs to the iterations around this place."""
        origin = Origin(Role.REDUCTION, None, target.tensor)
        position = position_in(environment, self.element)
        environment.emit(Store(self.array, position, value, origin, ASSIGNMENTS[operator], path=self.columns))


def find_columns(
    environment: LoopEnvironment, statement: Forall, written: Assign, indices: Sequence[str]
) -> tuple[str, ...] | None:
    """The loops inside ``statement``, around the assignment ``written``, that decide ``indices``, outermost first. None
    where their iterations cannot have a sum each: where they are as many as the data say, too many, or workers'. None
    as well where a CPU adds without atomics: the row is in its cache, and no branch is lost where the next one begins
    (MTTKRP with 10 nonzeros in a row: 1.2 times faster)."""
    graph = environment.kernel.graph
    if not indices:
        return ()
    if not is_shared(environment, written.target) and not uses_gpu(graph):
        return None
    deciding = {leaf for index in indices for leaf in leaves(graph, index)} - environment.context.nest.entered
    inside = next(path[1:] for path, assign in assignments(statement) if assign is written)
    if not deciding <= set(inside) or any(iterated_at(environment, index, statement) for index in indices):
        return None
    columns = tuple(variable for variable in inside if variable in deciding)
    if any(v in graph.parallel and graph.parallel[v].unit is not LoopKind.CPU_VECTOR for v in columns):
        return None
    extents = [build.constant(extent(environment, variable)) for variable in columns]
    sizes = [size for size in extents if size is not None and size > 0]
    return columns if len(sizes) == len(extents) and prod(sizes) <= MOST else None


def declare_accumulators(
    environment: LoopEnvironment, written: Assign, columns: tuple[str, ...], origin: Origin
) -> tuple[RegisterAccumulators, Fill]:
    """Declare the sums, all neutral; and what makes them neutral again."""
    tensor, dtype = written.target.tensor, written_dtype(environment, written.target.tensor)
    array = Array(environment.kernel.names.fresh(f"{tensor}_sum"), dtype, ArrayRole.WORKSPACE, tensor)
    size: Expr = build.index(1)
    for variable in columns:
        size = build.mul(size, extent(environment, variable))
    start = Fill(array, size, neutral(written.operator, dtype), origin)
    environment.emit(Allocate(array, size, origin))
    environment.emit(start)
    return RegisterAccumulators(array, Access(array.name, columns)), start


def for_each_accumulator(
    environment: LoopEnvironment,
    written: Assign,
    sums: RegisterAccumulators,
    body: Callable[[LoopEnvironment, Expr], None],
) -> None:
    """Emit the loops over the columns of ``sums`` around what ``body`` emits for the value of one of them."""

    def lower(inner: LoopEnvironment, statement: Statement) -> None:
        if isinstance(statement, Forall):
            lower_range_loop(inner, statement.variable, statement.body, lower, ())
        else:
            body(inner, Load(sums.array, position_in(inner, sums.element), sums.columns))

    nest: Statement = written
    for variable in reversed(sums.columns):
        nest = Forall(variable, nest)
    lower(environment, nest)


def load_before(environment: LoopEnvironment, statement: Forall) -> None:
    """In front of a loop whose iterations have sums side by side: load what is the same in all of them, once."""
    accumulators = environment.context.accumulators
    if not any(statement.variable in destination.columns for destination in accumulators.destinations.values()):
        return
    values: dict[Access, Var] = {}
    for access in operand_accesses(environment.kernel.graph, statement):
        if (
            not access.indices
            or access in environment.context.accumulators.loaded
            or (access, len(access.indices)) not in environment.positions
        ):
            continue
        value = compute(environment, access)
        name = environment.kernel.names.fresh(f"{access.tensor}_value")
        dtype = dtype_of(value)
        environment.emit(Declare(name, dtype, value, Origin(Role.COMPUTE, None, access.tensor)))
        values[access] = Var(name, dtype)
    environment.set_accumulators(replace(accumulators, loaded={**accumulators.loaded, **values}))
