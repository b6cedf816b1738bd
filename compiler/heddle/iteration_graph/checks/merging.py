"""May this loop move forward as ``mergeby`` says? (docs/sources.md T33, T45)"""

from __future__ import annotations

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.algebra.lattice import iterators
from heddle.iteration_graph.analysis.iterated import lattice_at, merges_at
from heddle.iteration_graph.checks.parallel import last_leaf
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import coordinates, leaves, level_variables, operand_accesses
from heddle.iteration_graph.graph.refusal import Refusal

TWO_FINGER, GALLOP = "TwoFinger", "Gallop"
STRATEGIES = (TWO_FINGER, GALLOP)


def check_merges(graph: IterationGraph) -> None:
    """Raises Refusal for a tagged loop that merges nothing, or that cannot gallop."""
    for variable, tag in graph.merge.items():
        merged = {
            root: names
            for root in coordinates(graph)
            if variable in leaves(graph, root) and last_leaf(graph, root) == variable
            if (names := merges_at(graph, root))
        }
        if not merged:
            raise lone(graph, variable)
        if tag.strategy == GALLOP:
            for root, names in merged.items():
                _check_gallop(graph, variable, root, names)


def merges(graph: IterationGraph, variable: str) -> bool:
    """Whether the loop is the one that brings several sparse operands together."""
    determined = [r for r in coordinates(graph) if variable in leaves(graph, r) and last_leaf(graph, r) == variable]
    return any(merges_at(graph, root) for root in determined)


def lone(graph: IterationGraph, variable: str) -> Refusal:
    """Why a merge strategy says nothing about the loop of ``variable``."""
    others = tuple(last_leaf(graph, root) for root in coordinates(graph) if merges_at(graph, root))
    drivers = [
        f"{access.tensor}({', '.join(access.indices)})"
        for root in coordinates(graph)
        if variable in leaves(graph, root)
        for access in iterators(lattice_at(graph, root))
    ]
    found = f"only the stored coordinates of {drivers[0]}" if drivers else "every coordinate or position of its range"
    return Refusal(
        "schedule/nothing-to-merge",
        f"{variable} visits {found}; there is nothing to merge. "
        + (f"The loop that merges is {others[0]}." if others else "No loop here merges sparse operands."),
        argument="variable",
        expected="a loop that several sparse operands drive together",
        found=found,
        candidates=others,
        replacement=others[0] if others else None,
    )


def _check_gallop(graph: IterationGraph, variable: str, root: str, names: list[str]) -> None:
    lattice = lattice_at(graph, root)
    if len(lattice) > 1 or lattice[0].full:
        raise Refusal(
            "schedule/gallop",
            f"{variable} visits coordinates that only some of {' and '.join(names)} have, so none may be skipped. "
            "Use TwoFinger.",
            argument="strategy",
            expected="operands that are multiplied: a coordinate counts where all of them have it",
            found=f"{len(lattice)} lattice points",
            replacement=TWO_FINGER,
        )
    for access in operand_accesses(graph, graph.statement):
        if access not in lattice[0].iterators:
            continue
        number = level_variables(graph, access).index(root)
        level = graph.signature.tensors[access.tensor].format.levels[number]
        if not (level.ordered and level.unique and "crd" in LEVEL_KINDS[level.kind].arrays):
            raise Refusal(
                "schedule/gallop",
                f"level {number + 1} of {access.tensor} does not hold its coordinates in order and once each, so "
                f"none can be found by a search. Use TwoFinger, or store {access.tensor} ordered and unique.",
                argument="strategy",
                expected="ordered and unique levels",
                found=f"level {number + 1} of {access.tensor}",
                replacement=TWO_FINGER,
            )
