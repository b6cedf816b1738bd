"""GET /experiments and the figure of each over its runs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from backend.api.dependencies import FromServices
from backend.experiments.registry import EXPERIMENTS
from backend.schema.experiment import ExperimentView
from backend.schema.problem import problems
from backend.schema.run import Figure
from backend.services.experiments import experiment_figure

router = APIRouter(tags=["experiments"])

MOST_RUNS = 64
Runs = Annotated[
    list[str], Query(description="The runs of the experiment's plans.", min_length=1, max_length=MOST_RUNS)
]


@router.get("/experiments", response_model=list[ExperimentView])
async def list_experiments() -> list[ExperimentView]:
    """Questions with the plans whose runs answer them."""
    return [experiment.view for experiment in EXPERIMENTS.values()]


@router.get("/experiments/{id}/figure", response_model=Figure, responses=problems(404, 422))
async def draw_experiment(
    id: Annotated[str, Path(description="The id of an experiment.", max_length=64)], run: Runs, services: FromServices
) -> Figure:
    """One Plotly figure over all runs that have a result."""
    return await experiment_figure(id, run, services.runs)
