"""Precompute: a part of an expression is computed into a workspace first (docs/sources.toml T31)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from heddle.iteration_graph.algebra.constants import identity
from heddle.iteration_graph.algebra.lattice import elsewhere
from heddle.iteration_graph.algebra.subexpressions import replace_part
from heddle.iteration_graph.algebra.type_promotion import held_dtype
from heddle.iteration_graph.analysis.assembly import Appended, assembly_of
from heddle.iteration_graph.graph.blocks import as_written
from heddle.iteration_graph.graph.constraining_relation import constraining_relations
from heddle.iteration_graph.graph.nodes import (
    Assign,
    Forall,
    IterationGraph,
    Series,
    Statement,
    Where,
    Workspace,
    WorkspaceKind,
)
from heddle.iteration_graph.graph.provenance import (
    all_assignments,
    leaves,
    level_variables,
    remember,
    roots,
    variables,
)
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.relation import Relation
from heddle.iteration_graph.transform.copied_formulas import Copies
from heddle.iteration_graph.transform.hoisted_sums import sum_before_loops
from heddle.iteration_graph.transform.loop_division import LoopDivision, divide_loops
from heddle.iteration_graph.transform.producer_variables import (
    Precomputed,
    copied_tags,
    copy_variables,
    names_of_copies,
    nest,
    producer_of,
    walking,
)
from heddle.iteration_graph.transform.reused_parts import with_reuse
from heddle.names import Names
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import (
    Access,
    Expression,
    Literal,
    accesses,
    operands_of,
    with_operands,
)
from heddle.notation.printer import to_text


def precompute(graph: IterationGraph, wanted: Precomputed) -> IterationGraph:
    """``∀i S[e]`` becomes ``∀i S[w(i)] where ∀iw w(iw) = e``: loops that only ``e`` needs move to the producer, and
    sum there. Statements behind it that compute the part, too, read the workspace. Raises Refusal
    ``schedule/precompute-…`` when no statement under the loops has the part."""
    changed = _rewrite(graph, wanted, graph.statement, ())
    if changed is None:
        raise _missing_part_error(graph, wanted)
    return with_reuse(changed, wanted.name)


def _rewrite(
    graph: IterationGraph, wanted: Precomputed, statement: Statement, outside: tuple[str, ...]
) -> IterationGraph | None:
    """The graph whose statement is ``statement`` rewritten; None when the part does not occur in it."""
    chain: list[str] = []
    core = statement
    while isinstance(core, Forall):
        chain.append(core.variable)
        core = core.body
    match core:
        case Assign(expression=expression):
            if not set(wanted.over) <= set(chain) or expression not in _expressions_with(graph, wanted.part):
                return None
            return _build(graph, wanted, outside, chain, core)
        case Where(consumer=consumer, producer=producer):
            around = (*outside, *chain)
            rewritten = _rewrite(graph, wanted, consumer, around)
            if rewritten is not None:
                return rewritten.with_statement(nest(chain, Where(rewritten.statement, producer)))
            hoisted = sum_before_loops(graph, wanted, outside, chain, core)
            if hoisted is not None:
                return hoisted
            rewritten = _rewrite(graph, wanted, producer, around)
            return rewritten and rewritten.with_statement(nest(chain, Where(consumer, rewritten.statement)))
        case Series(statements=statements):
            for number, child in enumerate(statements):
                rewritten = _rewrite(graph, wanted, child, (*outside, *chain))
                if rewritten is not None:
                    others = (*statements[:number], rewritten.statement, *statements[number + 1 :])
                    return rewritten.with_statement(nest(chain, replace(core, statements=others)))
            return None
        case _:
            raise TypeError(f"unexpected statement {core!r}")


def _build(
    graph: IterationGraph, wanted: Precomputed, outside: tuple[str, ...], chain: list[str], assign: Assign
) -> IterationGraph:
    """The graph whose statement is ``chain`` around ``assign``, with the part computed first."""
    division = divide_loops(graph, wanted, chain, assign)
    for relation in constraining_relations(graph):
        relation.check_workspace(graph, division.moved, division.indices)
    copied, names = _copy_loops(graph, wanted, division)
    kind = _kind(graph, assign, division)
    if kind is WorkspaceKind.MAPPED:  # its coordinates come sorted
        division = division.in_order_of(level_variables(graph, assign.target))
    content = _content(graph, wanted, assign, kind, bool(division.moved))
    consumed = _consumed(graph, wanted, assign, division, content)
    around = (*outside, *division.outer, *division.consumer)
    consumer = nest(division.consumer, Assign(assign.target, _operator(graph, assign, around), consumed))
    copied, producer = _producer(copied, names, wanted, assign, division, content)
    walked = set(accesses(content.part)) - _read_elsewhere(graph, assign, consumed)
    return replace(
        copied,
        relations=tuple(walking(relation, walked, graph, names) for relation in copied.relations),
        statement=nest(division.outer, Where(consumer, producer)),
        workspaces={**graph.workspaces, wanted.name: Workspace(wanted.name, content.dtype, division.indices, kind)},
        producers=(*graph.producers, producer_of(wanted, graph, names)),
    )


def _copy_loops(
    graph: IterationGraph, wanted: Precomputed, division: LoopDivision
) -> tuple[IterationGraph, dict[str, str]]:
    """The graph with the variables of the producer's loops, and these by the variables that they stand for."""
    copies = names_of_copies(graph, wanted, division.indices)
    copied, names = copy_variables(graph, copies)
    return _separate_copy(copied_tags(copied, graph, copies), graph, names, division.moved), names


@dataclass(frozen=True, slots=True)
class _Content:
    """What a workspace holds.

    Attributes
    ----------
    part
        what is computed, with the dtypes and backgrounds of what it reads.
    dtype
        of each element.
    nowhere
        an element that the producer does not write; None where each is written.
    absent
        what the consumer reads there, which what is listed needs in any case.
    """

    part: Expression
    dtype: str
    nowhere: Literal | None
    absent: Literal | None


def _content(graph: IterationGraph, wanted: Precomputed, assign: Assign, kind: WorkspaceKind, sums: bool) -> _Content:
    """``sums``: the producer adds up over loops that moved to it."""
    part = _as_in(wanted.part, assign.expression)
    whole = graph.workspaces.get(assign.target.tensor) or graph.signature.result
    dtype = held_dtype(part, whole.dtype, sums and assign.operator == "+=")
    start = identity(ASSIGNMENTS[assign.operator], dtype) if sums else None
    nowhere = Literal(start, None, dtype) if start is not None else elsewhere(part)
    absent = nowhere if kind is WorkspaceKind.DENSE else nowhere or Literal(0, None, dtype)
    return _Content(part, dtype, nowhere, absent)


def _consumed(
    graph: IterationGraph, wanted: Precomputed, assign: Assign, division: LoopDivision, content: _Content
) -> Expression:
    """What the consumer assigns: the expression, which reads the workspace in place of the part."""
    read = Access(wanted.name, division.indices, dtype=content.dtype, background=content.absent)
    expression = replace_part(assign.expression, wanted.part, read)
    assert expression is not None
    return expression


def _operator(graph: IterationGraph, assign: Assign, around: tuple[str, ...]) -> str:
    """How the consumer assigns: ``=`` where nothing adds to what it stores, be it a loop ``around`` it, what the result
    holds, or another statement of a series."""
    reduces = any(set(roots(graph, loop)) - set(assign.target.indices) for loop in around)
    accumulates = graph.signature.accumulates and assign.target.tensor == graph.signature.result.name
    accumulates |= any(other.target.tensor == assign.target.tensor for other in _beside(graph, assign))
    return assign.operator if reduces or accumulates or assign.operator not in ("=", "+=") else "="


def _producer(
    copied: IterationGraph,
    names: dict[str, str],
    wanted: Precomputed,
    assign: Assign,
    division: LoopDivision,
    content: _Content,
) -> tuple[IterationGraph, Statement]:
    """What computes the workspace, in loops of its own, and the graph that knows the formulas in it."""
    loops = [names.get(loop, loop) for loop in division.producer]
    indices = tuple(names[loop] for loop in division.indices)
    written = Access(wanted.name, indices, dtype=content.dtype, background=content.nowhere)
    formulas = Copies.of(copied)
    part = formulas.expression(content.part, names)
    copied = formulas.into(copied)
    return copied, nest(loops, Assign(written, assign.operator if division.moved else "=", part))


def _beside(graph: IterationGraph, assign: Assign) -> list[Assign]:
    """The other assignments of the program."""
    return [other for _, other in all_assignments(graph) if other is not assign]


def _read_elsewhere(graph: IterationGraph, assign: Assign, consumed: Expression) -> set[Access]:
    """What is read outside of the producer."""
    expressions = (*(other.expression for other in _beside(graph, assign)), consumed)
    return {access for expression in expressions for access in accesses(expression)}


def _separate_copy(
    copied: IterationGraph, graph: IterationGraph, names: dict[str, str], moved: Sequence[str]
) -> IterationGraph:
    """``copied``, in which what moved to the producer belongs to the producer's variables alone. The variables that the
    consumer had it for are whole nowhere any more: a part that no loop has takes its place."""
    fresh = Names({*variables(copied), *graph.signature.tensors, *graph.workspaces})

    def separate(relation: Relation) -> Relation:
        if relation not in graph.relations or not set(relation.children) & set(names):
            return relation
        shared = [child for child in relation.children if child not in names]
        gone = [child for child in shared if set(leaves(graph, child)) & set(moved)]
        return relation.rename({child: fresh.fresh(child) for child in gone})

    return replace(copied, relations=tuple(separate(relation) for relation in copied.relations))


def _as_in(part: Expression, expression: Expression) -> Expression:
    """``part`` with the accesses of ``expression``, which know their dtypes and what they are where nothing is."""
    known = {access: access for access in accesses(expression)}
    match part:
        case Access():
            return known[part]
        case _:
            return with_operands(part, [_as_in(operand, expression) for operand in operands_of(part)])


def _kind(graph: IterationGraph, assign: Assign, division: LoopDivision) -> WorkspaceKind:
    """What the consumer appends must be listed: a dense workspace would make every coordinate an entry. A consumer that
    only copies the workspace may visit the coordinates of a map in its own order."""
    indices = division.indices
    appended = isinstance(assembly_of(graph), Appended) and assign.target.tensor == graph.signature.result.name
    if not appended or not set(indices) <= set(assign.target.indices):
        return WorkspaceKind.DENSE
    if len(indices) == 1:
        return WorkspaceKind.LISTED
    alone = division.is_whole and set(division.consumer) == set(indices)
    return WorkspaceKind.MAPPED if alone else WorkspaceKind.DENSE


@remember
def _expressions_with(graph: IterationGraph, part: Expression) -> tuple[Expression, ...]:
    """What the statements compute that has ``part``: candidates ask for the same part in many loops."""
    computed = (assign.expression for _, assign in all_assignments(graph))
    return tuple(expression for expression in computed if replace_part(expression, part, expression) is not None)


def _missing_part_error(graph: IterationGraph, wanted: Precomputed) -> Refusal:
    text = to_text(as_written(wanted.part, graph))
    if _expressions_with(graph, wanted.part):
        loops = ", ".join(wanted.over)
        return Refusal(
            "schedule/precompute-loops",
            f"{text} is not computed directly inside the loops over {loops}: a workspace lies between them. "
            f"Precompute over the loops around {text}.",
            argument="variables",
            expected=f"loops directly around {text}",
            actual=loops,
        )
    present = "; ".join(to_text(as_written(assign.expression, graph)) for _, assign in all_assignments(graph))
    return Refusal(
        "schedule/precompute-part",
        f"{text} is not a part of what is computed: {present}. "
        f"Name factors of one product or terms of one sum, as they are written.",
        argument="expression",
        expected=f"a part of {present}",
        actual=text,
    )
