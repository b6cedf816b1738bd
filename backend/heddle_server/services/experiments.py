"""Experiments: which there are here, what was measured of them already, and the figure over their runs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from heddle_server.engine.cluster.resources import GPU
from heddle_server.experiments.experiment import Experiment, Measured, hash_of
from heddle_server.experiments.registry import experiments, groups
from heddle_server.experiments.stored import stored_figure, stored_where
from heddle_server.problem import ProblemError, missing_error
from heddle_server.schema.experiment import ExperimentView
from heddle_server.schema.run import Figure, RunView
from heddle_server.services.runs.documents import Document, parse_document
from heddle_server.services.runs.expected_wait import ExpectedWait
from heddle_server.services.runs.worker_pool import WorkerPool, resources_of


class Runs(Protocol):
    """What experiments ask of the service's runs."""

    async def get(self, run_id: str) -> RunView:
        """A run as the API shows it. Raises ProblemError 404."""
        ...

    async def find_measured(self, plan: Document) -> RunView | None:
        """The latest measurement of ``plan`` by this machine, on the same data and with the same versions, if any."""
        ...


class ExperimentService:
    def __init__(self, runs: Runs, workers: WorkerPool, expected: ExpectedWait) -> None:
        self._runs = runs
        self._workers = workers
        self._expected = expected

    def everything(self) -> list[ExperimentView]:
        seconds = round(self._expected.typical, 1)
        return [
            _with_stored({**experiment.view, "seconds_per_run": seconds, "group": group.title}, experiment)
            for group in groups(gpu=self._has_gpu())
            for experiment in group.experiments
        ]

    async def find_measured(self, identity: str) -> list[RunView | None]:
        """For each point, in order, the latest measurement on this machine, if any: an experiment that was broken off
        goes on from there. Raises ProblemError 404."""
        points = self._find(identity).view["points"]
        return [await self._runs.find_measured(parse_document(point["plan"])) for point in points]

    async def stored_figure(self, identity: str) -> Figure:
        """The curve that comes with Heddle. Raises ProblemError 404 for an unknown experiment, or one without."""
        figure = await asyncio.to_thread(stored_figure, self._find(identity))
        if figure is None:
            raise missing_error("stored measurement", identity, "Measure the experiment here.")
        return figure

    async def figure(self, identity: str, run_ids: Sequence[str]) -> Figure:
        """Raises ProblemError: 404 for an unknown experiment or run, 422 for a run that is none of its points, or when
        none of the runs has a result."""
        experiment = self._find(identity)
        measured = _measure(experiment, [await self._runs.get(run_id) for run_id in run_ids])
        return await asyncio.to_thread(experiment.draw, measured)

    def _here(self) -> dict[str, Experiment]:
        return dict(experiments(gpu=self._has_gpu()))

    def _has_gpu(self) -> bool:
        return GPU in resources_of(self._workers.usable)

    def _find(self, identity: str) -> Experiment:
        known = self._here()
        if identity not in known:
            raise missing_error("experiment", identity, f"There are {', '.join(known)}.")
        return known[identity]


def _with_stored(view: ExperimentView, experiment: Experiment) -> ExperimentView:
    where = stored_where(experiment)
    return {**view, "stored": where} if where else view


def _measure(experiment: Experiment, views: Sequence[RunView]) -> list[Measured]:
    """The points that have a result, in the order of the experiment; of several runs of one point, the last."""
    by_plan = {hash_of(point): point for point in experiment.view["points"]}
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
