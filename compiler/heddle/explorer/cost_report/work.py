"""The work of a plan as a formula over the stored entries, and its number on data: what the counts must agree with.

A statement runs once for each combination of coordinates that its loops visit. A loop visits what its merge lattice
says: the coordinates at which one of its points has all of its operands. Commands that only cut or reorder loops leave
that alone; workspaces change it, since the producer and the consumer are statements of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from heddle.iteration_graph.algebra.lattice import Lattice, abbreviate
from heddle.iteration_graph.analysis.column_fill import fill_at
from heddle.iteration_graph.analysis.iterated import lattice_at
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import assignments, coordinates, leaves, level_variables, roots
from heddle.notation.nodes import Access, accesses
from heddle.runtime.storage.unpack import position_coordinates
from heddle.runtime.tensors.tensor import Tensor

Mask = NDArray[np.bool_]
LARGEST = 20_000_000
"""Combinations of coordinates that are looked at."""


@dataclass(frozen=True, slots=True)
class Term:
    """One statement that computes with operands: how often it runs, as text and as a number."""

    text: str
    value: int


def work_terms(graph: IterationGraph, tensors: Mapping[str, Tensor], sizes: Mapping[str, int]) -> list[Term] | None:
    """A term for each statement that reads operands; None where no formula is known: formats with padding or blocks,
    sums of parts, data that are too large."""
    variables = set(coordinates(graph))
    if not variables <= set(sizes) | set(graph.copies) or any(not _exact(graph, tensor) for tensor in tensors.values()):
        return None
    terms = []
    for loops, assign in assignments(graph.statement):
        read = [access for access in accesses(assign.expression) if access.tensor in tensors]
        if not read and accesses(assign.expression):
            continue
        term_variables = _find_term_variables(graph, loops)
        term = None if term_variables is None else _term(graph, term_variables, tensors, sizes)
        if term is None:
            return None
        terms.append(term)
    return terms


def _find_term_variables(graph: IterationGraph, loops: Sequence[str]) -> list[str] | None:
    """The variables of the expression that ``loops`` determine, outermost first. A tile that producer and consumer
    share is part of the variable of each: of the consumer's nothing is left in the producer. None where only the tiles
    of a variable are among the loops."""
    candidates = dict.fromkeys(root for loop in loops for root in roots(graph, loop))
    whole = [root for root in candidates if set(leaves(graph, root)) <= set(loops)]
    stand_for = {graph.copies.get(root, root) for root in whole}
    if any(graph.copies.get(root, root) not in stand_for for root in candidates):
        return None
    return whole


def work_text(terms: Sequence[Term]) -> str:
    return " + ".join(term.text for term in terms) if terms else "0"


def _exact(graph: IterationGraph, tensor: Tensor) -> bool:
    """Whether every level is stored without padding and has a variable of the expression."""
    kinds = {"dense", "compressed", "singleton"}
    return all(level.kind in kinds and level.unique for level in tensor.format.levels)


def _term(
    graph: IterationGraph, variables: Sequence[str], tensors: Mapping[str, Tensor], sizes: Mapping[str, int]
) -> Term | None:
    extents = [sizes[graph.copies.get(variable, variable)] for variable in variables]
    if reduce(lambda product, size: product * size, extents, 1) > LARGEST:
        return None
    visited = np.ones(extents, dtype=bool)
    driven: list[tuple[str, Lattice]] = []
    for variable in variables:
        fill = fill_at(graph, variable)
        lattice = abbreviate(lattice_at(graph, variable) if fill is None else fill.stored)
        if fill is not None and any(access.tensor in tensors for access in accesses(fill.term.expression)):
            return None  # it is combined only where coordinates are left out
        iterated = {access for point in lattice for access in point.iterators}
        if any(access.tensor not in tensors for access in iterated):
            return None  # a listed workspace: what it holds is not known beforehand
        masks = [_point(graph, variables, extents, variable, sorted(p.iterators, key=str), tensors) for p in lattice]
        if not any(point.full and not point.iterators for point in lattice):
            visited &= reduce(np.logical_or, masks)
            driven.append((variable, lattice))
    return Term(_text(graph, variables, driven), int(visited.sum()))


def _point(
    graph: IterationGraph,
    variables: Sequence[str],
    extents: Sequence[int],
    variable: str,
    operands: Sequence[Access],
    tensors: Mapping[str, Tensor],
) -> Mask:
    """Where all ``operands`` have an entry at ``variable``, given those above it."""
    stored_mask = np.ones(extents, dtype=bool)
    for access in operands:
        levels = level_variables(graph, access)
        depth = levels.index(variable) + 1
        tensor = tensors[access.tensor]
        columns = position_coordinates(tensor)
        dimension = dict(zip(access.indices, columns, strict=True))
        wanted = [index for index in variables if index in levels[:depth]]
        mask = np.zeros([extents[variables.index(index)] for index in wanted], dtype=bool)
        mask[tuple(np.asarray(dimension[index]) for index in wanted)] = True
        shape = [extents[place] if index in wanted else 1 for place, index in enumerate(variables)]
        stored_mask &= mask.reshape(shape)
    return stored_mask


def _text(graph: IterationGraph, variables: Sequence[str], driven: Sequence[tuple[str, Lattice]]) -> str:
    """A product where one operand at most drives each loop and none meet, else a sum over what is visited."""
    single = [next(iter(p.iterators)) for _, lattice in driven for p in lattice if len(p.iterators) == 1]
    plain = all(len(lattice) == 1 and len(lattice[0].iterators) == 1 for _, lattice in driven)
    covered: set[str] = set()
    factors: list[str] = []
    if plain:
        deepest: dict[Access, str] = {}
        for (variable, _), access in zip(driven, single, strict=True):
            deepest[access] = variable
        for access, variable in deepest.items():
            levels = level_variables(graph, access)
            above = set(levels[: levels.index(variable) + 1])
            if covered & above:
                return _sum_text(graph, variables, driven)
            covered |= above
            whole = len(above) == len(levels)
            factors.append(f"nnz({access.tensor})" if whole else f"segments({access.tensor}, {len(above)})")
        factors += [graph.copies.get(variable, variable).upper() for variable in variables if variable not in covered]
        return " * ".join(factors) or "1"
    return _sum_text(graph, variables, driven)


def _sum_text(graph: IterationGraph, variables: Sequence[str], driven: Sequence[tuple[str, Lattice]]) -> str:
    texts = dict(driven)
    parts = []
    for variable in variables:
        lattice, name = texts.get(variable), graph.copies.get(variable, variable)
        if lattice is None:
            parts.append(f"sum {name} < {name.upper()}")
            continue
        sets = [" ∩ ".join(sorted(access.tensor for access in point.iterators)) for point in lattice if point.iterators]
        largest = max((len(point.iterators) for point in lattice), default=1)
        union = " ∪ ".join(sorted({a.tensor for p in lattice for a in p.iterators}))
        parts.append(f"sum {name} in {union if len(lattice) > 1 and largest > 1 else sets[0]}")
    return ", ".join(parts) + ": 1"
