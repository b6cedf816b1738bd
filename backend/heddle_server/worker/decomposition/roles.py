"""The roles of a decomposition for a person: how each is computed and why, before it runs and afterwards."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from heddle.algorithms.algorithm import OWN_PARAMETERS
from heddle.algorithms.contention import Writes, writes_of
from heddle.algorithms.methods import BY_NAME
from heddle.algorithms.planning.predict import costs, entries_of, methods_for, rows_of
from heddle.algorithms.planning.prepare import Prepared
from heddle.algorithms.roles import plan_of
from heddle.algorithms.trees.offers import offers
from heddle.plan import to_document

if TYPE_CHECKING:  # A child process that runs a decomposition starts sooner without the schemas.
    from heddle_server.schema.decomposition import PredictedRole, RoleRecord, RowWrites, TreeOffer

CONTENDED = ("atomic", "tiled", "permuted", "rows")
LARGEST_COUNTED = 4_000_000
"""Entries; those of larger tensors are not sorted once more for what trees would share."""


def role_record(plan: Prepared, name: str) -> RoleRecord:
    """How a role is computed, with the plan that it is."""
    choice = plan.choices[name]
    written = writes_by_method(plan, choice.role.mode if choice.role.original else None)
    rank = plan.algorithm.parameters.rank
    return {
        "role": name,
        "title": choice.role.title,
        "mode": choice.role.mode,
        "expression": choice.role.expression,
        "format": choice.kernel.formats.get("X", "dense"),
        "schedule": list(choice.kernel.schedule),
        "method": choice.method,
        "reasons": list(choice.reasons),
        "bytes": choice.bytes,
        "atomics": {method: writes.count * rank for method, writes in written.items()},
        "writes": {method: row_writes(writes) for method, writes in written.items() if writes.count},
        "plan": to_document(plan_of(plan.algorithm, choice.role, choice.kernel, plan.shapes[name])),  # type: ignore[typeddict-item]
    }


def writes_by_method(plan: Prepared, mode: int | None) -> dict[str, Writes]:
    """What the formulas of Phipps and Kolda (2019) count for this tensor."""
    if mode is None:
        return {}
    return {name: writes_of(BY_NAME[name], plan.tensor.entries, mode) for name in CONTENDED}


def row_writes(writes: Writes) -> RowWrites:
    """As a picture has it."""
    busiest, most = writes.busiest()
    return {
        "count": writes.count,
        "rows": writes.count_atomic_rows(),
        "busiest": busiest,
        "most": most,
        "blocks": writes.picture(),
    }


def predicted_roles(plan: Prepared) -> list[PredictedRole]:
    """Each role with what one call of it is predicted to take, and what each method would take in its place."""
    known = costs(plan)
    roles: list[PredictedRole] = []
    for name, choice in plan.choices.items():
        cost = known.get(name)
        roles.append(
            {
                **role_record(plan, name),
                "rows": rows_of(plan, name),
                "entries": entries_of(plan, name),
                "work": cost.work if cost is not None else None,
                "seconds": cost.seconds if cost is not None else None,
                "methods": [asdict(method) for method in methods_for(plan, choice.role)],  # type: ignore[misc]
            }
        )
    return roles


def trees_of(plan: Prepared) -> list[TreeOffer]:
    """What modes may share, the fastest first, as predicted; nothing where an algorithm has no trees."""
    algorithm = plan.algorithm
    if algorithm.algorithm not in OWN_PARAMETERS["reuse"] or plan.tensor.stored > LARGEST_COUNTED:
        return []
    trees = offers(plan.tensor, plan.modes, algorithm.parameters.rank, algorithm.parameters.memory)
    return [asdict(tree) for tree in trees]  # type: ignore[misc]
