"""What is computed first, and a second set of variables for it: a producer recovers its own coordinates from its own
loops (docs/sources.toml T31)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from heddle.iteration_graph.graph.nodes import Forall, IterationGraph, ProducerCopies, Statement
from heddle.iteration_graph.graph.positions import Positions
from heddle.iteration_graph.graph.provenance import all_loops, leaves, variables
from heddle.iteration_graph.graph.relation import Relation
from heddle.names import Names
from heddle.notation.nodes import Access, Expression


@dataclass(frozen=True, slots=True)
class Precomputed:
    """What to compute first: ``part``, for every value of the loops ``over``, into the workspace ``name``. ``copies``
    names the loops of the producer. ``command`` is None where no command asks for it."""

    part: Expression
    over: tuple[str, ...]
    copies: tuple[str, ...]
    name: str
    command: int | None = None


def copy_variables(graph: IterationGraph, names: dict[str, str]) -> tuple[IterationGraph, dict[str, str]]:
    """``names`` maps loop variables to new ones. Everything that these loops determine is copied with its relations.

    Returns the graph that knows the copies, and all of them by the variable that each stands for.
    """
    fresh = Names({*variables(graph), *graph.signature.tensors, *graph.workspaces, *names.values()})
    copies, copied = dict(names), list[Relation]()
    # An earlier producer may have put the relation above a loop behind those below it: once more from the end, then.
    while above := [r for r in graph.relations if r not in copied and any(child in copies for child in r.children)]:
        relation = above[-1]
        for parent in relation.parents:
            if parent not in copies:
                copies[parent] = fresh.fresh(f"{parent}w")
        copied.append(relation)
    relations = [relation.rename(copies) for relation in reversed(copied)]
    roots = {copies[root]: graph.copies.get(root, root) for root in graph.underived if root in copies}
    changed = replace(
        graph,
        relations=(*graph.relations, *relations),
        underived=(*graph.underived, *roots),
        copies={**graph.copies, **roots},
    )
    return changed, copies


def fresh_copy(graph: IterationGraph, variable: str) -> str:
    """A name for a copy of ``variable``."""
    reserved = {*variables(graph), *all_loops(graph), *graph.signature.tensors, *graph.workspaces}
    return Names(reserved).fresh(f"{variable}w")


def producer_of(wanted: Precomputed, graph: IterationGraph, names: dict[str, str]) -> ProducerCopies:
    """What its loops stand for."""
    copied = [variable for variable in graph.underived if variable in names]
    return ProducerCopies(wanted.name, wanted.command, tuple(copied), tuple(names[variable] for variable in copied))


def walking(relation: Relation, walked: set[Access], graph: IterationGraph, names: dict[str, str]) -> Relation:
    """Positions of an access that is read in the producer alone, by loops that were not copied for it, are positions of
    the access as it is read there."""
    positions = relation.space
    if not isinstance(positions, Positions) or positions.access not in walked:
        return relation
    if set(leaves(graph, positions.position)) & set(names):
        return relation
    indices = tuple(names.get(index, index) for index in positions.access.indices)
    return relation.reading(replace(positions.access, indices=indices))


def names_of_copies(graph: IterationGraph, wanted: Precomputed, indices: Sequence[str]) -> dict[str, str]:
    """The producer's name for each loop; those that the command did not name get one."""
    copy_names = dict(zip(wanted.over, wanted.copies, strict=True))
    reserved = {*graph.underived, *(c for r in graph.relations for c in r.children), *copy_names.values()}
    names = Names({*reserved, *graph.signature.tensors, *graph.workspaces, wanted.name})
    return {loop: copy_names.get(loop) or names.fresh(f"{loop}w") for loop in indices}


def copied_tags(copied: IterationGraph, graph: IterationGraph, copies: dict[str, str]) -> IterationGraph:
    """A producer's loop unrolls as the one that it is copied from."""
    unroll = {copies[loop]: tag for loop, tag in graph.unroll.items() if loop in copies}
    return replace(copied, unroll={**graph.unroll, **unroll})


def nest(loops: Sequence[str], statement: Statement) -> Statement:
    """``statement`` inside of the loops, the first one outermost."""
    for loop in reversed(loops):
        statement = Forall(loop, statement)
    return statement
