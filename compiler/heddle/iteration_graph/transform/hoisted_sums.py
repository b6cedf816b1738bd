"""Precompute where the part is a whole sum: the number that a ``where`` adds up becomes an array, which is added up for
all elements before any of them is used (docs/sources.toml T31).

``∀i (S[t] where ∀k t += e)`` becomes ``(∀i S[w(i)]) where (∀iw ∀k w(iw) += e)``: scalar expansion. The loops over ``k``
and ``i`` are one nest then, which can be reordered and cut.
"""

from __future__ import annotations

from dataclasses import replace

from heddle.iteration_graph.algebra.constants import identity
from heddle.iteration_graph.build.sum_distribution import variables_of
from heddle.iteration_graph.graph.constraining_relation import constraining_relations
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Where, Workspace
from heddle.iteration_graph.graph.provenance import all_assignments, leaves
from heddle.iteration_graph.transform.copied_formulas import Copies
from heddle.iteration_graph.transform.producer_variables import (
    Precomputed,
    copied_tags,
    copy_variables,
    names_of_copies,
    nest,
    producer_of,
    walking,
)
from heddle.iteration_graph.transform.shared_loops import changed_assigns
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import (
    Access,
    Expression,
    Literal,
    accesses,
    coordinate_variables,
    operands_of,
    with_operands,
)


def sum_before_loops(
    graph: IterationGraph, wanted: Precomputed, outside: tuple[str, ...], chain: list[str], core: Where
) -> IterationGraph | None:
    """The graph in which the sum that ``core``, inside the loops ``chain``, computes first is computed in front of the
    loops ``wanted.over``; None where it computes another, or is not under these loops."""
    sums: list[str] = []
    inner = core.producer
    while isinstance(inner, Forall):
        sums.append(inner.variable)
        inner = inner.body
    if not isinstance(inner, Assign) or inner.expression != wanted.part or not {*wanted.over} <= {*chain}:
        return None
    number = graph.workspaces.get(inner.target.tensor)
    if number is None or number.variables or number.name in graph.signature.temporaries or inner.operator == "=":
        return None
    program = graph.signature.program
    needed = {name for variable in variables_of(wanted.part) for name in coordinate_variables(variable, program)}
    first = min(chain.index(variable) for variable in wanted.over)
    around = chain[first:]
    indices = [v for v in around if v in wanted.over or any(v in leaves(graph, variable) for variable in needed)]
    for relation in constraining_relations(graph):
        relation.check_workspace(graph, [], indices)
    copies = names_of_copies(graph, wanted, indices)
    copied, names = copy_variables(graph, copies)
    copied = copied_tags(copied, graph, copies)
    start = identity(ASSIGNMENTS[inner.operator], number.dtype)
    # A sum has a value for every element, as its number had: what is not stored divided by it is not stored either.
    nowhere = None if start is None or start == 0 else Literal(start, None, number.dtype)
    read = Access(wanted.name, tuple(indices), dtype=number.dtype, background=nowhere)
    written = replace(read, indices=tuple(names[loop] for loop in indices))
    formulas = Copies.of(copied)
    part = formulas.expression(inner.expression, names)
    copied = formulas.into(copied)
    loops = [names.get(loop, loop) for loop in (*indices, *sums)]
    producer = nest(loops, Assign(written, inner.operator, part))
    consumer = changed_assigns(
        core.consumer, lambda assign: replace(assign, expression=_replace(assign.expression, number.name, read))
    )
    statement = nest(chain[:first], Where(nest(around, consumer), producer))
    others = {
        access for _, assign in all_assignments(graph) if assign is not inner for access in accesses(assign.expression)
    }
    walked = {*accesses(inner.expression)} - others
    workspaces = {name: workspace for name, workspace in graph.workspaces.items() if name != number.name}
    return replace(
        copied,
        relations=tuple(walking(relation, walked, graph, names) for relation in copied.relations),
        statement=statement,
        workspaces={**workspaces, wanted.name: Workspace(wanted.name, number.dtype, tuple(indices))},
        producers=(*graph.producers, producer_of(wanted, graph, names)),
    )


def _replace(expression: Expression, tensor: str, read: Access) -> Expression:
    if isinstance(expression, Access):
        return read if expression.tensor == tensor else expression
    return with_operands(expression, [_replace(part, tensor, read) for part in operands_of(expression)])
