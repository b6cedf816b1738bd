"""Statements that stand one after the other in front of the same loops, whatever holds them together: ``where`` (what
the first computes dies here) or a series (it is kept)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from heddle.iteration_graph.graph.provenance import all_assignments, assignments, reads


def in_order(statement: Statement) -> list[Statement]:
    """The statements of a sequence in the order in which they run; one that is no sequence is its only one."""
    match statement:
        case Where(consumer=consumer, producer=producer):
            return [*in_order(producer), *in_order(consumer)]
        case Series(statements=statements, cases=()):
            return [step for part in statements for step in in_order(part)]
        case _:
            return [statement]


def computed_by(statement: Statement) -> list[str]:
    """The tensors that a statement leaves behind, without those that die inside it."""
    match statement:
        case Forall(body=body):
            return computed_by(body)
        case Where(consumer=consumer):
            return computed_by(consumer)
        case Series(statements=statements):
            return list(dict.fromkeys(name for statement in statements for name in computed_by(statement)))
        case Assign(target=target):
            return [target.tensor]
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def read_by(graph: IterationGraph, statement: Statement) -> set[str]:
    """The temporaries that a statement reads, those of its coordinates as well."""
    from heddle.notation.nodes import accesses, with_computed

    program = graph.signature.program
    reads = (a for _, assign in assignments(statement) for a in with_computed(accesses(assign.expression), program))
    held = {*graph.workspaces, *graph.signature.stored_temporaries}
    return {access.tensor for access in reads if access.tensor in held}


def join_statements(statements: Sequence[Statement], dies: Iterable[str]) -> Statement:
    """The sequence of ``statements``. What is in ``dies`` is read in it alone; all other tensors are kept."""
    private = set(dies)

    def prepend(rest: Statement, first: Statement) -> Statement:
        tensors = computed_by(first)
        if len(tensors) == 1 and tensors[0] in private:
            return Where(rest, first)
        others = rest.statements if isinstance(rest, Series) and not rest.cases else (rest,)
        return Series((first, *others))

    *earlier, last = statements
    return reduce(prepend, reversed(earlier), last)


def outermost(statements: Sequence[Statement]) -> Statement:
    """The sequence of a whole program: the memory of what each computes is made in front of it, or passed."""
    *earlier, last = statements
    return reduce(lambda rest, first: Where(rest, first), reversed(earlier), last)


def kept_tensors(graph: IterationGraph) -> frozenset[str]:
    """Workspaces whose memory no ``where`` makes: statements inside of shared loops compute them, and others read them
    outside, or the caller does."""
    named: set[str] = set()

    def visit(statement: Statement) -> None:
        match statement:
            case Forall(body=body):
                visit(body)
            case Where(consumer=consumer, producer=producer):
                named.add(assignments(producer)[-1][1].target.tensor)
                visit(consumer)
                visit(producer)
            case Series(statements=statements):
                for part in statements:
                    visit(part)
            case Assign():
                return
            case _:
                raise TypeError(f"unexpected statement {statement!r}")

    visit(graph.statement)
    written = {assign.target.tensor for _, assign in all_assignments(graph)}
    return frozenset((written & set(graph.workspaces)) - named)


def reads_of(statements: Iterable[Statement], tensor: str) -> bool:
    """Whether one of the statements reads ``tensor`` by name."""
    return any(reads(statement, tensor) for statement in statements)
