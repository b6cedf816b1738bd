"""graph.*, lattice.* and code.*: the shape of the loops, before anything runs."""

from __future__ import annotations

from typing import Any, cast

from heddle.iteration_graph.analysis.iterated import lattice_at
from heddle.iteration_graph.graph.nodes import Where
from heddle.iteration_graph.graph.provenance import assignments, coordinates, is_position, loop_variables, roots
from heddle.loop_ir.nodes import For, Stmt, While
from heddle.loop_ir.walk import children, statements
from heddle.schedule.primitives.precompute import Precompute
from heddle_server.lessons.condition import Value
from heddle_server.lessons.evidence import Evidence, Unknown
from heddle_server.lessons.predicates.predicate import VARIABLE, predicate


@predicate("graph.has", "truth", ("relation", "word"))
def has(evidence: Evidence, relation: str) -> Value:
    """Whether some command made this relation: split, divide, fuse, pos, bound, precompute, balance and others."""
    names = {command.spec.name for command in evidence.result.commands}
    return relation in names or any(loop_relation.kind == relation for loop_relation in evidence.graph.relations)


@predicate("graph.order", "list")
def order(evidence: Evidence) -> Value:
    """The loops around the last statement, outermost first, as a list of variables."""
    return tuple(assignments(evidence.graph.statement)[-1][0])


@predicate("graph.loops", "loops")
def loops(evidence: Evidence) -> Value:
    """How many different loops the plan has."""
    return len(loop_variables(evidence.graph.statement))


@predicate("graph.space", "text", VARIABLE)
def space(evidence: Evidence, variable: str) -> Value:
    """position for a variable that runs over stored positions, else coordinate."""
    return "position" if is_position(evidence.graph, variable) else "coordinate"


@predicate("graph.unit", "text", VARIABLE)
def unit(evidence: Evidence, variable: str) -> Value:
    """What the loop runs on: CPUThread, CPUVector, GPUBlock …, or NotParallel."""
    binding = evidence.graph.parallel.get(variable)
    return binding.unit.value if binding is not None else "NotParallel"


def loops_over(evidence: Evidence, variable: str) -> list[str]:
    """The parallel loops over a variable of the expression, or over what split, divide and others made of it."""
    graph = evidence.graph
    if variable not in graph.underived:
        raise Unknown(f"there is no variable {variable}: the expression has {', '.join(graph.underived)}")
    return [loop for loop in graph.parallel if variable in roots(graph, loop)]


@predicate("graph.runs_on", "truth", VARIABLE, ("unit", "word"))
def runs_on(evidence: Evidence, variable: str, unit: str) -> Value:
    """Whether a loop over a variable of the expression, or over what split, divide, fuse … made of it, runs on a unit:
    CPUThread, CPUVector, GPUBlock … The variables of a format in parts end in the name of the part, as i_csr."""
    return any(evidence.graph.parallel[loop].unit.value == unit for loop in loops_over(evidence, variable))


@predicate("graph.tile", "iterations", VARIABLE)
def tile(evidence: Evidence, variable: str) -> Value:
    """How many iterations of a variable a tile has into which split cuts it; 0 where split does not cut it."""
    sizes = [
        cast(Any, relation).size
        for relation in evidence.graph.relations
        if relation.kind == "split" and variable in relation.parents
    ]
    return sizes[0] if sizes else 0


@predicate("graph.pieces", "pieces", VARIABLE)
def pieces(evidence: Evidence, variable: str) -> Value:
    """Into how many pieces divide or balance cuts a variable of the expression, or its positions, where the loop over
    the pieces runs in parallel; 0 where none does."""
    loops = loops_over(evidence, variable)
    cuts: list[Any] = [relation for relation in evidence.graph.relations if relation.kind in ("divide", "balance")]
    return next((cut.count for cut in cuts if cut.outer in loops), 0)


@predicate("graph.precomputes", "truth", VARIABLE)
def precomputes(evidence: Evidence, variable: str) -> Value:
    """Whether the workspace of a precompute holds a value for each coordinate of a variable."""
    commands = [command.command for command in evidence.result.commands]
    _ = evidence.graph
    return any(isinstance(command, Precompute) and variable in command.variables for command in commands)


@predicate("graph.parallel", "loops")
def parallel(evidence: Evidence) -> Value:
    """How many loops run in parallel."""
    return len(evidence.graph.parallel)


@predicate("graph.written", "commands")
def written(evidence: Evidence) -> Value:
    """Commands of the schedule as it was handed in. Those that the compiler adds for a GPU where there are none do not
    count."""
    return len(evidence.written)


@predicate("graph.branches", "branches")
def branches(evidence: Evidence) -> Value:
    """Branches of the iteration graph: 1 where there is no workspace, 2 for a producer and a consumer."""
    return len(assignments(evidence.graph.statement))


@predicate("graph.workspaces", "workspaces")
def workspaces(evidence: Evidence) -> Value:
    """How many workspaces there are, those of commands and those that the result needs."""

    def inside(statement: object) -> int:
        if isinstance(statement, Where):
            return 1 + inside(statement.consumer) + inside(statement.producer)
        body = getattr(statement, "body", None)
        return 0 if body is None else inside(body)

    return inside(evidence.graph.statement)


@predicate("lattice.points", "points", VARIABLE)
def points(evidence: Evidence, variable: str) -> Value:
    """Points of the merge lattice at a variable of the expression: the cases of its loop."""
    if variable not in coordinates(evidence.graph):
        raise Unknown(f"there is no lattice at {variable}: it is no variable of the expression")
    return len(lattice_at(evidence.graph, variable))


@predicate("code.count", "statements", ("role", "word"), ("inside", "word"), optional=1)
def count(evidence: Evidence, role: str, inside: str | None = None) -> Value:
    """Statements of the loops with a role: guard, search, recovery, reduction, bounds …; with inside = innermost, those
    in loops without loops in them."""
    body = evidence.function.body
    within = list(_innermost(body)) if inside == "innermost" else [body]
    matches = [statement for part in within for statement in statements(part) if _role(statement) == role]
    return len(matches)


@predicate("code.loops", "loops")
def code_loops(evidence: Evidence) -> Value:
    """Loops of the code, those of a tail or of another case counted too."""
    return sum(isinstance(statement, For | While) for statement in statements(evidence.function.body))


@predicate("code.lines", "lines")
def lines(evidence: Evidence) -> Value:
    """Lines of the structured loops."""
    text = evidence.result.structured
    return len(text.text.splitlines()) if text is not None else 0


def _role(statement: Stmt) -> str | None:
    origin = getattr(statement, "origin", None)
    return origin.role.value if origin is not None else None


def _innermost(statement: Stmt) -> list[Stmt]:
    loops = [part for child in children(statement) for part in _innermost(child)]
    return loops or ([statement] if isinstance(statement, For | While) else [])


PREDICATES = (
    *(has, order, loops, space, unit, runs_on, tile, pieces, precomputes, parallel, written),
    *(branches, workspaces, points, count, code_loops, lines),
)
