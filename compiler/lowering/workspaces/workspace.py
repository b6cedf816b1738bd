"""Workspaces: what a producer computes for a consumer (docs/sources.md T31).

A scalar; an array over the ranges of some loops; such an array with the list of the coordinates that were written,
which the consumer then iterates as if it were a sparse vector; or a hash map from the coordinates of several dimensions
(``mapped.py``).
"""

from __future__ import annotations

from collections.abc import Callable

from compiler.formats.levels.level import LevelStorage
from compiler.formats.levels.touched import TOUCHED
from compiler.iteration_graph.graph.nodes import Statement, Where, Workspace, WorkspaceKind
from compiler.iteration_graph.graph.provenance import assignments
from compiler.loop_ir import build
from compiler.loop_ir.nodes import INDEX, Assign, Block, Declare, Expr, Fill, For, If, Sort, Stmt, Store, Var
from compiler.lowering.environment.destination import ScalarDestination
from compiler.lowering.environment.elements import position_in
from compiler.lowering.environment.kernel import Phase
from compiler.lowering.environment.loop_environment import LoopEnvironment
from compiler.lowering.environment.store import added, declare_value, store
from compiler.lowering.workspaces.appended_rows import bound, gathered, in_any_order, needs_order, placed, store_placed
from compiler.lowering.workspaces.hash_workspace import lower_mapped, store_mapped
from compiler.lowering.workspaces.workspace_memory import allocate, size_of, start_value
from compiler.notation.nodes import Access
from compiler.origin import Origin, Role

Lower = Callable[[LoopEnvironment, Statement], None]


def lower_where(scope: LoopEnvironment, statement: Where, lower: Lower) -> None:
    """The producer, then the consumer. While coordinates are counted, only what decides them is computed."""
    name = assignments(statement.producer)[-1][1].target.tensor
    workspace = scope.kernel.graph.workspaces[name]
    scope.workspace_parallel[name] = len(scope.parallel)
    counting = scope.kernel.phase is Phase.COUNT
    if workspace.kind is WorkspaceKind.LISTED:
        _lower_listed(scope, statement, workspace, lower)
        return
    if workspace.kind is WorkspaceKind.MAPPED:
        lower_mapped(scope, statement, workspace, lower)
        return
    if not counting:
        producer = scope.producing()
        origin = Origin(Role.INIT, None, name)
        if not workspace.variables:
            scope.emit(Declare(name, workspace.dtype, start_value(statement, workspace), origin, mutable=True))
            scalar = scope.scalars[name] = producer.scalars[name] = Var(name, workspace.dtype)
            producer.destinations[name] = ScalarDestination(scalar)
            lower(producer, statement.producer)
        else:
            values, size = scope.kernel.workspaces[name].values, size_of(scope, workspace)
            allocate(scope, values, size, False)
            lower(producer, statement.producer)
            if name in scope.kernel.partly_written:
                scope.emit(Fill(values, size, start_value(statement, workspace), origin))
        scope.items += producer.items
    lower(scope, statement.consumer)


def _lower_listed(scope: LoopEnvironment, statement: Where, workspace: Workspace, lower: Lower) -> None:
    """Coordinates are listed when they are first written; what was written is unmarked behind the consumer."""
    kernel, name = scope.kernel, workspace.name
    arrays, size = kernel.workspaces[name], size_of(scope, workspace)
    counting = kernel.phase is Phase.COUNT
    count = Var(arrays.count)
    kernel.storages[name, 1] = LevelStorage(name, 1, TOUCHED.name, size, crd=arrays.listed, count=count)
    if counting and kernel.one_pass and bound(scope, statement, workspace, lower):
        return
    if kernel.given and gathered(scope, statement, workspace, lower):
        return
    if not counting and not kernel.given and placed(scope, statement, workspace, lower):
        return
    allocate(scope, arrays.marked, size, True)
    allocate(scope, arrays.listed, size, False)
    if not counting:
        allocate(scope, arrays.values, size, False)
    origin = Origin(Role.ASSEMBLY, None, name)
    scope.emit(Declare(count.name, INDEX, build.index(0), origin, mutable=True))
    producer = scope.producing()
    lower(producer, statement.producer)
    scope.items += producer.items
    free = counting or in_any_order(scope, statement.consumer, workspace)
    if not free or needs_order(scope, statement.consumer, workspace):
        scope.emit(Sort(arrays.listed, build.index(0), count, origin))
    lower(scope, statement.consumer)
    with kernel.names.scope():
        index = Var(kernel.names.fresh(f"{name}_position"))
        at = build.load(arrays.listed, index, (index.name,))
        clear = Store(arrays.marked, at, build.FALSE, origin)
        scope.emit(For(index.name, build.index(0), count, Block((clear,)), origin))


def store_in(scope: LoopEnvironment, target: Access, value: Expr, operator: str) -> None:
    """Write or add ``value`` in a workspace array; a listed one notes the coordinate."""
    workspace = scope.kernel.graph.workspaces.get(target.tensor)
    match workspace.kind if workspace is not None else None:
        case WorkspaceKind.LISTED:
            _store_listed(scope, target, position_in(scope, target), value, operator)
        case WorkspaceKind.MAPPED:
            store_mapped(scope, target, position_in(scope, target), value, operator)
        case _:
            store(scope, target, value, operator)


def _store_listed(scope: LoopEnvironment, target: Access, position: Expr, value: Expr, operator: str) -> None:
    """The first write to a coordinate stores the value, lists the coordinate and marks it; later ones add."""
    kernel, arrays = scope.kernel, scope.kernel.workspaces[target.tensor]
    origin = Origin(Role.ASSEMBLY, None, target.tensor)
    path = target.indices
    count = Var(arrays.count)
    if target.tensor in kernel.gathered:
        store(scope, target, value, operator)
        return
    if target.tensor in kernel.placed:
        store_placed(scope, target, position, value, operator)
        return
    if target.tensor in kernel.bounded:
        scope.emit(Assign(count.name, build.index(1), origin, reduce="+"))
        return
    first: list[Stmt] = [
        Store(arrays.marked, position, build.TRUE, origin, path=path),
        Store(arrays.listed, count, position, origin, path=(count.name,)),
        Assign(count.name, build.index(1), origin, reduce="+"),
    ]
    later: Block | None = None
    if kernel.phase is Phase.FILL:
        made, compute = declare_value(scope, target, value)
        first.append(Store(arrays.values, position, made, compute, path=path))
        later = Block((added(Store(arrays.values, position, made, compute, path=path), operator),))
    fresh = build.negate(build.load(arrays.marked, position, path))
    scope.emit(If(fresh, Block(tuple(first)), origin, later))
