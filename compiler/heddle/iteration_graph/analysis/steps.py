"""How many steps loops take on operands of which shapes and numbers of entries are known.

Entries count as spread evenly. A step is one iteration of the innermost loop around a statement.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from heddle.formats.format import Format
from heddle.iteration_graph.analysis.column_fill import fill_at
from heddle.iteration_graph.analysis.iterated import lattice_at
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import all_assignments, level_variables
from heddle.notation.nodes import Access, accesses


@dataclass(frozen=True, slots=True)
class Contents:
    """The shape of an operand, and how many values a sparse one stores."""

    shape: tuple[int, ...]
    stored: int | None = None


def variable_sizes(graph: IterationGraph, contents: Mapping[str, Contents]) -> dict[str, int]:
    """The sizes of index variables that operands have."""
    sizes: dict[str, int] = {}
    for _, assign in all_assignments(graph):
        for access in accesses(assign.expression):
            shape = contents[access.tensor].shape if access.tensor in contents else ()
            # An operand of blocks has more index variables than dimensions: its sizes would be those of no loop.
            if len(access.indices) == len(shape):
                sizes.update(zip(access.indices, shape, strict=True))
    return sizes


def estimate_steps(
    graph: IterationGraph, contents: Mapping[str, Contents], weights: Mapping[str, float] | None = None
) -> float:
    """The iterations of all statements that read operands. ``weights``: how many steps one that assigns to a tensor or
    workspace counts as, where it is not one."""
    sizes = variable_sizes(graph, contents)
    return sum(
        (weights or {}).get(assign.target.tensor, 1.0)
        * math.prod(_iterations(graph, variable, contents, sizes) for variable in loops)
        for loops, assign in all_assignments(graph)
        if any(access.tensor in contents for access in accesses(assign.expression))
    )


def full_loops(graph: IterationGraph) -> tuple[str, ...]:
    """The variables at which a loop visits every coordinate although an operand lists those that it stores."""
    loops = dict.fromkeys(variable for path, _ in all_assignments(graph) for variable in path)
    return tuple(variable for variable in loops if _visits_all(graph, variable) and _is_listed(graph, variable))


def _is_listed(graph: IterationGraph, variable: str) -> bool:
    return any(point.iterators for point in lattice_at(graph, variable))


def _visits_all(graph: IterationGraph, variable: str) -> bool:
    return any(point.full for point in lattice_at(graph, variable)) and fill_at(graph, variable) is None


def _iterations(
    graph: IterationGraph, variable: str, contents: Mapping[str, Contents], sizes: Mapping[str, int]
) -> float:
    size = float(sizes.get(variable, 1))
    if _visits_all(graph, variable):
        return size
    points = lattice_at(graph, variable)
    listed = {access for point in points for access in point.iterators if access.tensor in contents}
    if not listed:
        return size
    return min(size, sum(_fibre_length(graph, access, variable, contents[access.tensor]) for access in listed))


def _fibre_length(graph: IterationGraph, access: Access, variable: str, contents: Contents) -> float:
    """Entries of ``access`` at ``variable`` below one position of the level above."""
    layout = graph.signature.tensors[access.tensor].format
    return fibre_lengths(layout, contents)[level_variables(graph, access).index(variable)]


def fibre_lengths(layout: Format, contents: Contents) -> tuple[float, ...]:
    """About how many positions each level has below a position of the level above."""
    positions = _positions(layout, contents)
    return tuple(below / above if above else 0.0 for above, below in pairwise(positions))


def _positions(layout: Format, contents: Contents) -> list[float]:
    """About how many positions each level has, the root before them."""
    stored = float(contents.stored or 0)
    positions, cells = [1.0], 1.0
    for level, size in zip(layout.levels, layout.level_sizes(contents.shape), strict=True):
        cells *= size
        if level.kind == "dense":
            positions.append(positions[-1] * size)
        else:
            filled = cells * -math.expm1(-stored / cells) if cells else 0.0
            positions.append(min(stored, filled))
    positions[-1] = stored if positions[-1] < stored else positions[-1]
    return positions
