"""GET /experiments, what was measured of each, and the figure of each over its runs."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query

from heddle_server.api.dependencies import FromServices
from heddle_server.api.part import part_of_api
from heddle_server.schema.decomposition import DecompositionView
from heddle_server.schema.experiment import ExperimentView
from heddle_server.schema.problem import problems
from heddle_server.schema.run import Figure, RunView

router = part_of_api("experiments")

MOST_RUNS = 64
ExperimentId = Annotated[str, Path(description="The id of an experiment.", max_length=64)]
Runs = Annotated[
    list[str], Query(description="The runs of the experiment's plans.", min_length=1, max_length=MOST_RUNS)
]


@router.get("/experiments", response_model=list[ExperimentView])
async def list_experiments(services: FromServices) -> list[ExperimentView]:
    """Questions with the plans whose runs answer them."""
    return services.running.experiments.everything()


@router.get(
    "/experiments/{id}/runs", response_model=list[RunView | DecompositionView | None], responses=problems(404, 422)
)
async def list_measured_points(id: ExperimentId, services: FromServices) -> list[RunView | None]:
    """For each point, in order, the latest measurement on this machine; null where there is none."""
    return await services.running.experiments.find_measured(id)


@router.get("/experiments/{id}/stored", response_model=Figure, responses=problems(404, 422))
async def draw_stored_measurement(id: ExperimentId, services: FromServices) -> Figure:
    """The figure over the measurement that comes with Heddle, its machine and versions below it."""
    return await services.running.experiments.stored_figure(id)


@router.get("/experiments/{id}/figure", response_model=Figure, responses=problems(404, 422))
async def draw_experiment(id: ExperimentId, run: Runs, services: FromServices) -> Figure:
    """One Plotly figure over all runs that have a result."""
    return await services.running.experiments.figure(id, run)
