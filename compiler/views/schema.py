"""The JSON that leaves the compiler: typed dictionaries that the HTTP API republishes and the page consumes.

Identities used for linking everywhere: ``var:<name>`` (index variable), ``tensor:<name>``, ``level:<tensor>:<level>``
(1-based storage level), ``command:<n>`` (0-based schedule command).
"""

from __future__ import annotations

import sys
from typing import Literal, NotRequired

from compiler.views.gpu_schema import LaunchView, LaunchWorkView

if sys.version_info >= (3, 12):
    from typing import TypedDict
else:
    from typing_extensions import TypedDict  # The API description is made from these types, which 3.11's cannot serve.

RoleName = Literal["bounds", "guard", "recovery", "search", "assembly", "reduction", "init", "compute"]
Space = Literal["coordinate", "position"]


class LocationView(TypedDict):
    part: Literal["expression", "format", "schedule", "input", "plan"]
    start: int
    end: int
    command: int | None
    tensor: str | None
    path: str | None


class FixView(TypedDict):
    """A one-click repair. Absent (null) parts stay as they are."""

    title: str
    expression: str | None
    schedule: list[str] | None
    formats: dict[str, str] | None
    options: dict[str, str] | None


class DiagnosticView(TypedDict):
    code: str
    severity: Literal["error", "warning", "note"]
    message: str
    location: LocationView | None
    expected: str | None
    found: str | None
    candidates: list[str]
    hint: str | None
    fixes: list[FixView]


class LevelView(TypedDict):
    kind: str
    ordered: bool
    unique: bool
    dimension: int
    variable: str | None
    arrays: list[str]


class TensorView(TypedDict):
    """``format`` is the canonical text (a preset when one fits). ``dimensions`` names the index variable of each."""

    name: str
    result: bool
    order: int
    dtype: str
    format: str
    dimensions: list[str]
    levels: list[LevelView]


class TemporaryView(TypedDict):
    """A workspace: a scalar, or an array over the ranges of ``dimensions``.

    ``kind`` is how it is stored: ``dense`` a value for each coordinate, ``listed`` the same with a list of those that
    were written, ``mapped`` a hash map. ``command`` is the 0-based command that asked for it; null when the expression
    or the assembly of a sparse result needs it.
    """

    name: str
    dtype: str
    kind: Literal["scalar", "dense", "listed", "mapped"]
    dimensions: list[str]
    command: int | None


class VariableView(TypedDict):
    """``underived`` variables stand in the expression. ``loop`` variables have a loop in the final nest."""

    name: str
    space: Space
    underived: bool
    reduction: bool
    loop: bool
    unit: str | None
    race: str | None
    unroll: int | None
    bounds: str
    recovery: str | None


class GraphNodeView(TypedDict):
    """``merge`` is ``∩`` or ``∪`` where several tensors meet. ``parent`` is the enclosing loop (null at the root)."""

    variable: str
    parent: str | None
    depth: int
    merge: Literal["∩", "∪"] | None
    iteration: str
    iterated: list[str]
    located: list[str]


class PathStepView(TypedDict):
    variable: str
    level: int
    kind: str


class TensorPathView(TypedDict):
    """One access's way through the iteration graph, in its level order.

    ``temporary`` is true for workspaces, which have a path where they are written and one for each access that reads
    them."""

    tensor: str
    access: str
    result: bool
    temporary: bool
    steps: list[PathStepView]


class IterationGraphView(TypedDict):
    """``statements`` stand in the order in which they run: producers before their consumers. ``chains`` has the loops
    around each of them, outermost first."""

    nodes: list[GraphNodeView]
    paths: list[TensorPathView]
    statements: list[str]
    chains: list[list[str]]
    text: str


class RelationView(TypedDict):
    """One provenance relation: ``parents`` are nearer to the expression, ``children`` nearer to the loops."""

    kind: str
    command: int | None
    parents: list[str]
    children: list[str]
    bounds: list[str]
    recover: list[str]


class ProvenanceView(TypedDict):
    variables: list[str]
    relations: list[RelationView]
    text: str


class LatticePointView(TypedDict):
    iterators: list[str]
    expression: str
    loop: bool


class PrunedPointView(TypedDict):
    """A set of operands that has no case of its own, and why: ``annihilator`` (nothing is left to compute) or
    ``density`` (an operand that has every coordinate makes it one with a larger point)."""

    iterators: list[str]
    rule: Literal["annihilator", "density"]
    reason: str


class LatticeOperandView(TypedDict):
    """An operand that is iterated at the variable: ``level`` is 1-based."""

    access: str
    tensor: str
    level: int


class LatticeView(TypedDict):
    """``points`` are in the order of their loops, largest first; ``pruned`` is empty above four operands."""

    variable: str
    points: list[LatticePointView]
    operands: list[LatticeOperandView]
    pruned: list[PrunedPointView]


class OriginView(TypedDict):
    role: RoleName
    variable: str | None
    tensor: str | None
    level: int | None
    command: int | None


class SpanView(TypedDict):
    """1-based line, 0-based columns (end exclusive)."""

    line: int
    column: int
    end_column: int
    origin: OriginView


class SymbolView(TypedDict):
    """What an identifier of the code stands for, so that pointing at it lights up the rest of the page."""

    kind: Literal["variable", "position", "dimension", "array", "temporary"]
    variable: str | None
    tensor: str | None
    level: int | None


class CodeView(TypedDict):
    language: Literal["c", "cuda", "opencl", "loops"]
    text: str
    spans: list[SpanView]
    symbols: dict[str, SymbolView]


class StageView(TypedDict):
    """One step of the pipeline. ``id`` is stable: notation, concrete, command-<n>, graph, structured, flat, c …"""

    id: str
    title: str
    text: str
    command: int | None
    milliseconds: float
    code: NotRequired[CodeView | None]


class CommandView(TypedDict):
    """One row of the schedule, with the diagnostics that point at it found by their ``location.command``."""

    index: int
    text: str
    name: str
    arguments: list[str]
    status: Literal["applied", "failed", "skipped"]


class ConversionView(TypedDict):
    """The kernel reads ``name``: the operand ``tensor`` in another format than declared, made when it is called. The
    names differ where the operand is read in two orders."""

    tensor: str
    name: str
    format: str


class CompileView(TypedDict):
    """The answer to one compile. On an error the views that could still be made are there; the rest is null.
    ``launches`` are those of a kernel for a GPU, in the order of their start."""

    plan: dict[str, object]
    hash: str
    ok: bool
    milliseconds: float
    diagnostics: list[DiagnosticView]
    tensors: list[TensorView]
    conversions: list[ConversionView]
    temporaries: list[TemporaryView]
    variables: list[VariableView]
    commands: list[CommandView]
    graph: IterationGraphView | None
    provenance: ProvenanceView | None
    lattices: list[LatticeView]
    stages: list[StageView]
    code: CodeView | None
    launches: list[LaunchView]


class ParameterView(TypedDict):
    """``kind`` tells the form and the completion what to offer."""

    name: str
    kind: Literal[
        "variable",
        "variables",
        "variable-set",
        "new-variable",
        "new-variable-set",
        "new-tensor",
        "integer",
        "tensor",
        "expression",
        "enumeration",
    ]
    choices: list[str]
    optional: bool
    doc: str


class CommandSpecView(TypedDict):
    name: str
    signature: str
    summary: str
    before: str
    after: str
    preconditions: list[str]
    parameters: list[ParameterView]


class FormatPresetView(TypedDict):
    name: str
    order: int | None
    text: str
    summary: str


TraceValue = int | float | bool | str
"""A number of a trace. What JSON cannot hold exactly is a text: ``"inf"``, ``"nan"``, ``"(1+2j)"``, large integers."""


class TraceTensorView(TypedDict):
    """A tensor as it lies in memory. ``arrays`` maps the kernel's names (``A2_pos``, ``A_vals``) to their elements.

    ``coordinates`` gives for each position of the values the coordinate in each dimension, padding included. The
    result's values are null where the kernel wrote none.
    """

    tensor: str
    origin: Literal["given", "example", "random", "result"]
    shape: list[int]
    nonzeros: int
    arrays: dict[str, list[TraceValue | None]]
    coordinates: list[list[int]]


class TraceLoadView(TypedDict):
    array: str
    index: int
    value: TraceValue


class TraceStoreView(TypedDict):
    """``value`` is what the element holds afterwards."""

    array: str
    index: int
    value: TraceValue
    atomic: bool


class TraceFillView(TypedDict):
    """The first ``size`` elements of ``array`` all get ``value``; null for a workspace that was allocated."""

    array: str
    size: int
    value: TraceValue | None


class TraceStepView(TypedDict):
    """One executed statement: the start of a loop's iteration, an assignment, a store … ``test`` is a condition, or the
    bounds of a loop that has no iteration, seen by what it loads.

    ``line`` is the 1-based line in the loops' text (structured and flat alike), ``c_line`` that in the C text.
    ``worker`` holds the parallel loop variables, outermost first. ``visit`` maps the index variables of the expression
    to their values where the statement computes with operands' values: the order of these is the order of visiting.
    """

    statement: int
    line: int
    c_line: int | None
    kind: Literal["iteration", "assign", "store", "fill", "test"]
    worker: dict[str, int]
    changed: dict[str, TraceValue]
    loads: list[TraceLoadView]
    store: TraceStoreView | None
    fill: TraceFillView | None
    visit: dict[str, int] | None


class MergeCursorView(TypedDict):
    """Where one operand stands: ``position`` in the coordinates of ``level`` (1-based), which end before ``end``."""

    operand: str
    tensor: str
    level: int
    position: int
    end: int


class MergeStepView(TypedDict):
    """One iteration of a loop of ``variable``'s merge lattice. Points are named as in ``LatticeView``.

    ``loop`` is the point whose loop runs, ``active`` the point whose branch was taken (null: nothing was computed).
    ``step`` is the index in ``steps`` of the first step of the iteration. The branch's lines are null where the active
    point needs no test.
    """

    step: int
    variable: str
    worker: dict[str, int]
    loop: list[str]
    active: list[str] | None
    line: int
    c_line: int | None
    branch_line: int | None
    branch_c_line: int | None
    cursors: list[MergeCursorView]


class TraceView(TypedDict):
    """One run of the checked interpreter on small operands. ``ok``: it ran to its end without a fault.

    After a fault or a broken claim ``diagnostics`` says which, and ``steps`` holds what came before. ``parameters`` are
    the kernel's scalars, ``launches`` what each thread of a GPU did.
    """

    hash: str
    ok: bool
    diagnostics: list[DiagnosticView]
    tensors: list[TraceTensorView]
    parameters: dict[str, TraceValue]
    steps: list[TraceStepView]
    merges: list[MergeStepView]
    launches: list[LaunchWorkView]
    visits: int
    loads: int
    stores: int
    atomics: int


class CandidateView(TypedDict):
    """A command that may come next, or why not: then ``instead`` is the closest one that may, where there is one.
    ``variables`` are the loops that it names."""

    text: str
    variables: list[str]
    why_not: DiagnosticView | None
    instead: str | None


class LegalCommandView(TypedDict):
    """Legal candidates first. Of those refused for the same reason only the first is listed."""

    name: str
    candidates: list[CandidateView]


class LegalView(TypedDict):
    """What may come after the first ``applied`` commands of a plan: all of them, unless ``diagnostics`` says what is
    wrong with the next one."""

    hash: str
    ok: bool
    diagnostics: list[DiagnosticView]
    applied: int
    commands: list[LegalCommandView]


class WhatIfChangeView(TypedDict):
    """An element of the result that comes out differently; null where the kernel wrote none."""

    array: str
    index: int
    expected: TraceValue | None
    found: TraceValue | None


class WhatIfView(TypedDict):
    """One run of the kernel without one guard. ``line`` is the 1-based line that was asked about, ``guard`` its text.

    ``outcome`` is null when nothing could be run; then ``diagnostics`` says why. After a fault they say which.
    """

    hash: str
    guard: str | None
    line: int
    command: int | None
    outcome: Literal["fault", "different", "same"] | None
    summary: str
    diagnostics: list[DiagnosticView]
    changes: list[WhatIfChangeView]
