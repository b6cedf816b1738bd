"""Runs of algorithms: the document, the records of sweeps, and the result."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, with_config
from typing_extensions import TypedDict

from backend.schema.plan import CLOSED, PlanDocument
from backend.schema.problem import Problem
from backend.schema.run import Lack, MachineFacts, Progress, RunState
from compiler.algorithms.algorithm import VERSION


@with_config(CLOSED)
class AlgorithmDocument(TypedDict):
    """What ``compiler.algorithms.document.reader`` reads, whose messages are better than a schema's."""

    version: NotRequired[Annotated[int, Field(ge=VERSION, le=VERSION)]]
    algorithm: str
    parameters: dict[str, Any]
    inputs: NotRequired[dict[str, Any]]
    kernels: NotRequired[dict[str, Any]]
    dtype: NotRequired[Literal["float64"]]
    target: NotRequired[Literal["c"]]
    run: NotRequired[dict[str, Any]]


class SweepEvent(TypedDict):
    kind: str
    mode: int | None
    text: str


class SweepRecord(TypedDict):
    """``sweep`` counts from 1. ``fit`` is at least what stands there where it is not ``resolved``. ``phases`` are
    seconds by phase and mode, as ``mttkrp.0``; ``conditions`` of each mode's system, estimated. ``objective`` is
    what is minimised where that is not the distance, ``violation`` how far an optimum's conditions are from holding."""

    sweep: int
    fit: float
    resolved: bool
    change: float | None
    seconds: float
    phases: dict[str, float]
    conditions: dict[str, float]
    objective: NotRequired[float | None]
    violation: NotRequired[float | None]
    events: list[SweepEvent]


class FirstCallRecord(TypedDict):
    """A kernel compared with NumPy before the first sweep: ``rows`` of ``of`` rows."""

    role: str
    rows: int
    of: int
    max_error: float
    tolerance: float


class RoleRecord(TypedDict):
    """How a role was computed. ``method`` is null where the document pinned it; ``plan`` opens in the explorer.
    ``atomics`` are the atomic updates that one call makes by each way of sharing entries out; none for other roles."""

    role: str
    title: str
    mode: int | None
    expression: str
    format: str
    schedule: list[str]
    method: str | None
    reasons: list[str]
    bytes: int
    atomics: dict[str, int]
    plan: PlanDocument


class TensorRecord(TypedDict):
    shape: list[int]
    nnz: int
    summed: int


class ModelRecord(TypedDict):
    """``artifact`` is the SHA-256 of the ``.npz`` that GET /runs/{id}/model answers; null with a ``reason``."""

    artifact: str | None
    bytes: int
    reason: NotRequired[str]


class DecompositionResult(TypedDict):
    """``stopped``: why there were no more sweeps. ``resumed_from``: the sweep of the checkpoint from which the last
    process went on; null where one process did it all. ``document`` has every kernel pinned."""

    verification: list[FirstCallRecord]
    history: list[SweepRecord]
    stopped: Literal["tolerance", "sweeps", "seconds", "asked", "time"]
    resumed_from: int | None
    fit: float
    weights: list[float]
    document: AlgorithmDocument
    hash: str
    roles: list[RoleRecord]
    input: TensorRecord
    preparation_seconds: float
    model: ModelRecord
    threads: int
    machine: MachineFacts
    worker: NotRequired[str]
    sandbox: dict[str, Any]
    date: str


class DecompositionView(TypedDict):
    """A run of an algorithm; its fields are those of RunView."""

    id: str
    state: RunState
    created: str
    started: str | None
    finished: str | None
    queue_position: int | None
    expected_wait_seconds: float | None
    lack: Lack | None
    measured_by: str | None
    plan: AlgorithmDocument
    plan_hash: str
    progress: Progress | None
    problem: Problem | None
    result: DecompositionResult | None
    figures: list[str]


# Taken as plain JSON and read by the compiler, as PLAN_BODY is.
DOCUMENT_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "oneOf": [
                        {"$ref": "#/components/schemas/PlanDocument"},
                        {"$ref": "#/components/schemas/AlgorithmDocument"},
                    ]
                }
            }
        },
    }
}
