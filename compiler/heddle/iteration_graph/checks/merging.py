"""May this loop move forward as ``mergeby`` says? (docs/sources.toml T33, T45)"""

from __future__ import annotations

from heddle.diagnostics import CompileError
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.algebra.lattice import iterators
from heddle.iteration_graph.analysis.iterated import MINIMUM, lattice_at, merges_at, union_at
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import coordinates, last_leaf, leaves, level_variables, operand_accesses
from heddle.iteration_graph.graph.refusal import Refusal

TWO_FINGER, GALLOP = "TwoFinger", "Gallop"
STRATEGIES = (TWO_FINGER, GALLOP, MINIMUM)


def check_merges(graph: IterationGraph) -> None:
    """Raises Refusal for a tagged loop that merges nothing, or that cannot move forward as its tag says."""
    for variable, tag in graph.merge.items():
        merged = {
            root: names
            for root in coordinates(graph)
            if variable in leaves(graph, root) and last_leaf(graph, root) == variable
            if (names := _find_merged(graph, variable, root))
        }
        if not merged:
            raise lone(graph, variable)
        if tag.strategy == GALLOP:
            for root, names in merged.items():
                _check_gallop(graph, variable, root, names)
        if tag.strategy == MINIMUM:
            for root, names in merged.items():
                _check_minimum(graph, variable, root, names)


def _find_merged(graph: IterationGraph, variable: str, root: str) -> list[str]:
    try:
        return merges_at(graph, root)
    except CompileError as error:  # the tag asks for a case for every set of operands
        problem = error.diagnostics[0]
        raise Refusal(
            "schedule/merge-cases",
            f"{variable} merges so many operands that a case for every set of them is too much text. Use {MINIMUM}.",
            argument="strategy",
            expected=problem.expected,
            actual=problem.actual,
            replacement=MINIMUM,
        ) from None


def _check_minimum(graph: IterationGraph, variable: str, root: str, names: list[str]) -> None:
    if union_at(graph, root) is None:
        raise Refusal(
            "schedule/minimum",
            f"{variable} merges {' and '.join(names)}, but not as terms of one sum, each 0 where its operands store "
            f"nothing, at coordinates stored in order. Use {TWO_FINGER}.",
            argument="strategy",
            expected="several terms of a sum that are driven by ordered levels with coordinates",
            actual=" and ".join(names),
            replacement=TWO_FINGER,
        )


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
    actual = f"only the stored coordinates of {drivers[0]}" if drivers else "every coordinate or position of its range"
    return Refusal(
        "schedule/nothing-to-merge",
        f"{variable} visits {actual}; there is nothing to merge. "
        + (f"The loop that merges is {others[0]}." if others else "No loop here merges sparse operands."),
        argument="variable",
        expected="a loop that several sparse operands drive together",
        actual=actual,
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
            actual=f"{len(lattice)} lattice points",
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
                actual=f"level {number + 1} of {access.tensor}",
                replacement=TWO_FINGER,
            )
