"""What an experiment is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from heddle.algorithms.document.canonical import algorithm_hash
from heddle.algorithms.document.reader import parse_algorithm
from heddle.measuring.schema import Entry
from heddle.plan import parse_plan, plan_hash
from heddle.runtime.native import cpu
from heddle_server.schema.decomposition import AlgorithmDocument, DecompositionResult
from heddle_server.schema.experiment import ExperimentPoint, ExperimentView
from heddle_server.schema.plan import PlanDocument
from heddle_server.schema.run import Figure, RunResult

Result = RunResult | DecompositionResult


@dataclass(frozen=True, slots=True)
class Measured:
    """A point with the result of its run, which :func:`swept` takes for that of a decomposition."""

    point: ExperimentPoint
    result: RunResult


@dataclass(frozen=True, slots=True)
class Experiment:
    """``draw`` gets at least one measured point, in the order of ``view["points"]``. ``scale`` says in words how its
    data differ from those of the paper that it follows; empty where they do not."""

    view: ExperimentView
    draw: Callable[[Sequence[Measured]], Figure]
    scale: str = ""


def point_of(
    series: str,
    value: float,
    plan: PlanDocument | AlgorithmDocument,
    label: str | None = None,
    *,
    rows: Sequence[int] = (),
    lanes: Sequence[int] = (),
    model: str = "",
) -> ExperimentPoint:
    """``label`` names the value where a number does not."""
    return ExperimentPoint(
        series=series,
        value=value,
        label=label or f"{value:g}",
        plan=plan,
        rows=list(rows),
        lanes=list(lanes),
        model=model,
    )


def is_decomposition(point: ExperimentPoint) -> bool:
    """Whether the point is the document of an algorithm, not a plan."""
    return "algorithm" in point["plan"]


def hash_of(point: ExperimentPoint) -> str:
    """That of its plan or document, by which runs are known."""
    document = point["plan"]
    return algorithm_hash(parse_algorithm(document)) if is_decomposition(point) else plan_hash(parse_plan(document))


def key_of(point: ExperimentPoint) -> str:
    """By which measurements that come with Heddle are known: as :func:`hash_of`, but that a decomposition on all cores
    has the same key on every machine."""
    if not is_decomposition(point):
        return hash_of(point)
    algorithm = parse_algorithm(point["plan"])
    all_cores = algorithm.threads == cpu.available_cores()
    return algorithm_hash(replace(algorithm, threads=None) if all_cores else algorithm)


def sweep_result(measured: Measured) -> DecompositionResult:
    """The result of a point that is a decomposition."""
    return cast(DecompositionResult, measured.result)


def entry_of(result: RunResult, identity: str) -> Entry | None:
    """The entry of one contender; None where it was not timed."""
    return next((entry for entry in result["entries"] if entry["id"] == identity and entry["median_ns"]), None)


def ours(result: RunResult) -> Entry:
    """The entry of the scheduled kernel."""
    return next(entry for entry in result["entries"] if entry["id"] == "heddle")


def series_of(measured: Sequence[Measured]) -> dict[str, list[Measured]]:
    """By series, in the order of the points, each ordered by the value of the parameter."""
    names = dict.fromkeys(measurement.point["series"] for measurement in measured)
    return {
        name: sorted(
            (sample for sample in measured if sample.point["series"] == name),
            key=lambda measurement: measurement.point["value"],
        )
        for name in names
    }
