"""What each role is predicted to take, and what each method would take of a mode: counted, before anything runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from heddle.algorithms.choose import extra_bytes
from heddle.algorithms.contention import atomic_updates
from heddle.algorithms.methods import METHODS
from heddle.algorithms.planning.prepare import Prepared
from heddle.algorithms.roles import SOURCE, Role
from heddle.algorithms.trees.offers import Cost, cost_of


@dataclass(frozen=True, slots=True)
class MethodCost:
    """One call by the method ``name``: ``bytes`` beside the coordinates and values that all modes share, ``atomics``
    are atomic updates of single values. ``allowed``: whether the document's ``reproducible`` lets it be chosen."""

    name: str
    bytes: int
    atomics: int
    allowed: bool


def costs(plan: Prepared) -> Mapping[str, Cost]:
    """By role what one call of each product is predicted to take; the others are no products."""
    cost_by_role = {}
    for name, choice in plan.choices.items():
        role = choice.role
        if role.row is None:
            continue
        stored_rows = plan.shapes[name][role.row] if role.node is not None else 0
        cost_by_role[name] = cost_of(role, entries_of(plan, name), plan.algorithm.parameters.rank, stored_rows)
    return cost_by_role


def entries_of(plan: Prepared, name: str) -> int:
    """How many entries of a tensor, or rows of a partial product, a role goes through."""
    role = plan.choices[name].role
    return plan.shapes[name][role.dimensions.index(SOURCE)] if role.source is not None else plan.tensor.stored


def rows_of(plan: Prepared, name: str) -> int:
    """The rows of what a role computes; 0 where that is no matrix."""
    row = plan.choices[name].role.row
    return 0 if row is None else plan.shapes[name][row]


def methods_for(plan: Prepared, role: Role) -> tuple[MethodCost, ...]:
    """All methods for the product of a mode with the tensor itself; none for other roles."""
    if not role.original or role.row is None:
        return ()
    rank = plan.algorithm.parameters.rank
    sizes = extra_bytes(role.row, plan.tensor)
    return tuple(
        MethodCost(
            method.name,
            sizes.get(method.name, 0),
            atomic_updates(method, plan.tensor.entries, role.row, rank),
            method.reproducible or not plan.algorithm.parameters.reproducible,
        )
        for method in METHODS
    )
