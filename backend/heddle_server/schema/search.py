"""A search for schedules: what is asked for, and where it stands."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from heddle_server.schema.plan import PlanBody
from heddle_server.schema.run import RunView

StrategyName = Literal["genetic", "genetic-code", "random", "hill", "exhaustive", "rules"]


class SearchRequest(BaseModel):
    """``seconds`` are those of the search, its final comparison not included. ``resume`` is the id of a search that
    ended early, whose log this one goes on with: its plan must be that of the log, and its settings are those of the
    log; one that is given all the same must be the same."""

    model_config = ConfigDict(extra="forbid")

    plan: PlanBody
    strategy: StrategyName = "genetic"
    seed: int = Field(default=0, ge=0, lt=2**32)
    seconds: float = Field(default=60.0, gt=0)
    evaluations: int = Field(default=500, ge=1, le=5000)
    generations: int = Field(default=25, ge=1, le=500)
    population: int = Field(default=30, ge=2, le=200)
    resume: str | None = Field(default=None, pattern=r"^[\w-]{1,64}$")


class SearchView(TypedDict):
    """``run`` has its state, as that of any run; its events have each new line of the ``log`` as ``line``."""

    run: RunView
    settings: dict[str, Any]
    log: list[dict[str, Any]]
