"""A submission to a task of a lesson, as it is sent."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from heddle_server.schema.plan import PlanBody

LARGEST_SEED = 2**31 - 1


class Submitted(BaseModel):
    """``run`` names a finished run of this plan, for medals."""

    model_config = ConfigDict(extra="forbid")

    plan: PlanBody
    answers: dict[
        Annotated[str, StringConstraints(max_length=48)],
        Annotated[float, Field(allow_inf_nan=False)] | Annotated[str, StringConstraints(max_length=200)],
    ] = Field(default_factory=dict, max_length=16)
    run: Annotated[str, StringConstraints(max_length=64)] | None = None


class Submission(Submitted):
    """``seed`` is the student's, on whose data the plan is checked."""

    seed: int = Field(default=0, ge=0, le=LARGEST_SEED)
