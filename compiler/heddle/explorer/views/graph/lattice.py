"""Merge lattices -> JSON: the points, and the sets of operands that need none (docs/sources.toml V6)."""

from __future__ import annotations

from itertools import combinations

from heddle.explorer.views.graph.graph_schema import LatticeOperandView, LatticePointView, LatticeView, PrunedPointView
from heddle.iteration_graph.algebra.absent_operands import remove_absent
from heddle.iteration_graph.algebra.lattice import Lattice, Point, abbreviate, iterators, point_texts
from heddle.iteration_graph.analysis.column_fill import fill_at
from heddle.iteration_graph.analysis.iterated import lattice_at, loop_at
from heddle.iteration_graph.analysis.repeated_fill import RepeatedFill
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import assignments, coordinates, level_variables, position_relation
from heddle.notation.nodes import Access
from heddle.notation.printer import to_text

MAX_OPERANDS = 4
"""Above this many sets of coordinates, sets without a point are not listed: they would hide the points."""


def lattice_views(graph: IterationGraph) -> list[LatticeView]:
    """One lattice for each underived variable that sparse levels drive."""
    views = []
    for variable in coordinates(graph):
        lattice = abbreviate(lattice_at(graph, variable))
        driving = iterators(lattice)
        fill = fill_at(graph, variable)
        if driving and position_relation(graph, variable) is None:
            views.append(
                LatticeView(
                    variable=variable,
                    points=[_point(graph, variable, point, driving, fill) for point in lattice],
                    operands=[_operand(graph, variable, access) for access in driving],
                    pruned=_find_pruned_points(graph, variable, lattice, driving),
                )
            )
    return views


def _operand(graph: IterationGraph, variable: str, access: Access) -> LatticeOperandView:
    level = level_variables(graph, access).index(variable) + 1
    return LatticeOperandView(access=to_text(access), tensor=access.tensor, level=level)


def _point(
    graph: IterationGraph, variable: str, point: Point, driving: list[Access], fill: RepeatedFill | None
) -> LatticePointView:
    return LatticePointView(
        iterators=list(point_texts(point, variable)),
        expression=_describe_remainder(graph, variable, frozenset(driving) - point.iterators) or "0",
        loop=bool(point.iterators) or fill is None,
    )


def _describe_remainder(graph: IterationGraph, variable: str, absent: frozenset[Access]) -> str | None:
    """What is computed at a coordinate that the ``absent`` operands do not have; None for nothing."""
    rest = remove_absent(loop_at(graph, variable), absent)
    return to_text(assignments(rest)[-1][1].expression) if rest is not None else None


def _find_pruned_points(
    graph: IterationGraph, variable: str, lattice: Lattice, driving: list[Access]
) -> list[PrunedPointView]:
    """The sets of operands without a point of their own, largest first."""
    full = any(point.full for point in lattice)
    if len(driving) + full > MAX_OPERANDS:
        return []
    sets = [frozenset(chosen) for size in range(len(driving), -1, -1) for chosen in combinations(driving, size)]
    known = {point.iterators for point in lattice}
    pruned = [
        PrunedPointView(
            iterators=list(point_texts(Point(present, full), variable)),
            rule="annihilator",
            reason=_explain_annihilation(graph, variable, lattice, frozenset(driving) - present),
        )
        for present in sets
        if present not in known
    ]
    if full:
        pruned += [
            PrunedPointView(
                iterators=list(point_texts(Point(present), variable)),
                rule="density",
                reason=f"Some operand has a value at every {variable}: no coordinate is without it.",
            )
            for present in sets
        ]
    return pruned


def _explain_annihilation(graph: IterationGraph, variable: str, lattice: Lattice, absent: frozenset[Access]) -> str:
    """Why the case in which exactly ``absent`` are missing needs no branch of its own."""
    missing = " and ".join(to_text(access) for access in sorted(absent, key=str))
    left = _describe_remainder(graph, variable, absent)
    if left is None:
        return f"Without {missing} everything is 0: nothing is left to compute."
    same = next(point for point in lattice if not point.iterators & absent)
    names = ", ".join(point_texts(same, variable))
    return f"Without {missing} only {left} remains: the case of {{{names}}} computes it."
