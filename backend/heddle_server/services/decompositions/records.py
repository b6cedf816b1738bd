"""What runs of algorithms report and give, checked before it is kept."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from heddle.algorithms.algorithm import MAX_SWEEPS
from heddle_server.problem import ProblemError
from heddle_server.schema.decomposition import DecompositionResult, SweepRecord
from heddle_server.services.runs.documents import is_algorithm
from heddle_server.store.tables import Run

RESULT = TypeAdapter(DecompositionResult)
RECORDS = TypeAdapter(list[SweepRecord])


def sweeps_data(report: dict[str, Any]) -> dict[str, Any]:
    """The data of a ``sweeps`` event. Raises ValueError for what is no list of records."""
    records = report.get("records")
    # A list comes as a tuple from the workers.
    if not isinstance(records, list | tuple) or len(records) > MAX_SWEEPS:
        raise ValueError("a worker reported sweeps that are not a list of at most 10,000 records")
    return {"records": RECORDS.validate_python(list(records))}


def require_decomposition(run: Run) -> None:
    """Raises ProblemError 409 for the run of a plan."""
    if not is_algorithm(run.plan):
        detail = "The run is of a plan. Only the runs of algorithms can be stopped or have a model; cancel it instead."
        raise ProblemError(409, "no-decomposition", "This run is not a decomposition", detail)
