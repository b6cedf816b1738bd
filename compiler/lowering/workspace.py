"""Workspaces: what a producer computes for a consumer (paper 000 §5; FEATURES T31).

A scalar; an array over the ranges of some loops; such an array with the list of the coordinates that were written,
which the consumer then iterates as if it were a sparse vector; or a hash map from the coordinates of several dimensions
(``mapped.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from compiler.formats.levels.level import LevelStorage
from compiler.formats.levels.touched import TOUCHED
from compiler.iteration_graph.algebra import background
from compiler.iteration_graph.assembly import Appended, Group
from compiler.iteration_graph.gpu_units import GPU_UNITS
from compiler.iteration_graph.nodes import Assign as Assignment
from compiler.iteration_graph.nodes import Forall, Statement, Where, Workspace, WorkspaceKind
from compiler.iteration_graph.provenance import assignments, leaves, level_variables, reads
from compiler.loop_ir import build
from compiler.loop_ir.nodes import (
    INDEX,
    Allocate,
    Array,
    Assign,
    Block,
    Const,
    Declare,
    Expr,
    Fill,
    For,
    If,
    Load,
    Sort,
    Stmt,
    Store,
    Var,
)
from compiler.loop_ir.walk import subexpressions
from compiler.lowering.compute import typed_constant
from compiler.lowering.elements import extent, position_in
from compiler.lowering.kernel import Phase
from compiler.lowering.mapped import lower_mapped, store_mapped
from compiler.lowering.scope import Scope
from compiler.lowering.store import neutral, store
from compiler.lowering.walks import merge_lattice
from compiler.notation.functions import ASSIGNMENTS
from compiler.notation.nodes import Access
from compiler.origin import Origin, Role

Lower = Callable[[Scope, Statement], None]
_ON_THE_STACK = 1024


def lower_where(scope: Scope, statement: Where, lower: Lower) -> None:
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
        producer = scope.inside()
        producer.covers, producer.counters, producer.found = True, None, None
        origin = Origin(Role.INIT, None, name)
        if not workspace.variables:
            scope.emit(Declare(name, workspace.dtype, _start(statement, workspace), origin, mutable=True))
            scope.scalars[name] = producer.scalars[name] = Var(name, workspace.dtype)
            lower(producer, statement.producer)
        else:
            values, size = scope.kernel.workspaces[name].values, _size(scope, workspace)
            _allocate(scope, values, size, False)
            lower(producer, statement.producer)
            if name in scope.kernel.partly_written:
                scope.emit(Fill(values, size, _start(statement, workspace), origin))
        scope.items += producer.items
    lower(scope, statement.consumer)


def _start(statement: Where, workspace: Workspace) -> Const:
    """What a workspace holds before the producer runs: what is neutral for its reduction, or what its values are where
    all operands are absent."""
    assign = assignments(statement.producer)[-1][1]
    if assign.operator == "=":
        return typed_constant(background(assign.target).value, workspace.dtype)
    return neutral(assign.operator, workspace.dtype)


def _size(scope: Scope, workspace: Workspace) -> Expr:
    size: Expr = build.index(1)
    for variable in workspace.variables:
        size = build.mul(size, extent(scope, variable))
    return size


def _allocate(scope: Scope, array: Array, size: Expr, zero: bool) -> None:
    """Small arrays of constant size, and those of GPU units, here; others once per worker, where their size is known
    that early."""
    made = Allocate(array, size, Origin(Role.INIT, None, array.tensor), zero)
    constant = build.constant(size)
    kernel = scope.kernel
    on_gpu = any(tag.unit in GPU_UNITS for _, tag in scope.parallel)
    if on_gpu or (constant is not None and constant <= _ON_THE_STACK and not zero):
        scope.emit(made)
        return
    sizes = {dimension.name for dimension in kernel.dimensions.values() if isinstance(dimension, Var)}
    early = all(not isinstance(p, Load) and (not isinstance(p, Var) or p.name in sizes) for p in subexpressions(size))
    if not early:
        scope.emit(made)
        return
    owners = scope.private if scope.private is not None else kernel.allocations
    if all(not isinstance(other, Allocate) or other.array != array for other in owners):
        owners.append(made)


def _lower_listed(scope: Scope, statement: Where, workspace: Workspace, lower: Lower) -> None:
    """Coordinates are listed when they are first written; what was written is unmarked behind the consumer."""
    kernel, name = scope.kernel, workspace.name
    arrays, size = kernel.workspaces[name], _size(scope, workspace)
    counting = kernel.phase is Phase.COUNT
    count = Var(arrays.count)
    kernel.storages[name, 1] = LevelStorage(name, 1, TOUCHED.name, size, crd=arrays.listed, count=count)
    if counting and kernel.one_pass and _bound(scope, statement, workspace, lower):
        return
    if kernel.given and _gathered(scope, statement, workspace, lower):
        return
    _allocate(scope, arrays.marked, size, True)
    _allocate(scope, arrays.listed, size, False)
    if not counting:
        _allocate(scope, arrays.values, size, False)
    origin = Origin(Role.ASSEMBLY, None, name)
    scope.emit(Declare(count.name, INDEX, build.index(0), origin, mutable=True))
    producer = scope.inside()
    producer.covers, producer.counters, producer.found = True, None, None
    lower(producer, statement.producer)
    scope.items += producer.items
    in_any_order = counting or _in_any_order(scope, statement.consumer, workspace)
    if not in_any_order or _needs_order(scope, statement.consumer, workspace):
        scope.emit(Sort(arrays.listed, build.index(0), count, origin))
    lower(scope, statement.consumer)
    with kernel.names.scope():
        index = Var(kernel.names.fresh(f"{name}_position"))
        at = build.load(arrays.listed, index, (index.name,))
        clear = Store(arrays.marked, at, build.FALSE, origin)
        scope.emit(For(index.name, build.index(0), count, Block((clear,)), origin))


def _bound(scope: Scope, statement: Where, workspace: Workspace, lower: Lower) -> bool:
    """A bound on what the consumer will append: every write of the producer, as if none met another one, but no more
    than the workspace has places. False where the consumer does more than to append the list."""
    kernel, group = scope.kernel, _appended_to(scope, statement.consumer, workspace)
    if group is None:
        return False
    assert scope.counters is not None
    origin = Origin(Role.ASSEMBLY, None, workspace.name)
    count = Var(kernel.workspaces[workspace.name].count)
    scope.emit(Declare(count.name, INDEX, build.index(0), origin, mutable=True))
    producer = scope.inside()
    producer.covers, producer.counters, producer.found = True, None, None
    kernel.bounded.add(workspace.name)
    lower(producer, statement.producer)
    kernel.bounded.remove(workspace.name)
    scope.items += producer.items
    most = build.minimum(count, _size(scope, workspace))
    scope.emit(Assign(scope.counters[group.first].name, most, origin, reduce="+"))
    return True


def _appended_to(scope: Scope, consumer: Statement, workspace: Workspace) -> Group | None:
    """The group of levels to which the consumer appends the list as it is; None where it does more than that."""
    kernel, plan = scope.kernel, scope.kernel.assembly
    if not isinstance(plan, Appended) or scope.counters is None or not isinstance(consumer, Forall):
        return None
    group = plan.groups[0]
    listed = level_variables(kernel.graph, plan.target)[group.last - 1]
    appends = isinstance(consumer.body, Assignment) and consumer.variable == listed and group.first == group.last
    return group if appends and not _needs_order(scope, consumer, workspace) else None


def _gathered(scope: Scope, statement: Where, workspace: Workspace, lower: Lower) -> bool:
    """Values are added up in the places of a row's given coordinates and read from there: nothing is listed, sorted or
    unmarked. False where the consumer does more than to append what it reads, and that a whole row."""
    kernel, plan = scope.kernel, scope.kernel.assembly
    group = _appended_to(scope, statement.consumer, workspace)
    if group is None or not isinstance(plan, Appended) or len(plan.groups) > 1:
        return False
    rows = level_variables(kernel.graph, plan.target)[: group.first - 1]
    if not scope.entered <= {leaf for row in rows for leaf in leaves(kernel.graph, row)}:
        return False  # what is collected here is a part of a row
    arrays, name = kernel.workspaces[workspace.name], workspace.name
    result = kernel.storages[kernel.result, group.first]
    assert result.pos is not None
    assert result.crd is not None
    row = scope.position(plan.target, group.first - 1) if group.first > 1 else build.index(0)
    begin, end = build.load(result.pos, row), build.load(result.pos, build.add(row, build.index(1)))
    size = _size(scope, workspace)
    _allocate(scope, arrays.values, size, False)
    kernel.storages[name, 1] = LevelStorage(name, 1, TOUCHED.name, size, crd=result.crd, count=end, begin=begin)
    origin = Origin(Role.INIT, None, name)
    with kernel.names.scope():
        position = Var(kernel.names.fresh(f"{name}_position"))
        at = build.load(result.crd, position, (position.name,))
        start = Store(arrays.values, at, _start(statement, workspace), origin)
        scope.emit(For(position.name, begin, end, Block((start,)), origin))
    producer = scope.inside()
    producer.covers, producer.counters, producer.found = True, None, None
    kernel.gathered.add(name)
    lower(producer, statement.producer)
    scope.items += producer.items
    lower(scope, statement.consumer)
    return True


def _in_any_order(scope: Scope, consumer: Statement, workspace: Workspace) -> bool:
    """Whether the consumer appends the list as it is to levels that may hold their coordinates in any order."""
    group = _appended_to(scope, consumer, workspace)
    return group is not None and not scope.kernel.graph.signature.result.format.levels[group.first - 1].ordered


def _needs_order(scope: Scope, consumer: Statement, workspace: Workspace) -> bool:
    """Whether the list must be sorted even to count: it is merged with other operands, or searched for tiles."""

    def walked_alone(variable: str) -> bool:
        lattice = merge_lattice(scope, variable, consumer)
        whole = leaves(scope.kernel.graph, variable) == (variable,)
        return whole and len(lattice) == 1 and len(lattice[0].iterators) == 1

    return not all(walked_alone(access.indices[0]) for access in reads(consumer, workspace.name))


def store_in(scope: Scope, target: Access, value: Expr, operator: str) -> None:
    """Write or add ``value`` in a workspace array; a listed one notes the coordinate."""
    match scope.kernel.graph.workspaces[target.tensor].kind:
        case WorkspaceKind.LISTED:
            _store_listed(scope, target, position_in(scope, target), value, operator)
        case WorkspaceKind.MAPPED:
            store_mapped(scope, target, position_in(scope, target), value, operator)
        case _:
            store(scope, target, value, operator)


def _store_listed(scope: Scope, target: Access, position: Expr, value: Expr, operator: str) -> None:
    """The first write to a coordinate stores the value, lists the coordinate and marks it; later ones add."""
    kernel, arrays = scope.kernel, scope.kernel.workspaces[target.tensor]
    origin = Origin(Role.ASSEMBLY, None, target.tensor)
    path = target.indices
    count = Var(arrays.count)
    if target.tensor in kernel.gathered:
        store(scope, target, value, operator)
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
        compute = Origin(Role.COMPUTE, None, target.tensor)
        with kernel.names.scope():
            made = Var(kernel.names.fresh(f"{target.tensor}_value"), kernel.graph.workspaces[target.tensor].dtype)
            scope.emit(Declare(made.name, made.dtype, value, compute))
        first.append(Store(arrays.values, position, made, compute, path=path))
        reduce = None if operator == "=" else ASSIGNMENTS[operator]
        adding = replace(compute, role=Role.REDUCTION) if reduce else compute
        later = Block((Store(arrays.values, position, made, adding, reduce, path=path),))
    fresh = build.negate(build.load(arrays.marked, position, path))
    scope.emit(If(fresh, Block(tuple(first)), origin, later))
