"""Lowering statements: loops, workspaces and assignments."""

from __future__ import annotations

from compiler.iteration_graph.algebra.absent_operands import without
from compiler.iteration_graph.analysis.assembly import Appended, Shared
from compiler.iteration_graph.analysis.races import races_with
from compiler.iteration_graph.graph.nodes import Assign, Forall, Statement, Where
from compiler.iteration_graph.graph.provenance import (
    assignments,
    coordinates,
    leaves,
    loop_variables,
    position_relation,
)
from compiler.iteration_graph.transform.temporaries import needs_copies
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Assign as AssignScalar
from compiler.loop_ir.nodes import Block, Const, If, Reduction, Var
from compiler.lowering.environment.block import block
from compiler.lowering.environment.compute import compute, convert
from compiler.lowering.environment.elements import knows
from compiler.lowering.environment.kernel import Phase
from compiler.lowering.environment.loop_environment import LoopEnvironment
from compiler.lowering.environment.store import declare_sum, in_memory, leave_out, store
from compiler.lowering.nest.coiterate import lower_coiteration
from compiler.lowering.nest.locate import locate, search_coordinate
from compiler.lowering.nest.operand_iterators import iterated_at
from compiler.lowering.nest.range_loops import lower_counted
from compiler.lowering.nest.single_position import lower_once, stands_once
from compiler.lowering.results.assembly import (
    counted_rows,
    lower_appended,
    lower_counted_rows,
    lower_segment,
    opens,
    pending_group,
)
from compiler.lowering.results.lane_reduction import find_lane_sums, finish_runs, start_runs
from compiler.lowering.results.register_accumulators import load_before
from compiler.lowering.results.result_copies import combine, start_copies
from compiler.lowering.results.segmented_sums import find_segment, finish_segment, start_segment
from compiler.lowering.workspaces.workspace import lower_where, store_in
from compiler.notation.functions import ASSIGNMENTS
from compiler.notation.nodes import Access
from compiler.origin import Origin, Role


def lower_statement(scope: LoopEnvironment, statement: Statement) -> None:
    """Emit ``statement`` into ``scope``: first the positions that became known, then what it does."""
    missing = locate(scope, statement)
    if opens(scope, statement):
        lower_segment(scope, statement, lower_statement)
        return
    if missing is not None:
        _lower_searched(scope, statement, missing)
        return
    if _lower_at_result(scope, statement):
        return
    match statement:
        case Forall():
            lower_forall(scope, statement)
        case Where():
            lower_where(scope, statement, lower_statement)
        case Assign():
            lower_assign(scope, statement)
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _lower_at_result(scope: LoopEnvironment, statement: Statement) -> bool:
    """Where coordinates of an appended result became known: append them around the rest."""
    plan = scope.kernel.assembly
    if not isinstance(plan, Appended) or scope.counters is None or not _result_assigns(scope, statement):
        return False
    rows = counted_rows(scope)
    if rows is not None:
        lower_counted_rows(scope, statement, rows, lower_statement)
        return True
    group = pending_group(scope, plan)
    if group is not None:
        lower_appended(scope, statement, group, lower_statement)
    return group is not None


def _lower_searched(scope: LoopEnvironment, statement: Statement, access: Access) -> None:
    """A sparse operand whose coordinate comes from another one: search it, and go on with or without it."""
    found = search_coordinate(scope, access)
    origin = Origin(Role.SEARCH, None, access.tensor)
    with_it = scope.inside()
    with scope.kernel.names.scope():
        lower_statement(with_it, statement)
    rest = without(statement, frozenset((access,)))
    otherwise: Block | None = None
    if rest is None:
        leave_out(scope, statement)
    else:
        without_it = scope.inside()
        with scope.kernel.names.scope():
            lower_statement(without_it, rest)
        otherwise = block(without_it.items)
    scope.emit(If(found, block(with_it.items), origin, otherwise))


def lower_forall(scope: LoopEnvironment, statement: Forall) -> None:
    """One loop of the nest, with an accumulator when everything below it adds into one known location."""
    variable, graph = statement.variable, scope.kernel.graph
    once = stands_once(scope, variable, statement.body)
    if once is not None:
        lower_once(scope, once, variable, statement.body, lower_statement)
        return
    load_before(scope, statement)
    outer = scope.beside()
    accumulated = _accumulated(scope, statement)
    segment = find_segment(scope, statement) if accumulated is None else None
    if accumulated is not None:
        target, operator = accumulated.target, accumulated.operator
        outer.scalars[target.tensor] = declare_sum(scope, target, variable, operator)
    elif any(races_with(graph, variable, written.target) for written in in_memory(scope, statement)):
        outer.covers = False
    lanes = find_lane_sums(scope, statement) if accumulated is None else None
    if lanes is not None:
        start_runs(scope, outer, lanes)
    private = next((a for a in _result_assigns(scope, statement) if needs_copies(graph, variable, a.target)), None)
    combination = start_copies(scope, outer, private.target, private.operator, variable) if private else None
    entered = scope.entered | {variable}
    determined = [v for v in coordinates(graph) if variable in (own := leaves(graph, v)) and set(own) <= entered]
    by_position = [v for v in determined if position_relation(graph, v) is not None]
    merged = [v for v in determined if v not in by_position and iterated_at(outer, v, statement.body)]
    reductions = _shared_scalars(outer, statement)
    if merged:
        lower_coiteration(outer, variable, merged[0], statement.body, lower_statement, reductions)
    else:
        outer.covers = outer.covers and all(_decides(scope, v) for v in by_position)
        if segment is not None:
            start_segment(outer, segment)
        lower_counted(outer, variable, statement.body, lower_statement, reductions)
        if segment is not None:
            finish_segment(outer, segment)
    if lanes is not None:
        finish_runs(outer, lanes)
    if combination is not None:
        combine(scope, combination)
    if accumulated is not None:
        _store_sum(scope, accumulated, outer.scalars[accumulated.target.tensor])


def _store_sum(scope: LoopEnvironment, written: Assign, total: Var) -> None:
    """Store what a loop summed; in an appended result only where it summed anything."""
    if scope.found is None:
        store(scope, written.target, total, written.operator)
        return
    inner = scope.inside()
    store(inner, written.target, total, written.operator)
    scope.emit(If(scope.found, block(inner.items), Origin(Role.ASSEMBLY, None, written.target.tensor)))


def _decides(scope: LoopEnvironment, variable: str) -> bool:
    """The positions that the loop over ``variable`` walks are those of the result, too."""
    shared, relation = scope.kernel.assembly, position_relation(scope.kernel.graph, variable)
    if not isinstance(shared, Shared) or relation is None or relation.access != shared.access:
        return False
    return relation.last_level <= shared.levels


def _shared_scalars(scope: LoopEnvironment, statement: Forall) -> tuple[Reduction, ...]:
    """Scalars from outside that the iterations of a parallel loop add into."""
    if statement.variable not in scope.kernel.graph.parallel:
        return ()
    written = {a.target.tensor: a.operator for _, a in assignments(statement) if a.operator != "="}
    return tuple(
        Reduction(scope.scalars[tensor].name, ASSIGNMENTS[written[tensor]])
        for tensor in sorted(written)
        if tensor in scope.scalars
    )


def _result_assigns(scope: LoopEnvironment, statement: Statement) -> list[Assign]:
    return [a for _, a in assignments(statement) if a.target.tensor == scope.kernel.result]


def _accumulated(scope: LoopEnvironment, statement: Forall) -> Assign | None:
    """The assignment whose location all iterations of a reduction loop add into, when it is known in front of it."""
    graph = scope.kernel.graph
    target_assigns = in_memory(scope, statement)
    if len(target_assigns) != 1 or target_assigns[0].operator == "=":
        return None
    target = target_assigns[0].target
    if target.tensor in scope.scalars or not all(knows(scope, index) for index in target.indices):
        return None
    if scope.kernel.phase is Phase.COUNT:
        return None
    located = target.tensor in scope.sums or (target, len(target.indices)) in scope.positions
    if target.tensor == scope.kernel.result and target.indices and not located:
        return None
    inner = loop_variables(statement)
    if any(v in graph.parallel and graph.parallel[v].race == "Atomics" for v in inner):
        return None  # the person asked for atomics where workers meet, not for partial sums
    return target_assigns[0]


def lower_assign(scope: LoopEnvironment, statement: Assign) -> None:
    target, result = statement.target, statement.target.tensor == scope.kernel.result
    if scope.kernel.phase is Phase.FILL:
        _lower_value(scope, statement)
    elif target.tensor in scope.kernel.graph.workspaces and target.indices:
        store_in(scope, target, convert(Const(0, "int64"), "bool"), statement.operator)
    if result and scope.found is not None:
        scope.emit(AssignScalar(scope.found.name, build.TRUE, Origin(Role.ASSEMBLY, None, target.tensor)))


def _lower_value(scope: LoopEnvironment, statement: Assign) -> None:
    target = statement.target
    value = compute(scope, statement.expression)
    if target.tensor in scope.scalars:
        scalar = scope.scalars[target.tensor]
        origin = Origin(Role.COMPUTE if statement.operator == "=" else Role.REDUCTION, tensor=target.tensor)
        reduce = None if statement.operator == "=" else ASSIGNMENTS[statement.operator]
        scope.emit(AssignScalar(scalar.name, convert(value, scalar.dtype), origin, reduce))
    elif target.tensor in scope.kernel.graph.workspaces:
        dtype = scope.kernel.graph.workspaces[target.tensor].dtype
        store_in(scope, target, convert(value, dtype), statement.operator)
    else:
        dtype = scope.kernel.graph.signature.tensors[target.tensor].dtype
        store(scope, target, convert(value, dtype), statement.operator)
