"""Lowering statements: loops, workspaces and assignments."""

from __future__ import annotations

from dataclasses import replace

from heddle.iteration_graph.algebra.absent_operands import remove_absent
from heddle.iteration_graph.analysis.padding import Padding, without_padding
from heddle.iteration_graph.analysis.repeated_fill import find_repeated_loops
from heddle.iteration_graph.analysis.shared_writes import races_with
from heddle.iteration_graph.graph.nodes import Assign, Forall, Series, Statement, Where
from heddle.iteration_graph.graph.provenance import assignments, position_relation, relation_below
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.sequence import computed_by, in_order
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Assign as AssignScalar
from heddle.loop_ir.nodes import Barrier, Block, Expr, GroupScope, If, LoopKind, Reduction
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.store import assignments_to_memory, leave_out, note_absent, store, written_dtype
from heddle.lowering.environment.values.compute import convert
from heddle.lowering.environment.values.present_terms import compute_present
from heddle.lowering.nest.coiterate import lower_coiteration
from heddle.lowering.nest.column_fill import lower_column_fill
from heddle.lowering.nest.coordinate_recovery import recover_coordinates
from heddle.lowering.nest.locate import locate, search_coordinate
from heddle.lowering.nest.operand_iterators import coordinates_known_in, merged_coordinates
from heddle.lowering.nest.range_loops import lower_range_loop
from heddle.lowering.nest.repeated_fill import lower_repeats, repeat_value
from heddle.lowering.nest.single_position import find_single_position, lower_single_position
from heddle.lowering.results.choose_accumulator import find_accumulation
from heddle.lowering.results.register_accumulators import load_before
from heddle.lowering.workspaces.workspace import lower_where
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import Access
from heddle.origin import Origin, Role

MOST_SEARCHES = 10
"""Terms of one statement that may each be searched: with 10 there are 1024 copies of what is computed."""


def lower_statement(environment: LoopEnvironment, statement: Statement) -> None:
    """Emit ``statement`` into ``environment``: first the positions that became known, then what it does."""
    missing = locate(environment, statement)
    if isinstance(statement, Where) and _returns_several(environment, statement):
        missing = None  # a search in one of the statements decides nothing about the results of the others
    output = environment.kernel.output
    if output.open_segment(environment, statement, lower_statement):
        return
    if missing is not None:
        _lower_searched(environment, statement, missing)
        return
    if output.append(environment, statement, lower_statement):
        return
    match statement:
        case Forall():
            lower_forall(environment, statement)
        case Where():
            lower_where(environment, statement, lower_statement)
        case Series():
            lower_series(environment, statement)
        case Assign():
            lower_assign(environment, statement)
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _returns_several(environment: LoopEnvironment, statement: Where) -> bool:
    """Whether the caller gets what a producer of the sequence computes, beside the result of the last statement."""
    program = environment.kernel.graph.signature.program
    *earlier, _ = in_order(statement)
    return program is not None and any(name in program.exported for part in earlier for name in computed_by(part))


def _lower_searched(environment: LoopEnvironment, statement: Statement, access: Access) -> None:
    """A sparse operand whose coordinate comes from another one: search it, and go on with or without it."""
    stored = search_coordinate(environment, access)
    origin = Origin(Role.SEARCH, None, access.tensor)
    rest = remove_absent(statement, frozenset((access,)))
    with_it = environment.child()
    if rest is not None:
        with_it.context = replace(with_it.context, searches=with_it.context.searches + 1)
        if with_it.context.searches > MOST_SEARCHES:
            raise _many_searches(access.tensor)
    with environment.kernel.names.scope():
        lower_statement(with_it, statement)
    otherwise: Block | None = None
    if rest is None:
        leave_out(environment, statement)
    else:
        without_it = environment.child()
        without_it.context = replace(without_it.context, searches=with_it.context.searches)
        note_absent(without_it, statement, rest)
        without_it.note_repeats(find_repeated_loops(environment.kernel.graph, rest))
        with environment.kernel.names.scope():
            lower_statement(without_it, rest)
        otherwise = without_it.builder.block()
    environment.emit(If(stored, with_it.builder.block(), origin, otherwise))


def _many_searches(tensor: str) -> Refusal:
    return Refusal(
        "schedule/many-searches",
        f"more than {MOST_SEARCHES} sparse terms are searched at coordinates of one statement, {tensor} among them: "
        f"each may be there or not, and every combination would be a copy of what is computed. Store {tensor} dense, "
        "or compute some of the terms in a statement of their own.",
        expected=f"at most {MOST_SEARCHES} terms that are searched",
        actual=f"more than {MOST_SEARCHES}",
    )


def lower_series(environment: LoopEnvironment, statement: Series) -> None:
    """One after the other. Where two of them combine into the same result, what an earlier one computed is there
    already, so that none is the first to its places."""
    computed = [name for statement in statement.statements for name in computed_by(statement)]
    if len(set(computed)) == len(computed) and not statement.cases:
        for part in statement.statements:
            lower_statement(environment.at_same_point(), part)
        return
    environment.restrict_writes(False)
    if statement.cases:
        _lower_cases(environment, statement)
        return
    for number, part in enumerate(statement.statements):
        if number > 0:
            _meet(environment)
        lower_statement(environment, part)


def _meet(environment: LoopEnvironment) -> None:
    """Within a block or warp of a GPU other threads than before may come to the same places: all wait for one
    another."""
    around = environment.context.nest.parallel
    units = {tag.unit for _, tag in around}
    if LoopKind.GPU_BLOCK in units and LoopKind.GPU_THREAD not in units:
        scope = GroupScope.WARP if LoopKind.GPU_WARP in units else GroupScope.BLOCK
        variable, tag = around[-1]
        environment.emit(Barrier(scope, Origin(Role.REDUCTION, variable, command=tag.command)))


def _lower_cases(environment: LoopEnvironment, statement: Series) -> None:
    """The one statement whose turn it is; the last one needs no test where every other has had its own."""
    origins: list[tuple[Expr, Block, Origin]] = []
    relation = relation_below(environment.kernel.graph, statement.cases[0])
    assert relation is not None
    (whole,) = relation.children
    complete = statement.cases == relation.parents
    for case, part in zip(statement.cases, statement.statements, strict=True):
        inner = environment.child()
        with environment.kernel.names.scope():
            turn = relation.case(case, inner)
            recover_coordinates(inner)
            lower_statement(inner, part)
        value = environment.value(whole)
        condition = build.compare("<", value, turn.upper)
        if not complete:
            condition = build.both(build.compare(">=", value, turn.lower), condition)
        origins.append((condition, inner.builder.block(), Origin(Role.BOUNDS, case, command=relation.command)))
    chain: Block | None = origins.pop()[1] if complete else None
    for condition, body, origin in reversed(origins):
        chain = Block((If(condition, body, origin, chain),))
    assert chain is not None
    environment.emit(chain)


def lower_forall(environment: LoopEnvironment, statement: Forall) -> None:
    """One loop of the nest, and what its iterations add into."""
    variable, graph = statement.variable, environment.kernel.graph
    access = find_single_position(environment, variable, statement.body)
    if access is not None:
        lower_single_position(environment, access, variable, statement.body, lower_statement)
        return
    if lower_column_fill(environment, statement, lower_statement):
        return
    load_before(environment, statement)
    accumulation, inner = find_accumulation(environment, statement), environment.at_same_point()
    if not accumulation.stores_once:
        stores = assignments_to_memory(environment, statement)
        inner.restrict_writes(not any(races_with(graph, variable, assign.target) for assign in stores))
    accumulator = accumulation.enter(environment, inner)
    _lower_loop(inner, statement)
    accumulator.leave(environment, inner)


def _lower_loop(environment: LoopEnvironment, statement: Forall) -> None:
    """The loop, in an environment of its own: driven by sparse levels, or over a range."""
    if lower_repeats(environment, statement, lower_statement):
        return
    variable, graph = statement.variable, environment.kernel.graph
    known, reductions = coordinates_known_in(environment, variable), _shared_scalars(environment, statement)
    merged = merged_coordinates(environment, statement, known)
    if merged:
        lower_coiteration(environment, variable, merged[0], statement.body, lower_statement, reductions)
    else:
        by_position = [coordinate for coordinate in known if position_relation(graph, coordinate) is not None]
        environment.restrict_writes(all(_decides(environment, coordinate) for coordinate in by_position))
        lower_range_loop(environment, variable, statement.body, lower_statement, reductions)


def _decides(environment: LoopEnvironment, variable: str) -> bool:
    """The positions that the loop over ``variable`` visits are those of the result, too."""
    relation = position_relation(environment.kernel.graph, variable)
    return relation is not None and environment.kernel.output.owner(relation.last_level) == relation.access


def _shared_scalars(environment: LoopEnvironment, statement: Forall) -> tuple[Reduction, ...]:
    """Scalars from outside that the iterations of a parallel loop add into."""
    if statement.variable not in environment.kernel.graph.parallel:
        return ()
    written = {a.target.tensor: a.operator for _, a in assignments(statement) if a.operator != "="}
    destinations = ((tensor, environment.destination(tensor)) for tensor in sorted(written))
    return tuple(
        Reduction(destination.scalar.name, ASSIGNMENTS[written[tensor]])
        for tensor, destination in destinations
        if destination is not None and destination.scalar is not None
    )


def lower_assign(environment: LoopEnvironment, statement: Assign) -> None:
    """Compute and store; while coordinates are counted, only note which ones of a workspace are written."""
    target, graph = statement.target, environment.kernel.graph
    if not environment.context.counting:
        expression = statement.expression
        if environment.kernel.padding is Padding.LEFT_OUT:
            expression = without_padding(graph.signature, expression)
        value = convert(compute_present(environment, expression), written_dtype(environment, target.tensor))
        value = repeat_value(environment, target.tensor, value, statement.operator)
        store(environment, target, value, statement.operator)
    elif target.tensor in graph.workspaces and target.indices:
        store(environment, target, build.FALSE, statement.operator)
    presence = environment.context.appending.presence if environment.context.appending is not None else None
    if target.tensor == environment.kernel.result and presence is not None:
        environment.emit(AssignScalar(presence.name, build.TRUE, Origin(Role.ASSEMBLY, None, target.tensor)))
