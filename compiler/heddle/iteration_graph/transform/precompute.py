"""Precompute: a part of an expression is computed into a workspace first (docs/sources.md T31)."""

from __future__ import annotations

from dataclasses import replace

from heddle.iteration_graph.algebra.constants import identity
from heddle.iteration_graph.algebra.lattice import elsewhere
from heddle.iteration_graph.algebra.subexpressions import is_linear, replace_part
from heddle.iteration_graph.algebra.type_promotion import held_dtype
from heddle.iteration_graph.analysis.assembly import Appended, assembly_of
from heddle.iteration_graph.build.sum_distribution import variables_of
from heddle.iteration_graph.graph.blocks import as_written
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
from heddle.iteration_graph.graph.provenance import assignments, leaves, level_variables, roots, variables
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.relation import Relation
from heddle.iteration_graph.transform.copied_formulas import Copies
from heddle.iteration_graph.transform.hoisted_sums import sum_before_loops
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
    coordinate_variables,
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
            if replace_part(expression, wanted.part, expression) is None or not set(wanted.over) <= set(chain):
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
    program = graph.signature.program
    needed = {name for variable in variables_of(wanted.part) for name in coordinate_variables(variable, program)}
    probe = Access(wanted.name, ())
    rest = replace_part(assign.expression, wanted.part, probe)
    assert rest is not None
    rest_variables = {name for variable in variables_of(rest) for name in coordinate_variables(variable, program)}
    rest_variables |= set(assign.target.indices)
    sums = assign.operator != "=" and (rest == probe or (assign.operator == "+=" and is_linear(rest, wanted.name)))

    def in_part(loop: str) -> bool:
        return any(loop in leaves(graph, variable) for variable in needed)

    def in_rest(loop: str) -> bool:
        return any(loop in leaves(graph, variable) for variable in rest_variables)

    def moves(loop: str) -> bool:
        """Only the part needs the loop, and it may be summed before the rest is computed."""
        tagged = loop in graph.parallel or loop in graph.unroll
        return sums and not tagged and in_part(loop) and not in_rest(loop) and loop not in wanted.over

    first = min(chain.index(variable) for variable in wanted.over)
    while first > 0 and moves(chain[first - 1]):
        first -= 1
    inner = chain[first:]
    moved = [loop for loop in inner if moves(loop)]
    indices = [loop for loop in inner if loop in wanted.over or (loop not in moved and in_part(loop))]
    for relation in graph.relations:
        relation.check_workspace(graph, moved, indices)
    copies = names_of_copies(graph, wanted, indices)
    copied, names = copy_variables(graph, copies)
    copied = _separate_copy(copied_tags(copied, graph, copies), graph, names, moved)
    consumer_loops = [loop for loop in inner if loop not in moved]
    kind = _kind(graph, assign, indices, rest == probe and set(consumer_loops) == set(indices))
    if kind is WorkspaceKind.MAPPED:  # its coordinates come sorted
        indices = consumer_loops = [v for v in level_variables(graph, assign.target) if v in indices]
    subexpression = _as_in(wanted.part, assign.expression)
    whole = graph.workspaces.get(assign.target.tensor) or graph.signature.result
    dtype = held_dtype(subexpression, whole.dtype, bool(moved) and assign.operator == "+=")
    start = identity(ASSIGNMENTS[assign.operator], dtype) if moved else None
    nowhere = Literal(start, None, dtype) if start is not None else elsewhere(subexpression)
    absent = nowhere if kind is WorkspaceKind.DENSE else nowhere or Literal(0, None, dtype)
    read = Access(wanted.name, tuple(indices), dtype=dtype, background=absent)
    expression = replace_part(assign.expression, wanted.part, read)
    assert expression is not None
    around = [*outside, *chain[:first], *consumer_loops]
    reduces = any(set(roots(graph, loop)) - set(assign.target.indices) for loop in around)
    beside = [other for _, other in assignments(graph.statement) if other is not assign]
    accumulates = graph.signature.accumulates and assign.target.tensor == graph.signature.result.name
    # What other statements of a series add into the same places stays there.
    accumulates |= any(other.target.tensor == assign.target.tensor for other in beside)
    operator = assign.operator if reduces or accumulates or assign.operator not in ("=", "+=") else "="
    consumer = nest(consumer_loops, Assign(assign.target, operator, expression))
    producer_loops = [names.get(loop, loop) for loop in inner if loop in indices or loop in moved]
    written = Access(wanted.name, tuple(names[loop] for loop in indices), dtype=dtype, background=nowhere)
    formulas = Copies.of(copied)
    part = formulas.expression(subexpression, names)
    copied = formulas.into(copied)
    producer = nest(producer_loops, Assign(written, assign.operator if moved else "=", part))
    workspace = Workspace(wanted.name, dtype, tuple(indices), kind)
    kept_accesses = {
        access for part in (*(other.expression for other in beside), expression) for access in accesses(part)
    }
    walked = set(accesses(subexpression)) - kept_accesses
    return replace(
        copied,
        relations=tuple(walking(relation, walked, graph, names) for relation in copied.relations),
        statement=nest(chain[:first], Where(consumer, producer)),
        workspaces={**graph.workspaces, wanted.name: workspace},
        producers=(*graph.producers, producer_of(wanted, graph, names)),
    )


def _separate_copy(
    copied: IterationGraph, graph: IterationGraph, names: dict[str, str], moved: list[str]
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


def _kind(graph: IterationGraph, assign: Assign, indices: list[str], alone: bool) -> WorkspaceKind:
    """What the consumer appends must be listed: a dense workspace would make every coordinate an entry. ``alone``: the
    consumer only copies the workspace, so that it may visit the coordinates of a map in its own order."""
    appended = isinstance(assembly_of(graph), Appended) and assign.target.tensor == graph.signature.result.name
    if not appended or not set(indices) <= set(assign.target.indices):
        return WorkspaceKind.DENSE
    if len(indices) == 1:
        return WorkspaceKind.LISTED
    return WorkspaceKind.MAPPED if alone else WorkspaceKind.DENSE


def _missing_part_error(graph: IterationGraph, wanted: Precomputed) -> Refusal:
    text, assigns = to_text(as_written(wanted.part, graph)), [assign for _, assign in assignments(graph.statement)]
    having = [a for a in assigns if replace_part(a.expression, wanted.part, a.expression) is not None]
    if having:
        loops = ", ".join(wanted.over)
        return Refusal(
            "schedule/precompute-loops",
            f"{text} is not computed directly inside the loops over {loops}: a workspace lies between them. "
            f"Precompute over the loops around {text}.",
            argument="variables",
            expected=f"loops directly around {text}",
            actual=loops,
        )
    present = "; ".join(to_text(as_written(a.expression, graph)) for a in assigns)
    return Refusal(
        "schedule/precompute-part",
        f"{text} is not a part of what is computed: {present}. "
        f"Name factors of one product or terms of one sum, as they are written.",
        argument="expression",
        expected=f"a part of {present}",
        actual=text,
    )
