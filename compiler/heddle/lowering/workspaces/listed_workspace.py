"""Workspaces that list the coordinates that were written, so that the consumer visits no others."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.formats.levels.level import LevelStorage
from heddle.formats.levels.workspaces.touched import TOUCHED
from heddle.iteration_graph.analysis.shared_rows import shared_units
from heddle.iteration_graph.graph.nodes import Where, Workspace
from heddle.loop_ir import build
from heddle.loop_ir.nodes import INDEX, Assign, Block, Declare, Expr, For, If, Sort, Stmt, Store, Var
from heddle.lowering.environment.allocation import allocate
from heddle.lowering.environment.kernel_context import WorkspaceArrays
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.environment.output import RowMaking
from heddle.lowering.environment.store import add, declare_value
from heddle.lowering.environment.values.elements import position_in
from heddle.lowering.workspaces.appended_rows import in_any_order, needs_order
from heddle.lowering.workspaces.gathered_row import gather_row
from heddle.lowering.workspaces.row_bound import bound_row
from heddle.lowering.workspaces.row_in_result import sum_in_result
from heddle.lowering.workspaces.shared_row import lower_shared_row
from heddle.lowering.workspaces.workspace_memory import size_of
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class CoordinateList:
    """The coordinates that were written, in the order of the first writes; each is marked."""

    arrays: WorkspaceArrays
    columns: tuple[str, ...] = ()
    scalar: Var | None = None

    def store(
        self, environment: LoopEnvironment, target: Access, value: Expr, operator: str, atomic: bool | None
    ) -> None:
        """The first write to a coordinate stores the value, lists the coordinate and marks it; later ones add. While
        coordinates are counted, there are no values."""
        arrays, origin, path = self.arrays, Origin(Role.ASSEMBLY, None, target.tensor), target.indices
        position, count = position_in(environment, target), Var(arrays.count)
        first: list[Stmt] = [
            Store(arrays.marked, position, build.TRUE, origin, path=path),
            Store(arrays.listed, count, position, origin, path=(count.name,)),
            Assign(count.name, build.index(1), origin, reduce="+"),
        ]
        later: Block | None = None
        if not environment.context.counting:
            stored, compute = declare_value(environment, target, value)
            first.append(Store(arrays.values, position, stored, compute, path=path))
            later = Block((add(Store(arrays.values, position, stored, compute, path=path), operator),))
        fresh = build.negate(build.load(arrays.marked, position, path))
        environment.emit(If(fresh, Block(tuple(first)), origin, later))


_ROWS = {
    RowMaking.LISTED: None,
    RowMaking.BOUNDED: bound_row,
    RowMaking.IN_RESULT: sum_in_result,
    RowMaking.GATHERED: gather_row,
}
"""What makes an appended row without a list of its coordinates, and says whether it could."""


def lower_listed(environment: LoopEnvironment, statement: Where, workspace: Workspace, lower: LowerStatement) -> None:
    """Coordinates are listed when they are first written; what was written is unmarked behind the consumer."""
    if shared_units(environment.kernel.graph, statement.producer):
        lower_shared_row(environment, statement, workspace, lower)
        return
    kernel, name = environment.kernel, workspace.name
    arrays, size = kernel.workspaces[name], size_of(environment, workspace)
    counting = environment.context.counting
    count = Var(arrays.count)
    kernel.storages[name, 1] = LevelStorage(name, 1, TOUCHED.name, size, crd=arrays.listed, count=count)
    make_row = _ROWS[kernel.output.row_making(environment.context.kind)]
    if make_row is not None and make_row(environment, statement, workspace, lower):
        return
    allocate(environment, arrays.marked, size, True)
    allocate(environment, arrays.listed, size, False)
    if not counting:
        allocate(environment, arrays.values, size, False)
    origin = Origin(Role.ASSEMBLY, None, name)
    environment.emit(Declare(count.name, INDEX, build.index(0), origin, mutable=True))
    producer = environment.producer_child()
    producer.redirect(name, CoordinateList(arrays))
    lower(producer, statement.producer)
    environment.builder.extend(producer.builder.items)
    free = counting or in_any_order(environment, statement.consumer, workspace)
    if not free or needs_order(environment, statement.consumer, workspace):
        environment.emit(Sort(arrays.listed, build.index(0), count, origin))
    lower(environment, statement.consumer)
    with kernel.names.scope():
        index = Var(kernel.names.fresh(f"{name}_position"))
        at = build.load(arrays.listed, index, (index.name,))
        clear = Store(arrays.marked, at, build.FALSE, origin)
        environment.emit(For(index.name, build.index(0), count, Block((clear,)), origin))
