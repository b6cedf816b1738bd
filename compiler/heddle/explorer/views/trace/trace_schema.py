"""The JSON of runs of the checked interpreter: traces, and kernels without one guard."""

from __future__ import annotations

from typing import Literal

from heddle.explorer.views.code.gpu_schema import LaunchWorkView
from heddle.explorer.views.diagnostics_schema import DiagnosticView
from heddle.explorer.views.typed_dict import TypedDict

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
    """How far an operand has come: ``position`` in the coordinates of ``level`` (1-based), which end before ``end``."""

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
