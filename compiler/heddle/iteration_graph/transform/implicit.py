"""A fused loop over sparse levels walks all positions of the last one (docs/sources.toml T46)."""

from __future__ import annotations

from dataclasses import replace

from heddle.advice import PositionsFirst
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.algebra.absent_operands import remove_absent
from heddle.iteration_graph.analysis.iterated import iterates
from heddle.iteration_graph.graph.fused_components import components, parts
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.positions import Positions
from heddle.iteration_graph.graph.provenance import (
    all_loops,
    is_position,
    level_roots,
    level_variables,
    operand_accesses,
    relation_below,
    remember_with_tags,
)
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.rewrite import find_loop, rename_loops
from heddle.iteration_graph.relations.position import PositionRelation
from heddle.names import Names
from heddle.notation.nodes import Access


@remember_with_tags
def with_implicit_positions(graph: IterationGraph) -> IterationGraph:
    """Give every fused loop over sparse levels its ``pos``; refuse a fused sparse variable that was tiled without."""
    lowered = _with_positions(graph)
    if lowered is not graph:
        # Tags are carried over and decide nothing, so that graphs that differ in tags alone have these loops in common.
        object.__setattr__(lowered, "memo", graph.memo.setdefault((with_implicit_positions,), lowered.memo))
    return lowered


def _with_positions(graph: IterationGraph) -> IterationGraph:
    for relation in graph.relations:
        if len(relation.parents) == 1 or relation.of_statements:
            continue
        (fused,) = relation.children
        if is_position(graph, fused):
            continue  # pieces of positions have their pos above
        below = relation_below(graph, fused)
        if below is not None and (len(below.parents) > 1 or isinstance(below.space, Positions)):
            continue
        sparse = _sparse(graph, components(graph, fused))
        if not sparse:
            continue
        if below is not None:
            raise Refusal(
                "schedule/fused-sparse-tile",
                f"{fused} fuses levels of {sparse[0].tensor} that are stored compressed; its coordinates cannot be "
                "cut into tiles directly. "
                f"Insert pos({fused}, {fused}pos, {sparse[0].tensor}) first.",
                expected=f"pos({fused}, …, {sparse[0].tensor}) before {below.kind}",
                actual=f"{below.kind} of {fused}",
                advice=(PositionsFirst(fused, sparse[0].tensor),),
            )
        graph = _position(graph, fused, relation.command, sparse)
    return graph


def _sparse(graph: IterationGraph, variables: tuple[str, ...]) -> list[Access]:
    """Operands with an iterated level at one of the variables."""
    sparse_operands = []
    for access in operand_accesses(graph, graph.statement):
        if any(iterates(graph, access, variable) for variable in variables):
            sparse_operands.append(access)
    return sparse_operands


def _finds(graph: IterationGraph, access: Access, level: int, part: str) -> bool:
    """Whether the positions of ``part`` of the coordinates of a level lie together: those of a hash table do not."""
    kind = LEVEL_KINDS[graph.signature.tensors[access.tensor].format.levels[level - 1].kind]
    computed = "crd" not in kind.arrays
    return kind.iterated or computed or level_roots(graph, part) == (part,)


def _position(graph: IterationGraph, fused: str, command: int | None, sparse: list[Access]) -> IterationGraph:
    fused_parts = parts(graph, fused)
    variables = components(graph, fused)
    loop = find_loop(graph.statement, fused)
    for access in sparse:
        levels = level_variables(graph, access)
        first = levels.index(variables[0]) + 1 if variables[0] in levels else 0
        consecutive = first > 0 and tuple(levels[first - 1 : first - 1 + len(variables)]) == variables
        consecutive = consecutive and not set(variables) & set(levels[: first - 1])
        whole = all(level_roots(graph, part) == (part,) for part in fused_parts[1:])
        locatable = consecutive and whole and _finds(graph, access, first, fused_parts[0])
        if locatable and remove_absent(loop, frozenset((access,))) is None:
            name = Names({*all_loops(graph), *graph.underived}).fresh(f"{fused}pos")
            relation = PositionRelation(command, fused, Positions(name, access, first, variables, fused_parts[0]))
            statement = rename_loops(graph.statement, [fused], [name])
            tags = {k if k != fused else name: v for k, v in graph.parallel.items()}
            unroll = {k if k != fused else name: v for k, v in graph.unroll.items()}
            return replace(graph.with_relation(relation, statement), parallel=tags, unroll=unroll)
    stored = ", ".join(f"{a.tensor} stored {'→'.join(level_variables(graph, a))}" for a in sparse)
    raise Refusal(
        "schedule/fuse-sparse",
        f"a fused loop over sparse levels walks the positions of one tensor, but none here has {', '.join(variables)} "
        f"as consecutive levels and alone decides what is visited ({stored}).",
        expected=f"a tensor with the consecutive levels {'→'.join(variables)} that the rest is multiplied by",
        actual=stored,
    )
