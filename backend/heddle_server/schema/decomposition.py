"""Runs of algorithms: the document, the records of sweeps, and the result."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, GetJsonSchemaHandler, TypeAdapter, with_config
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema
from typing_extensions import TypedDict

from heddle.algorithms.algorithm import VERSION
from heddle.explorer.views.diagnostics_schema import DiagnosticView
from heddle_server.schema.plan import CLOSED, PLAN_SCHEMA, PlanDocument, wrapped_or_alone
from heddle_server.schema.problem import Problem
from heddle_server.schema.run import Lack, MachineFacts, Progress, RunState

CUT_SHORT = ("asked", "time")
"""Why a decomposition ended that would have gone on: whoever else asks for it wants all of it."""


@with_config(CLOSED)
class AlgorithmDocument(TypedDict):
    """What ``heddle.algorithms.document.reader`` reads, whose messages are better than a schema's."""

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


class RowWrites(TypedDict):
    """Atomic updates of rows in one call, each of as many single values as the rank: ``count`` in all, of ``rows``
    different ones, ``most`` of the row ``busiest``. ``blocks`` has for each group of neighbouring chunks, in the order
    in which entries are taken, how many fall into each group of neighbouring rows."""

    count: int
    rows: int
    busiest: int
    most: int
    blocks: list[list[int]]


class RoleRecord(TypedDict):
    """How a role was computed. ``method`` is null where the document pinned it; ``plan`` opens in the explorer.
    ``atomics`` are the atomic updates that one call makes by each way of sharing entries out, ``writes`` which rows
    they update, where there are any; none for other roles."""

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
    writes: NotRequired[dict[str, RowWrites]]
    plan: PlanDocument


class MethodPrediction(TypedDict):
    """What one call would take by the method ``name``: ``bytes`` beside the coordinates and values that all modes
    share, and atomic updates of single values. ``allowed``: not so where the document asks for equal bits."""

    name: str
    bytes: int
    atomics: int
    allowed: bool


class PredictedRole(RoleRecord):
    """``rows`` are those of its result (0: no matrix), ``entries`` what it goes through: entries of the tensor, or rows
    of a partial product. ``work`` are the multiplications and additions of one call, ``seconds`` what it is
    predicted to take on one thread; null for what is no product. ``methods`` may compute it, none where that is no
    question."""

    rows: int
    entries: int
    work: int | None
    seconds: float | None
    methods: list[MethodPrediction]


class TensorRecord(TypedDict):
    shape: list[int]
    nnz: int
    summed: int


class ModelRecord(TypedDict):
    """``artifact`` is the SHA-256 of the ``.npz`` that GET /runs/{id}/model answers; null with a ``reason``."""

    artifact: str | None
    bytes: int
    reason: NotRequired[str]


class TopRow(TypedDict):
    row: int
    value: float


class StripRecord(TypedDict):
    """The column of a factor as a picture: of each group of neighbouring rows the entry of the largest magnitude, and
    the rows with the largest ones of all. ``component`` counts from 0, the largest weight first."""

    component: int
    mode: int
    bins: list[float]
    top: list[TopRow]


class TreeOffer(TypedDict):
    """A tree of partial products that modes share, as ``parameters.reuse`` says it, or ``none``; what is predicted of
    it: the multiplications and additions of a sweep's products, the rows and bytes of what is kept, and the seconds of
    a sweep's products on one thread."""

    reuse: str
    work: int
    rows: int
    bytes: int
    seconds: float


class MethodView(TypedDict):
    """A way to compute the product of a mode, as ``kernels["mttkrp.0"]["method"]`` names it. ``known_as`` is its name
    in Phipps and Kolda (2019) or elsewhere; ``reproducible``: to the same bits for any number of threads; ``shared``:
    all modes have one copy of coordinates and values."""

    name: str
    known_as: str
    title: str
    reproducible: bool
    shared: bool


class ScoreView(TypedDict):
    """How alike two models are: 1 for the same up to order, scale and sign of components. ``components`` were matched,
    those of the smaller rank."""

    score: float
    components: int


class StateRecord(TypedDict):
    """``artifact`` is the SHA-256 of what the service keeps to go on with; null with a ``reason``."""

    artifact: str | None
    bytes: int
    reason: NotRequired[str]


class OpponentSweep(TypedDict):
    sweep: int
    fit: float
    seconds: float


class OpponentRecord(TypedDict):
    """Another program from the same start. ``reason``: why it has no ``history``, else null; ``note`` says how its
    sweeps were timed."""

    id: Literal["pyttb", "genten"]
    label: str
    version: str
    note: str
    reason: str | None
    history: list[OpponentSweep]


class DecompositionResult(TypedDict):
    """``stopped``: why there were no more sweeps. ``resumed_from``: the sweep from which the last process went on, of a
    checkpoint or of an earlier run; null where one process did it all. ``document`` has every kernel pinned. ``state``
    is where ``POST /runs?resume=…`` goes on, ``packing_seconds`` are those of all copies of the tensor, ``trees``
    are the best three of those that modes may share, and none. ``strips`` are the factors of the first components."""

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
    packing_seconds: NotRequired[float]
    model: ModelRecord
    strips: NotRequired[list[StripRecord]]
    state: NotRequired[StateRecord]
    trees: NotRequired[list[TreeOffer]]
    opponents: NotRequired[list[OpponentRecord]]
    threads: int
    machine: MachineFacts
    worker: NotRequired[str]
    sandbox: dict[str, Any]
    date: str


class AlgorithmView(TypedDict):
    """What a document will do, before it runs: its ``roles``, and the ``trees`` that its modes may share. With
    ``diagnostics`` there is neither. ``reuse`` is the tree that was chosen, ``factor_bytes`` are those of factors and
    products."""

    ok: bool
    input: TensorRecord | None
    reuse: str
    factor_bytes: int
    roles: list[PredictedRole]
    trees: list[TreeOffer]
    diagnostics: list[DiagnosticView]


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


ALGORITHM_SCHEMA: dict[str, Any] = {"$ref": "#/components/schemas/AlgorithmDocument"}
ALGORITHM_BODY: dict[str, Any] = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": wrapped_or_alone(ALGORITHM_SCHEMA)}}}
}

# Taken as plain JSON and read by the compiler, as PLAN_BODY is.
DOCUMENT_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": wrapped_or_alone({"oneOf": [PLAN_SCHEMA, ALGORITHM_SCHEMA]})}},
    }
}


class DescribedAsDocument:
    """Described as a plan or an algorithm, and taken as plain JSON all the same."""

    def __get_pydantic_json_schema__(self, _: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        documents: TypeAdapter[Any] = TypeAdapter(PlanDocument | AlgorithmDocument)
        return handler(documents.core_schema)


DocumentBody = Annotated[dict[str, Any], DescribedAsDocument()]
"""A plan or an algorithm inside of a request."""
