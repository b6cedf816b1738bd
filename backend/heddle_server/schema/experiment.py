"""A guided experiment: a question, the plans whose runs answer it, and one figure over all of their results."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from heddle_server.schema.decomposition import AlgorithmDocument
from heddle_server.schema.plan import PlanDocument


class ExperimentPoint(TypedDict):
    """One run of the experiment, of a plan or a decomposition: ``series`` at ``value`` of the parameter, which is shown
    as ``label``.

    What is known without a run: ``rows`` are the nonzeros in each of equal parts of the rows, ``lanes`` those that each
    thread gets (both empty where they are not the question), ``model`` a sentence with numbers, or empty.
    """

    series: str
    value: float
    label: str
    plan: PlanDocument | AlgorithmDocument
    rows: list[int]
    lanes: list[int]
    model: str


class ExperimentView(TypedDict):
    """``look_for`` says what the answer turns on, ``where`` what is special about the machine that measures (mostly
    nothing); ``points`` are in the order in which they are best measured. ``seconds_per_run`` is what a measurement
    takes here at the moment, about. ``stored`` names machine, versions and date of the measurement that comes with
    Heddle, where there is one (``GET /experiments/{id}/stored``). ``group`` is the paper whose question it asks."""

    id: str
    title: str
    question: str
    look_for: str
    parameter: str
    where: str
    seconds_per_run: NotRequired[float]
    stored: NotRequired[str]
    group: NotRequired[str]
    points: list[ExperimentPoint]
