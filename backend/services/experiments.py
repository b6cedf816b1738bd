"""The figure of an experiment over the runs of its plans."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from backend.experiments.experiment import Experiment, Measured
from backend.experiments.registry import EXPERIMENTS
from backend.problem import ProblemError, not_found
from backend.schema.run import Figure, RunView
from compiler.plan import parse_plan, plan_hash


class Runs(Protocol):
    async def get(self, run_id: str) -> RunView: ...


async def experiment_figure(identity: str, run_ids: Sequence[str], runs: Runs) -> Figure:
    """Raises ProblemError: 404 for an unknown experiment or run, 422 for a run that is none of its points, or when
    none of the runs has a result."""
    experiment = EXPERIMENTS.get(identity)
    if experiment is None:
        raise not_found("experiment", identity, f"There are {', '.join(EXPERIMENTS)}.")
    measured = _measured(experiment, [await runs.get(run_id) for run_id in run_ids])
    return await asyncio.to_thread(experiment.draw, measured)


def _measured(experiment: Experiment, views: Sequence[RunView]) -> list[Measured]:
    """The points that have a result, in the order of the experiment; of several runs of one point, the last."""
    by_plan = {plan_hash(parse_plan(point["plan"])): point for point in experiment.view["points"]}
    results = {}
    for view in views:
        if view["plan_hash"] not in by_plan:
            detail = f"The run {view['id']} is of a plan that the experiment {experiment.view['id']} does not hold."
            raise ProblemError(422, "not-of-this-experiment", "The run is of another plan", detail)
        if view["result"] is not None:
            results[view["plan_hash"]] = view["result"]
    if not results:
        detail = "None of these runs has a result yet: a figure needs one."
        raise ProblemError(422, "nothing-measured", "Nothing was measured", detail)
    return [Measured(point, results[plan]) for plan, point in by_plan.items() if plan in results]
