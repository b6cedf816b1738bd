"""Where the memory of temporaries lives, and how much of it there is, once statements share loops.

A temporary that is read only by statements behind it in the same iteration dies there: it needs no dimension for the
loops around, down to a scalar. What others read outside, or the caller gets, keeps its memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where, Workspace
from heddle.iteration_graph.graph.provenance import all_assignments, leaves, reads
from heddle.iteration_graph.graph.sequence import computed_by, in_order, join_statements, outermost
from heddle.notation.nodes import Access, accesses, coordinate_variables, with_computed


def with_lifetimes(graph: IterationGraph) -> IterationGraph:
    """The same statements, each temporary with as much memory as its place asks for."""
    held = {name: workspace for name, workspace in graph.workspaces.items() if name in graph.signature.temporaries}
    written = {assign.target.tensor: assign.target for _, assign in all_assignments(graph)}
    sizes: dict[str, tuple[int, ...] | None] = dict.fromkeys(held)

    def visit(statement: Statement, around: tuple[str, ...]) -> Statement:
        parts = [place_inside(part, around) for part in in_order(statement)]
        if len(parts) == 1:
            return parts[0]
        if not around:
            return outermost(_with_workspaces(graph, parts) if graph.signature.stored_temporaries else parts)
        dying: list[str] = []
        for number, part in enumerate(parts[:-1]):
            computed = computed_by(part)
            if len(computed) == 1 and _dies(graph, computed[0], written[computed[0]], parts[number + 1 :], around):
                dying.append(computed[0])
                if computed[0] in held:
                    sizes[computed[0]] = _find_remaining_dimensions(graph, written[computed[0]], around)
        return join_statements(parts, dying)

    def place_inside(statement: Statement, around: tuple[str, ...]) -> Statement:
        match statement:
            case Forall(variable=variable, body=body):
                return Forall(variable, visit(body, (*around, variable)))
            case Series():
                return replace(
                    statement, statements=tuple(visit(statement, around) for statement in statement.statements)
                )
            case Assign():
                return statement
            case Where():
                raise TypeError("a sequence inside of a sequence")
            case _:
                raise TypeError(f"unexpected statement {statement!r}")

    statement = visit(graph.statement, ())
    sized_workspaces = {name: _size(workspace, written.get(name), sizes[name]) for name, workspace in held.items()}
    return replace(graph, statement=statement, workspaces={**graph.workspaces, **sized_workspaces})


def _with_workspaces(graph: IterationGraph, parts: Iterable[Statement]) -> list[Statement]:
    """The statements of the program, each with the workspaces in front of it: they belong to its section."""
    statements: list[Statement] = []
    workspaces: list[Statement] = []
    for part in parts:
        workspaces.append(part)
        if not {*computed_by(part)} <= {*graph.workspaces} - {*graph.signature.temporaries}:
            statements.append(outermost(workspaces))
            workspaces = []
    return statements


def _dies(
    graph: IterationGraph, name: str, write: Access, behind: Iterable[Statement], around: tuple[str, ...]
) -> bool:
    """Whether nobody but the statements ``behind`` reads it, and those in the iteration that computes it."""
    program = graph.signature.program
    if name not in graph.workspaces or (program is not None and name in program.exported):
        return False
    inside = {access for statement in behind for access in reads(statement, name)}
    if inside != set(reads(graph.statement, name)) or _is_index(graph, name):
        return False
    gone = [dimension for dimension in range(len(write.indices)) if _is_around(graph, write.indices[dimension], around)]
    return all(access.indices[dimension] == write.indices[dimension] for access in inside for dimension in gone)


def _is_index(graph: IterationGraph, name: str) -> bool:
    """Whether coordinates are computed of it."""
    read = [access for _, assign in all_assignments(graph) for access in accesses(assign.expression)]
    every = with_computed(read, graph.signature.program)
    return any(access.tensor == name for access in every[:]) and sum(a.tensor == name for a in every) > sum(
        a.tensor == name for a in read
    )


def _find_remaining_dimensions(graph: IterationGraph, write: Access, around: tuple[str, ...]) -> tuple[int, ...]:
    """The dimensions for which there is memory: those that no loop around decides."""
    return tuple(d for d, index in enumerate(write.indices) if not _is_around(graph, index, around))


def _is_around(graph: IterationGraph, index: str, around: tuple[str, ...]) -> bool:
    needed = {
        leaf for variable in coordinate_variables(index, graph.signature.program) for leaf in leaves(graph, variable)
    }
    return needed <= set(around)


def _size(workspace: Workspace, write: Access | None, stored_dimensions: tuple[int, ...] | None) -> Workspace:
    if write is None:
        return workspace
    dimensions = tuple(range(len(write.indices))) if stored_dimensions is None else stored_dimensions
    return replace(workspace, variables=tuple(write.indices[d] for d in dimensions), dimensions=dimensions)
