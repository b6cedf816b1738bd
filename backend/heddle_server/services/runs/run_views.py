"""Rows of the runs table as the API shows them."""

from __future__ import annotations

from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from heddle_server.figures.registry import figure_names
from heddle_server.problem import ProblemError
from heddle_server.schema.problem import Problem
from heddle_server.schema.run import Lack, RunResult, RunView
from heddle_server.services.runs.documents import is_algorithm
from heddle_server.services.runs.stored_result import is_noisy, read_stored
from heddle_server.store.database import iso
from heddle_server.store.tables import Run

PROBLEM = TypeAdapter(Problem)


def cancelled_problem() -> dict[str, Any]:
    return run_problem("cancelled", "Cancelled", "The run was cancelled.")


def run_problem(
    ending: str, title: str, detail: str, diagnostics: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    """The problem of a run that ended without a result; its ``status`` says whose matter it is."""
    status = 500 if ending in ("failed", "lost", "crashed") else 422
    problem = ProblemError(status, f"run-{ending}", title, detail).document()
    if diagnostics is not None:
        problem["diagnostics"] = [_of_today(diagnostic) for diagnostic in diagnostics]
    return problem


def is_problem(problem: object) -> bool:
    """Whether it can be shown."""
    try:
        PROBLEM.validate_python(problem)
    except ValidationError:
        return False
    return True


def _shown(problem: dict[str, Any] | None) -> dict[str, Any] | None:
    """As it is stored; of a run of before, whose process could tell anything, what can be said of it."""
    if problem is None or is_problem(problem):
        return problem
    return run_problem("failed", "The run failed", "It told why in a way that Heddle cannot read.")


def _of_today(diagnostic: dict[str, Any]) -> dict[str, Any]:
    """Those of workers and records of before have no evidence."""
    return {"evidence": [], **diagnostic}


def is_conclusive(run: Run) -> bool:
    """Whether a measurement was not noisy; those of algorithms compare nothing, and are not."""
    if run.result is None:
        return False
    return is_algorithm(run.plan) or not is_noisy(cast(RunResult, run.result))


def run_view(run: Run, position: int | None, expected_wait: float | None = None, lack: Lack | None = None) -> RunView:
    """For the run of an algorithm a DecompositionView, which has the same fields."""
    of_algorithm = is_algorithm(run.plan)
    result = cast(RunResult, run.result) if run.result else None
    if result is not None and not of_algorithm:
        result = read_stored(result)
    view = {
        "id": run.id,
        "state": run.state,
        "created": iso(run.created),
        "started": iso(run.started) if run.started else None,
        "finished": iso(run.finished) if run.finished else None,
        "queue_position": position,
        "expected_wait_seconds": expected_wait,
        "lack": lack,
        "measured_by": run.measured_by,
        "plan": run.plan,
        "plan_hash": run.plan_hash,
        "progress": run.progress,
        "problem": _shown(run.problem),
        "result": result,
        "figures": figure_names(result) if result is not None and not of_algorithm else [],
    }
    return cast(RunView, view)
