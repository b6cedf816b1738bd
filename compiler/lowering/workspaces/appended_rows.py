"""A workspace whose list the consumer appends to the result as it is, row by row.

Such a row can be bounded before it is made, summed in the result itself where its order is free, or gathered where its
coordinates are given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from compiler.formats.levels.level import LevelStorage
from compiler.formats.levels.touched import TOUCHED
from compiler.iteration_graph.analysis.assembly import Appended, Group
from compiler.iteration_graph.graph.nodes import Assign as Assignment
from compiler.iteration_graph.graph.nodes import Forall, Statement, Where, Workspace
from compiler.iteration_graph.graph.provenance import leaves, level_variables, reads
from compiler.loop_ir import build
from compiler.loop_ir.nodes import INDEX, Assign, Block, Declare, Expr, For, If, Store, Var
from compiler.lowering.environment.kernel import RowInResult
from compiler.lowering.environment.loop_environment import LoopEnvironment
from compiler.lowering.environment.store import added, declare_value
from compiler.lowering.nest.operand_iterators import merge_lattice
from compiler.lowering.workspaces.workspace_memory import allocate, lives_on, size_of, start_value
from compiler.notation.nodes import Access
from compiler.origin import Origin, Role

Lower = Callable[[LoopEnvironment, Statement], None]


def bound(scope: LoopEnvironment, statement: Where, workspace: Workspace, lower: Lower) -> bool:
    """A bound on what the consumer will append: every write of the producer, as if none met another one, but no more
    than the workspace has places. False where the consumer does more than to append the list."""
    kernel, group = scope.kernel, appended_to(scope, statement.consumer, workspace)
    if group is None:
        return False
    assert scope.counters is not None
    origin = Origin(Role.ASSEMBLY, None, workspace.name)
    count = Var(kernel.workspaces[workspace.name].count)
    scope.emit(Declare(count.name, INDEX, build.index(0), origin, mutable=True))
    producer = scope.producing()
    kernel.bounded.add(workspace.name)
    lower(producer, statement.producer)
    kernel.bounded.remove(workspace.name)
    scope.items += producer.items
    most = build.minimum(count, size_of(scope, workspace))
    scope.emit(Assign(scope.counters[group.first].name, most, origin, reduce="+"))
    return True


def placed(scope: LoopEnvironment, statement: Where, workspace: Workspace, lower: Lower) -> bool:
    """Values are summed where the result stores them: the workspace keeps the place of each coordinate, and a place
    outside of the row so far means that the coordinate is new. So nothing is listed, copied or unmarked. False where
    the row must be sorted, or the consumer does more than to store the values."""
    kernel, name = scope.kernel, workspace.name
    group = appended_to(scope, statement.consumer, workspace)
    if group is None or not in_any_order(scope, statement.consumer, workspace):
        return False
    size = size_of(scope, workspace)
    if not _stores_values(scope, statement.consumer, workspace, group) or not lives_on(scope, size):
        return False
    assert scope.counters is not None
    counter = scope.counters[group.first]
    begin = Var(kernel.names.fresh(f"{name}_begin"))
    allocate(scope, kernel.workspaces[name].places, size, True)
    scope.emit(Declare(begin.name, INDEX, counter, Origin(Role.ASSEMBLY, None, name)))
    producer = scope.producing()
    kernel.placed[name] = RowInResult(group.first, begin, counter)
    lower(producer, statement.producer)
    del kernel.placed[name]
    scope.items += producer.items
    return True


def store_placed(scope: LoopEnvironment, target: Access, position: Expr, value: Expr, operator: str) -> None:
    """The first write to a coordinate appends it to the row; later ones add where it went. Places count from one, so
    that a workspace of zeros has none."""
    kernel, name, path = scope.kernel, target.tensor, target.indices
    row, places, values = kernel.placed[name], kernel.workspaces[name].places, kernel.values[kernel.result]
    end, crd = row.end, kernel.storages[kernel.result, row.level].crd
    assert crd is not None
    origin = Origin(Role.ASSEMBLY, None, name)
    made, compute = declare_value(scope, target, value)
    with kernel.names.scope():
        at = Var(kernel.names.fresh(f"{name}_at"))
        scope.emit(Declare(at.name, INDEX, build.load(places, position, path), origin))
    first = (
        Store(places, position, build.add(end, build.index(1)), origin, path=path),
        Store(crd, end, position, replace(origin, tensor=kernel.result, level=row.level), path=(end.name,)),
        Store(values, end, made, compute, path=(end.name,)),
        Assign(end.name, build.index(1), origin, reduce="+"),
    )
    elsewhere = build.compare("<=", at, row.begin)
    if not kernel.one_pass:  # Rows come in the order of the loops: a place may also be left from one further behind.
        elsewhere = build.either(elsewhere, build.compare(">", at, end))
    later = added(Store(values, build.sub(at, build.index(1)), made, compute, path=path), operator)
    scope.emit(If(elsewhere, Block(first), origin, Block((later,))))


def _stores_values(scope: LoopEnvironment, consumer: Statement, workspace: Workspace, group: Group) -> bool:
    """Whether the consumer stores the values as they are."""
    result = scope.kernel.graph.signature.result
    if not isinstance(consumer, Forall) or not isinstance(consumer.body, Assignment):
        return False
    assign, last = consumer.body, group.last == len(result.format.levels)
    read = reads(assign, workspace.name)
    return last and assign.operator == "=" and (assign.expression,) == tuple(read) and result.dtype == workspace.dtype


def gathered(scope: LoopEnvironment, statement: Where, workspace: Workspace, lower: Lower) -> bool:
    """Values are added up in the places of a row's given coordinates and read from there: nothing is listed, sorted or
    unmarked. False where the consumer does more than to append what it reads, and that a whole row."""
    kernel, plan = scope.kernel, scope.kernel.assembly
    group = appended_to(scope, statement.consumer, workspace)
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
    size = size_of(scope, workspace)
    allocate(scope, arrays.values, size, False)
    kernel.storages[name, 1] = LevelStorage(name, 1, TOUCHED.name, size, crd=result.crd, count=end, begin=begin)
    origin = Origin(Role.INIT, None, name)
    with kernel.names.scope():
        position = Var(kernel.names.fresh(f"{name}_position"))
        at = build.load(result.crd, position, (position.name,))
        start = Store(arrays.values, at, start_value(statement, workspace), origin)
        scope.emit(For(position.name, begin, end, Block((start,)), origin))
    producer = scope.producing()
    kernel.gathered.add(name)
    lower(producer, statement.producer)
    scope.items += producer.items
    lower(scope, statement.consumer)
    return True


def in_any_order(scope: LoopEnvironment, consumer: Statement, workspace: Workspace) -> bool:
    """Whether the consumer appends the list as it is to levels that may hold their coordinates in any order."""
    group = appended_to(scope, consumer, workspace)
    return group is not None and not scope.kernel.graph.signature.result.format.levels[group.first - 1].ordered


def appended_to(scope: LoopEnvironment, consumer: Statement, workspace: Workspace) -> Group | None:
    """The group of levels to which the consumer appends the list as it is; None where it does more than that."""
    kernel, plan = scope.kernel, scope.kernel.assembly
    if not isinstance(plan, Appended) or scope.counters is None or not isinstance(consumer, Forall):
        return None
    group = plan.groups[0]
    listed = level_variables(kernel.graph, plan.target)[group.last - 1]
    appends = isinstance(consumer.body, Assignment) and consumer.variable == listed and group.first == group.last
    return group if appends and not needs_order(scope, consumer, workspace) else None


def needs_order(scope: LoopEnvironment, consumer: Statement, workspace: Workspace) -> bool:
    """Whether the list must be sorted even to count: it is merged with other operands, or searched for tiles."""

    def walked_alone(variable: str) -> bool:
        lattice = merge_lattice(scope, variable, consumer)
        whole = leaves(scope.kernel.graph, variable) == (variable,)
        return whole and len(lattice) == 1 and len(lattice[0].iterators) == 1

    return not all(walked_alone(access.indices[0]) for access in reads(consumer, workspace.name))
