"""A temporary's definition where it is read (docs/sources.toml C9).

A definition without sums takes the place of the read. One with sums becomes a number that is computed in front of the
statement that reads it, for each read.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from heddle.iteration_graph.algebra.type_promotion import expression_dtype
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Statement, Where, Workspace
from heddle.iteration_graph.graph.provenance import all_assignments, assignments, loop_variables, reads
from heddle.iteration_graph.graph.sequence import computed_by, in_order, join_statements
from heddle.iteration_graph.transform.copied_formulas import Copies
from heddle.iteration_graph.transform.lifetimes import with_lifetimes
from heddle.iteration_graph.transform.shared_loops import changed_assigns, with_sequence
from heddle.notation.nodes import Access, Call, Expression, accesses, operands_of, with_computed, with_operands


@dataclass(slots=True)
class _Made:
    """What the copies of a definition add to the graph."""

    formulas: Copies
    workspaces: dict[str, Workspace] = field(default_factory=dict)
    underived: list[str] = field(default_factory=list)
    copies: dict[str, str] = field(default_factory=dict)
    used: bool = False
    """The definition's own variables belong to a copy already."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a temporary is computed: by statement ``at`` of the sequence ``parts`` inside the loops ``around``, with
    the ``sums`` of the same sequence that it alone reads."""

    around: tuple[str, ...]
    parts: tuple[Statement, ...]
    at: int
    sums: tuple[int, ...]

    @property
    def definition(self) -> Statement:
        producers = [self.parts[number] for number in self.sums]
        return join_statements(
            [*producers, self.parts[self.at]], [name for producer in producers for name in computed_by(producer)]
        )


def place_of(graph: IterationGraph, name: str) -> Place | None:
    """Where ``name`` is computed and nothing but sums beside it; None where it shares its loops with other
    temporaries."""

    def visit(statement: Statement, around: tuple[str, ...]) -> Place | None:
        parts = tuple(in_order(statement))
        for number, part in enumerate(parts):
            written = {assign.target.tensor for _, assign in assignments(part)}
            if name not in written:
                continue
            if not (written - {name}) & {*graph.signature.temporaries, *graph.signature.tensors}:
                return Place(around, parts, number, _sums(graph, parts, number))
            return visit(part.body, (*around, part.variable)) if isinstance(part, Forall) else None
        return None

    return visit(graph.statement, ())


def _sums(graph: IterationGraph, parts: tuple[Statement, ...], reader: int) -> tuple[int, ...]:
    """The statements in front of ``reader`` that compute numbers for it alone, some of them for others of these."""
    statement_numbers = [reader]
    for number in range(reader - 1, -1, -1):
        computed = computed_by(parts[number])
        if len(computed) != 1 or computed[0] in graph.signature.temporaries or computed[0] not in graph.workspaces:
            continue
        readers = [place for place, part in enumerate(parts) if reads(part, computed[0])]
        if readers and set(readers) <= set(statement_numbers):
            statement_numbers.insert(0, number)
    return tuple(statement_numbers[:-1])


def inline(graph: IterationGraph, name: str, place: Place) -> IterationGraph:
    """The graph in which every read of ``name`` is its definition, whose loops no command cut."""
    definition = place.definition
    write = next(assign.target for _, assign in assignments(definition) if assign.target.tensor == name)
    loops = _without_loops(definition, frozenset(write.indices))
    additions = _Made(Copies.of(graph))

    def read_here(assign: Assign) -> Statement:
        read_accesses = [access for access in dict.fromkeys(accesses(assign.expression)) if access.tensor == name]
        producers: list[Statement] = []
        expression = assign.expression
        for access in read_accesses:
            value, before = _copy(graph, loops, write, access, additions)
            expression = _replace(expression, access, value)
            producers += before
        result: Statement = Assign(assign.target, assign.operator, expression)
        for producer in reversed(producers):
            result = Where(result, producer)
        return result

    left = [part for number, part in enumerate(place.parts) if number != place.at and number not in place.sums]
    without = with_sequence(graph, place.around, left)
    statement = changed_assigns(without.statement, read_here)
    gone = set(loop_variables(definition)) - set(loop_variables(statement))
    workspaces = {key: workspace for key, workspace in without.workspaces.items() if key != name} | additions.workspaces
    return with_lifetimes(
        replace(
            additions.formulas.into(graph),
            statement=statement,
            workspaces={key: _read_elsewhere(workspace, statement, gone) for key, workspace in workspaces.items()},
            underived=(*(v for v in graph.underived if v not in gone), *additions.underived),
            copies={**{v: w for v, w in graph.copies.items() if v not in gone}, **additions.copies},
        )
    )


def _read_elsewhere(workspace: Workspace, statement: Statement, gone: set[str]) -> Workspace:
    """A workspace that was read in loops that are ``gone``: its memory is as long as the loops of its producer."""
    if not gone & set(workspace.variables):
        return workspace
    written = next(assign.target for _, assign in assignments(statement) if assign.target.tensor == workspace.name)
    dimensions = range(len(written.indices)) if workspace.dimensions is None else workspace.dimensions
    return replace(workspace, variables=tuple(written.indices[dimension] for dimension in dimensions))


def _without_loops(statement: Statement, variables: frozenset[str]) -> Statement:
    match statement:
        case Forall(variable=variable, body=body):
            inner = _without_loops(body, variables)
            return inner if variable in variables else Forall(variable, inner)
        case Where(consumer=consumer, producer=producer):
            return Where(_without_loops(consumer, variables), producer)
        case _:
            return statement


def _copy(
    graph: IterationGraph, statement: Statement, write: Access, read: Access, additions: _Made
) -> tuple[Expression, list[Statement]]:
    """The value of the definition at ``read``, and what is computed in front of it."""
    formulas = additions.formulas
    indices = dict(zip(write.indices, read.indices, strict=True))
    for variable in loop_variables(statement):
        copy = formulas.names.fresh(variable) if additions.used else variable
        if additions.used:
            additions.underived.append(copy)
            additions.copies[copy] = graph.copies.get(variable, variable)
            if variable in formulas.extents:
                formulas.extents[copy] = formulas.extents[variable]
        indices[variable] = copy
    sums = dict.fromkeys(
        assign.target.tensor for _, assign in assignments(statement) if assign.target.tensor != write.tensor
    )
    tensors = {name: formulas.names.fresh(name) if additions.used else name for name in sums}
    additions.workspaces.update({new: replace(graph.workspaces[old], name=new) for old, new in tensors.items()})
    additions.used = True
    *before, last = in_order(formulas.statement(statement, indices, tensors))
    dtype = graph.workspaces[write.tensor].dtype
    if isinstance(last, Assign) and last.operator == "=":
        value = last.expression
        return value if expression_dtype(value) == dtype else Call(dtype, (value,)), before
    number = formulas.names.fresh(write.tensor)
    additions.workspaces[number] = Workspace(number, dtype)

    def into(assign: Assign) -> Statement:
        if assign.target.tensor != write.tensor:
            return assign
        return replace(assign, target=replace(assign.target, tensor=number, indices=()))

    return Access(number, (), dtype=dtype), [*before, changed_assigns(last, into)]


def _replace(expression: Expression, access: Access, value: Expression) -> Expression:
    if expression == access:
        return value
    return with_operands(expression, [_replace(part, access, value) for part in operands_of(expression)])


def is_index(graph: IterationGraph, name: str) -> bool:
    """Whether a coordinate is computed of ``name``."""
    program = graph.signature.program
    for _, assign in all_assignments(graph):
        operands = accesses(assign.expression)
        if sum(a.tensor == name for a in with_computed(operands, program)) > sum(a.tensor == name for a in operands):
            return True
    return False
