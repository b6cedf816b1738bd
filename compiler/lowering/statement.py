"""Lowering statements: loops, workspaces and assignments."""

from __future__ import annotations

from compiler.iteration_graph.nodes import Assign, Forall, Statement, Where
from compiler.iteration_graph.provenance import assignments, leaves, loop_variables, position_relation
from compiler.iteration_graph.races import races_with
from compiler.iteration_graph.temporaries import needs_copies
from compiler.iteration_graph.zero import without
from compiler.loop_ir.nodes import Assign as AssignScalar
from compiler.loop_ir.nodes import Block, Declare, If, Reduction, Var
from compiler.lowering.block import block
from compiler.lowering.coiterate import iterated_at, lower_coiteration
from compiler.lowering.compute import compute, convert
from compiler.lowering.copies import combine, start_copies
from compiler.lowering.counted import lower_counted
from compiler.lowering.locate import locate, search_coordinate
from compiler.lowering.scope import Scope
from compiler.lowering.segments import find_segment, finish_segment, start_segment
from compiler.lowering.store import declare_sum, neutral, store
from compiler.notation.functions import ASSIGNMENTS
from compiler.notation.nodes import Access
from compiler.origin import Origin, Role


def lower_statement(scope: Scope, statement: Statement) -> None:
    """Emit ``statement`` into ``scope``: first the positions that became known, then what it does."""
    missing = locate(scope, statement)
    if missing is not None:
        _lower_searched(scope, statement, missing)
        return
    match statement:
        case Forall():
            lower_forall(scope, statement)
        case Where(consumer=consumer, producer=producer):
            _declare_workspace(scope, assignments(producer)[-1][1])
            lower_statement(scope, producer)
            lower_statement(scope, consumer)
        case Assign():
            lower_assign(scope, statement)
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _lower_searched(scope: Scope, statement: Statement, access: Access) -> None:
    """A sparse operand whose coordinate comes from another one: search it, and go on with or without it."""
    found = search_coordinate(scope, access)
    origin = Origin(Role.SEARCH, None, access.tensor)
    with_it = scope.inside()
    with scope.kernel.names.scope():
        lower_statement(with_it, statement)
    rest = without(statement, frozenset((access,)))
    otherwise: Block | None = None
    if rest is None:
        scope.covers = False
        scope.kernel.needs_zero = True
    else:
        without_it = scope.inside()
        with scope.kernel.names.scope():
            lower_statement(without_it, rest)
        otherwise = block(without_it.items)
    scope.emit(If(found, block(with_it.items), origin, otherwise))


def lower_forall(scope: Scope, statement: Forall) -> None:
    """One loop of the nest, with an accumulator when everything below it adds into one known location."""
    variable, graph = statement.variable, scope.kernel.graph
    outer = scope.beside()
    accumulated = _accumulated(scope, statement)
    segment = find_segment(scope, statement) if accumulated is None else None
    if accumulated is not None:
        target, operator = accumulated.target, accumulated.operator
        outer.scalars[target.tensor] = declare_sum(scope, target, variable, operator)
    elif any(races_with(graph, variable, written.target) for written in _result_assigns(scope, statement)):
        outer.covers = False
    private = next((a for a in _result_assigns(scope, statement) if needs_copies(graph, variable, a.target)), None)
    combination = start_copies(scope, outer, private.target, private.operator, variable) if private else None
    entered = scope.entered | {variable}
    determined = [v for v in graph.underived if variable in (own := leaves(graph, v)) and set(own) <= entered]
    by_position = [v for v in determined if position_relation(graph, v) is not None]
    merged = [v for v in determined if v not in by_position and iterated_at(outer, v, statement.body)]
    reductions = _shared_scalars(outer, statement)
    if merged:
        lower_coiteration(outer, variable, merged[0], statement.body, lower_statement, reductions)
    else:
        outer.covers = outer.covers and not by_position
        if segment is not None:
            start_segment(outer, segment, variable)
        lower_counted(outer, variable, statement.body, lower_statement, reductions)
        if segment is not None:
            finish_segment(outer, segment)
    if combination is not None:
        combine(scope, combination)
    if accumulated is not None:
        store(scope, accumulated.target, outer.scalars[accumulated.target.tensor], accumulated.operator)


def _shared_scalars(scope: Scope, statement: Forall) -> tuple[Reduction, ...]:
    """Scalars from outside that the iterations of a parallel loop add into."""
    if statement.variable not in scope.kernel.graph.parallel:
        return ()
    written = {a.target.tensor: a.operator for _, a in assignments(statement) if a.operator != "="}
    return tuple(
        Reduction(scope.scalars[tensor].name, ASSIGNMENTS[written[tensor]])
        for tensor in sorted(written)
        if tensor in scope.scalars
    )


def _result_assigns(scope: Scope, statement: Statement) -> list[Assign]:
    return [a for _, a in assignments(statement) if a.target.tensor == scope.kernel.result]


def _accumulated(scope: Scope, statement: Forall) -> Assign | None:
    """The assignment whose location all iterations of a reduction loop add into, when it is known in front of it."""
    graph = scope.kernel.graph
    target_assigns = [a for _, a in assignments(statement) if a.target.tensor == scope.kernel.result]
    if len(target_assigns) != 1 or target_assigns[0].operator == "=":
        return None
    target = target_assigns[0].target
    if target.tensor in scope.scalars or not all(index in scope.known for index in target.indices):
        return None
    inner = loop_variables(statement)
    if any(v in graph.parallel and graph.parallel[v].race == "Atomics" for v in inner):
        return None  # the person asked for atomics where workers meet, not for partial sums
    return target_assigns[0]


def lower_assign(scope: Scope, statement: Assign) -> None:
    target = statement.target
    value = compute(scope, statement.expression)
    if target.tensor in scope.scalars:
        scalar = scope.scalars[target.tensor]
        origin = Origin(Role.COMPUTE if statement.operator == "=" else Role.REDUCTION, tensor=target.tensor)
        reduce = None if statement.operator == "=" else ASSIGNMENTS[statement.operator]
        scope.emit(AssignScalar(scalar.name, convert(value, scalar.dtype), origin, reduce))
        return
    dtype = scope.kernel.graph.signature.tensors[target.tensor].dtype
    store(scope, target, convert(value, dtype), statement.operator)


def _declare_workspace(scope: Scope, assign: Assign) -> None:
    name = assign.target.tensor
    workspace = scope.kernel.graph.workspaces[name]
    origin = Origin(Role.INIT, None, name)
    operator = "+=" if assign.operator == "=" else assign.operator
    scope.emit(Declare(name, workspace.dtype, neutral(operator, workspace.dtype), origin, mutable=True))
    scope.scalars[name] = Var(name, workspace.dtype)
