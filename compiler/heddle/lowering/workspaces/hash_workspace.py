"""Hash workspaces: values whose coordinates come in any order, collected under one key for all their dimensions.

The keys are sorted behind the producer, so that the consumer visits the coordinates in the order of the result's levels
and appends them (transposes, loops in another order than the result is stored; docs/sources.toml T34).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.formats.levels.level import LevelStorage
from heddle.formats.levels.workspaces.mapped import MAPPED
from heddle.iteration_graph.graph.nodes import Where, Workspace
from heddle.iteration_graph.graph.provenance import assignments
from heddle.loop_ir import build
from heddle.loop_ir.dtypes import reduction_identity
from heddle.loop_ir.nodes import (
    BOOL,
    AllocateMap,
    ClearMap,
    Expr,
    If,
    Map,
    MapSize,
    Require,
    Slot,
    SortMap,
    Stmt,
    Store,
    Var,
)
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.environment.values.elements import extent, position_in
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import Access, accesses
from heddle.origin import Origin, Role

_LARGEST_KEY = 2**62


@dataclass(frozen=True, slots=True)
class KeyedValues:
    """The coordinates are the keys of ``map``."""

    map: Map
    columns: tuple[str, ...] = ()
    scalar: Var | None = None

    def store(
        self, environment: LoopEnvironment, target: Access, value: Expr, operator: str, atomic: bool | None
    ) -> None:
        """A new key has the value zero; where that is not neutral, the first value is stored as it is. Counting only
        notes the key."""
        names, key = environment.kernel.names, position_in(environment, target)
        with names.scope():
            slot = Var(names.fresh(f"{target.tensor}_slot"))
            reduce = None if operator == "=" else ASSIGNMENTS[operator]
            starts_apart = reduce is not None and reduction_identity(reduce, self.map.dtype) != 0
            apart = not environment.context.counting and starts_apart
            new = names.fresh(f"{target.tensor}_new") if apart else None
            environment.emit(Slot(slot.name, self.map, key, Origin(Role.ASSEMBLY, None, target.tensor), new))
            if environment.context.counting:
                return
            origin = Origin(Role.REDUCTION if reduce else Role.COMPUTE, None, target.tensor)
            store: Stmt = Store(self.map.vals, slot, value, origin, reduce, path=target.indices)
            if new is not None:
                first = Store(self.map.vals, slot, value, origin, path=target.indices)
                store = If(Var(new, BOOL), first, origin, otherwise=store)
            environment.emit(store)


def lower_mapped(environment: LoopEnvironment, statement: Where, workspace: Workspace, lower: LowerStatement) -> None:
    """The producer fills the map; then its keys are sorted and the consumer walks them like a COO tensor. Outside of
    all loops the map that the first pass filled serves the second one, too."""
    kernel, name = environment.kernel, workspace.name
    arrays, origin = kernel.workspaces[name], Origin(Role.ASSEMBLY, None, name)
    owners = environment.context.worker.allocations if environment.context.worker is not None else kernel.allocations
    allocation = AllocateMap(arrays.map, origin)
    if allocation not in owners:
        owners.append(allocation)
    _require_keys(environment, workspace)
    outside = kernel.output.counts and not environment.context.nest.entered
    persistent = outside and not _reads_workspaces(environment, statement)
    if environment.context.counting or not persistent:
        producer = environment.producer_child()
        if persistent and environment.context.counting:
            producer.context = replace(producer.context, kind=KernelKind.EVALUATE)
        producer.redirect(name, KeyedValues(arrays.map))
        lower(producer, statement.producer)
        environment.builder.extend(producer.builder.items)
        environment.emit(SortMap(arrays.map, origin))
    count = environment.declare(arrays.count, MapSize(arrays.map), origin)
    stride: Expr = build.index(1)
    for number, variable in reversed(list(enumerate(workspace.variables, start=1))):
        size = extent(environment, variable)
        kernel.storages[name, number] = LevelStorage(
            name,
            number,
            MAPPED.name,
            size,
            crd=arrays.map.keys,
            repeats=number < len(workspace.variables),
            count=count,
            stride=stride,
        )
        stride = build.mul(stride, size)
    lower(environment, statement.consumer)
    if not (persistent and environment.context.counting):
        environment.emit(ClearMap(arrays.map, origin))


def _reads_workspaces(environment: LoopEnvironment, statement: Where) -> bool:
    """Whether the producer needs values that the first pass does not compute."""
    read = (access for _, assign in assignments(statement.producer) for access in accesses(assign.expression))
    return any(access.tensor in environment.kernel.graph.workspaces for access in read)


def _require_keys(environment: LoopEnvironment, workspace: Workspace) -> None:
    """Two dimensions always fit a key of 64 bits; more are checked, dividing so that nothing overflows."""
    kernel, sizes = environment.kernel, [extent(environment, variable) for variable in workspace.variables]
    if len(sizes) <= 2 or not environment.context.counting:
        return
    room: Expr = build.index(_LARGEST_KEY)
    for size in sizes[1:]:
        room = build.floor_divide(room, build.maximum(size, build.index(1)))
    names = " × ".join(workspace.variables)
    text = f"the coordinates ({names}) that {workspace.name} collects have more than 2^62 combinations"
    origin = Origin(Role.BOUNDS, None, workspace.name)
    kernel.requirements.append(Require(build.compare("<=", sizes[0], room), len(kernel.requirements) + 1, text, origin))
