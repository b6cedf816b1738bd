"""A bound on the row that a workspace will append to the result, in place of the row itself."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.graph.nodes import Where, Workspace
from heddle.loop_ir import build
from heddle.loop_ir.nodes import INDEX, Assign, Declare, Expr, Var
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.workspaces.appended_rows import appended_to
from heddle.lowering.workspaces.workspace_memory import size_of
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class WriteCount:
    """Only how many assignments there are is noted, in ``scalar``."""

    scalar: Var
    columns: tuple[str, ...] = ()

    def store(
        self, environment: LoopEnvironment, target: Access, value: Expr, operator: str, atomic: bool | None
    ) -> None:
        origin = Origin(Role.ASSEMBLY, None, target.tensor)
        environment.emit(Assign(self.scalar.name, build.index(1), origin, reduce="+"))


def bound_row(environment: LoopEnvironment, statement: Where, workspace: Workspace, lower: LowerStatement) -> bool:
    """A bound on what the consumer will append: every write of the producer, as if none met another one, but no more
    than the workspace has elements. False where the consumer does more than to append the list."""
    kernel, group = environment.kernel, appended_to(environment, statement.consumer, workspace)
    if group is None:
        return False
    assert environment.context.appending is not None
    origin = Origin(Role.ASSEMBLY, None, workspace.name)
    count = Var(kernel.workspaces[workspace.name].count)
    environment.emit(Declare(count.name, INDEX, build.index(0), origin, mutable=True))
    producer = environment.producer_child()
    producer.redirect(workspace.name, WriteCount(count))
    lower(producer, statement.producer)
    environment.builder.extend(producer.builder.items)
    most = build.minimum(count, size_of(environment, workspace))
    environment.emit(Assign(environment.context.appending.counters[group.first].name, most, origin, reduce="+"))
    return True
