"""A reduction into one location that is known in front of its loop: summed in a scalar, stored once behind it."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.iteration_graph.graph.nodes import Assign, Forall
from compiler.iteration_graph.graph.provenance import loop_variables
from compiler.loop_ir.nodes import If, Var
from compiler.lowering.environment.block import block
from compiler.lowering.environment.destination import ScalarDestination
from compiler.lowering.environment.elements import knows
from compiler.lowering.environment.loop_environment import LoopEnvironment
from compiler.lowering.environment.store import assignments_to_memory, declare_sum, store
from compiler.origin import Origin, Role


@dataclass(frozen=True, slots=True)
class ScalarSum:
    """All iterations of the loop over ``variable`` add into the location that ``written`` names."""

    written: Assign
    variable: str
    stores_once: bool = True

    def enter(self, environment: LoopEnvironment, inner: LoopEnvironment) -> ScalarTotal:
        total = declare_sum(environment, self.written.target, self.variable, self.written.operator)
        inner.redirect(self.written.target.tensor, ScalarDestination(total))
        return ScalarTotal(self.written, total)


@dataclass(frozen=True, slots=True)
class ScalarTotal:
    """``total`` holds what the loop has summed so far of ``written``."""

    written: Assign
    total: Var

    def leave(self, environment: LoopEnvironment, inner: LoopEnvironment) -> None:
        """Store what the loop summed; in an appended result only where it summed anything."""
        target = self.written.target
        found = environment.appending.found if environment.appending is not None else None
        if found is None:
            store(environment, target, self.total, self.written.operator)
            return
        where_found = environment.inside()
        store(where_found, target, self.total, self.written.operator)
        environment.emit(If(found, block(where_found.items), Origin(Role.ASSEMBLY, None, target.tensor)))


def find_scalar_sum(environment: LoopEnvironment, statement: Forall) -> ScalarSum | None:
    """Whether all that a reduction loop writes is one location, known in front of it."""
    graph = environment.kernel.graph
    assigns = assignments_to_memory(environment, statement)
    written = {(assign.target, assign.operator) for assign in assigns}
    if environment.counting or len(written) != 1 or assigns[0].operator == "=":
        return None
    target = assigns[0].target
    destination = environment.destination(target.tensor)
    if destination is not None and destination.scalar is not None:
        return None
    if not all(knows(environment, index) for index in target.indices):
        return None
    beside_others = destination is not None and bool(destination.columns)
    located = beside_others or (target, len(target.indices)) in environment.positions
    if target.tensor == environment.kernel.result and target.indices and not located:
        return None
    if any(v in graph.parallel and graph.parallel[v].race == "Atomics" for v in loop_variables(statement)):
        return None  # the person asked for atomics where workers meet, not for partial sums
    return ScalarSum(assigns[0], statement.variable)
