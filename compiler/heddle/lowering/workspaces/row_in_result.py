"""A row of a workspace that is summed where the result stores it, since the order of the row is free."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.iteration_graph.analysis.assembly import Group
from heddle.iteration_graph.graph.nodes import Assign as Assignment
from heddle.iteration_graph.graph.nodes import Forall, Statement, Where, Workspace
from heddle.iteration_graph.graph.provenance import reads
from heddle.loop_ir import build
from heddle.loop_ir.nodes import INDEX, Array, Assign, Block, Declare, Expr, If, Store, Var
from heddle.lowering.environment.allocation import allocate, lives_through_loops
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.environment.store import add, declare_value
from heddle.lowering.environment.values.elements import position_in
from heddle.lowering.workspaces.appended_rows import appended_to, in_any_order
from heddle.lowering.workspaces.workspace_memory import size_of
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class RowInResult:
    """A row of the result while it is made: its coordinates at ``level`` lie from ``begin`` to ``end``, and ``places``
    say of each coordinate where it went. Places count from one, so that a workspace of zeros has none."""

    places: Array
    level: int
    begin: Var
    end: Var
    columns: tuple[str, ...] = ()
    scalar: Var | None = None

    def store(
        self, environment: LoopEnvironment, target: Access, value: Expr, operator: str, atomic: bool | None
    ) -> None:
        """The first write to a coordinate appends it to the row; later ones add where it went."""
        kernel, name, path, end = environment.kernel, target.tensor, target.indices, self.end
        position = position_in(environment, target)
        values, crd = kernel.values[kernel.result], kernel.storages[kernel.result, self.level].crd
        assert crd is not None
        origin = Origin(Role.ASSEMBLY, None, name)
        stored, compute = declare_value(environment, target, value)
        with kernel.names.scope():
            at = Var(kernel.names.fresh(f"{name}_at"))
            environment.emit(Declare(at.name, INDEX, build.load(self.places, position, path), origin))
        first = (
            Store(self.places, position, build.add(end, build.index(1)), origin, path=path),
            Store(crd, end, position, replace(origin, tensor=kernel.result, level=self.level), path=(end.name,)),
            Store(values, end, stored, compute, path=(end.name,)),
            Assign(end.name, build.index(1), origin, reduce="+"),
        )
        elsewhere = build.compare("<=", at, self.begin)
        if not kernel.output.in_order:  # a place may also be left from a later row
            elsewhere = build.either(elsewhere, build.compare(">", at, end))
        later = add(Store(values, build.sub(at, build.index(1)), stored, compute, path=path), operator)
        environment.emit(If(elsewhere, Block(first), origin, Block((later,))))


def sum_in_result(environment: LoopEnvironment, statement: Where, workspace: Workspace, lower: LowerStatement) -> bool:
    """Values are summed where the result stores them: the workspace keeps the place of each coordinate, and a place
    outside of the row so far means that the coordinate is new. So nothing is listed, copied or unmarked. False where
    the row must be sorted, or the consumer does more than to store the values."""
    kernel, name = environment.kernel, workspace.name
    group = appended_to(environment, statement.consumer, workspace)
    if group is None or not in_any_order(environment, statement.consumer, workspace):
        return False
    size = size_of(environment, workspace)
    if not _stores_values(environment, statement.consumer, workspace, group) or not lives_through_loops(
        environment, size
    ):
        return False
    assert environment.context.appending is not None
    places, begin = kernel.workspaces[name].places, Var(kernel.names.fresh(f"{name}_begin"))
    allocate(environment, places, size, True)
    end = environment.context.appending.counters[group.first]
    environment.emit(Declare(begin.name, INDEX, end, Origin(Role.ASSEMBLY, None, name)))
    producer = environment.producer_child()
    producer.redirect(name, RowInResult(places, group.first, begin, end))
    lower(producer, statement.producer)
    environment.builder.extend(producer.builder.items)
    return True


def _stores_values(environment: LoopEnvironment, consumer: Statement, workspace: Workspace, group: Group) -> bool:
    """Whether the consumer stores the values as they are."""
    result = environment.kernel.graph.signature.result
    if not isinstance(consumer, Forall) or not isinstance(consumer.body, Assignment):
        return False
    assign, last = consumer.body, group.last == len(result.format.levels)
    read = reads(assign, workspace.name)
    return last and assign.operator == "=" and (assign.expression,) == tuple(read) and result.dtype == workspace.dtype
