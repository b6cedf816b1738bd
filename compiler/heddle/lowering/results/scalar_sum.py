"""A reduction into one location that is known in front of its loop: summed in a scalar, stored once behind it."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.analysis.shared_writes import races_with
from heddle.iteration_graph.graph.nodes import Assign, Forall
from heddle.iteration_graph.graph.provenance import assignments, loop_variables
from heddle.loop_ir.nodes import If, LoopKind, Var
from heddle.lowering.environment.destination import ScalarDestination
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.store import assignments_to_memory, declare_sum, store
from heddle.lowering.environment.values.elements import knows
from heddle.notation.nodes import accesses
from heddle.origin import Origin, Role

_WORKERS = (LoopKind.CPU_THREAD, LoopKind.CPU_VECTOR, LoopKind.GPU_THREAD)
"""Units whose workers each have a scalar, which are combined behind their loop."""


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
        presence = environment.context.appending.presence if environment.context.appending is not None else None
        if presence is None:
            store(environment, target, self.total, self.written.operator)
            return
        guarded = environment.child()
        store(guarded, target, self.total, self.written.operator)
        environment.emit(If(presence, guarded.builder.block(), Origin(Role.ASSEMBLY, None, target.tensor)))


@dataclass(frozen=True, slots=True)
class ScalarSums:
    """Workers of a loop add into locations, each in a scalar of its own, beside what they store one by one."""

    sums: tuple[ScalarSum, ...]
    stores_once: bool = False

    def enter(self, environment: LoopEnvironment, inner: LoopEnvironment) -> ScalarTotals:
        return ScalarTotals(tuple(scalar_sum.enter(environment, inner) for scalar_sum in self.sums))


@dataclass(frozen=True, slots=True)
class ScalarTotals:
    """What the loop has summed so far, by location."""

    totals: tuple[ScalarTotal, ...]

    def leave(self, environment: LoopEnvironment, inner: LoopEnvironment) -> None:
        for total in self.totals:
            total.leave(environment, inner)


def find_scalar_sums(environment: LoopEnvironment, statement: Forall) -> ScalarSums | None:
    """What threads or lanes of statements that share a loop add into locations known in front of it. In memory, each
    would overwrite what the others added: a compiler may take all lanes of a loop at once."""
    graph, variable = environment.kernel.graph, statement.variable
    tag = graph.parallel.get(variable)
    if tag is None or tag.unit not in _WORKERS or tag.race == "Atomics" or environment.context.counting:
        return None
    assigns = assignments_to_memory(environment, statement)
    racing = [assign for assign in assigns if assign.operator != "=" and races_with(graph, variable, assign.target)]
    read = {access.tensor for _, assign in assignments(statement) for access in accesses(assign.expression)}
    for assign in racing:
        same = [other for other in assigns if other.target.tensor == assign.target.tensor]
        destination = environment.destination(assign.target.tensor)
        apart = all((other.target, other.operator) == (assign.target, assign.operator) for other in same)
        known = all(knows(environment, index) for index in assign.target.indices)
        if not apart or not known or destination is not None or assign.target.tensor in read:
            return None
    sums = {assign.target: ScalarSum(assign, variable) for assign in racing}
    return ScalarSums(tuple(sums.values())) if sums else None


def find_scalar_sum(environment: LoopEnvironment, statement: Forall) -> ScalarSum | None:
    """Whether all that a reduction loop writes is one location, known in front of it."""
    graph = environment.kernel.graph
    assigns = assignments_to_memory(environment, statement)
    written = {(assign.target, assign.operator) for assign in assigns}
    if environment.context.counting or len(written) != 1 or assigns[0].operator == "=":
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
