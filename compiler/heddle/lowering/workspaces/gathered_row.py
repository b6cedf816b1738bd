"""A row of a workspace whose coordinates the result is given."""

from __future__ import annotations

from heddle.formats.levels.level import LevelStorage
from heddle.formats.levels.workspaces.touched import TOUCHED
from heddle.iteration_graph.graph.nodes import Where, Workspace
from heddle.iteration_graph.graph.provenance import leaves, level_variables
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Block, For, Store, Var
from heddle.lowering.environment.allocation import allocate
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.workspaces.appended_rows import appended_to
from heddle.lowering.workspaces.workspace_memory import size_of, start_value
from heddle.origin import Origin, Role


def gather_row(environment: LoopEnvironment, statement: Where, workspace: Workspace, lower: LowerStatement) -> bool:
    """Values are added up in the places of a row's given coordinates and read from there: nothing is listed, sorted or
    unmarked. False where the consumer does more than to append what it reads, and that a whole row."""
    kernel, appended = environment.kernel, environment.kernel.output.appended
    group = appended_to(environment, statement.consumer, workspace)
    if group is None or appended is None or len(appended.groups) > 1:
        return False
    rows = level_variables(kernel.graph, appended.target)[: group.first - 1]
    if not environment.context.nest.entered <= {leaf for row in rows for leaf in leaves(kernel.graph, row)}:
        return False  # what is collected here is a part of a row
    arrays, name = kernel.workspaces[workspace.name], workspace.name
    result = kernel.storages[kernel.result, group.first]
    assert result.pos is not None
    assert result.crd is not None
    row = environment.position(appended.target, group.first - 1) if group.first > 1 else build.index(0)
    begin, end = build.load(result.pos, row), build.load(result.pos, build.add(row, build.index(1)))
    size = size_of(environment, workspace)
    allocate(environment, arrays.values, size, False)
    kernel.storages[name, 1] = LevelStorage(name, 1, TOUCHED.name, size, crd=result.crd, count=end, begin=begin)
    origin = Origin(Role.INIT, None, name)
    with kernel.names.scope():
        position = Var(kernel.names.fresh(f"{name}_position"))
        at = build.load(result.crd, position, (position.name,))
        start = Store(arrays.values, at, start_value(statement, workspace), origin)
        environment.emit(For(position.name, begin, end, Block((start,)), origin))
    producer = environment.producer_child()
    lower(producer, statement.producer)
    environment.builder.extend(producer.builder.items)
    lower(environment, statement.consumer)
    return True
