"""The JSON of an account: why a plan is fast or slow, as far as counting tells."""

from __future__ import annotations

from typing import Literal

from heddle.explorer.views.diagnostics_schema import DiagnosticView, FixView
from heddle.explorer.views.typed_dict import TypedDict


class WorkView(TypedDict):
    """``formula`` and its number, ``value``, are null where there is no formula; ``counted`` is what the run did.
    ``zeroed`` elements of results and workspaces were set to their initial value."""

    formula: str | None
    value: int | None
    counted: int
    multiplications: int
    iterations: int
    merges: int
    index_loads: int
    zeroed: int


class CacheMissesView(TypedDict):
    """``size`` of the simulated cache in bytes."""

    size: int
    misses: int


class TrafficView(TypedDict):
    """One tensor or workspace. ``bytes`` are those of all its arrays, null for workspaces. ``elements`` different
    values were loaded in ``loads`` loads, so that each was used ``reuse`` times (null: none was). ``lines`` of the
    cache are touched at all, which no cache avoids; those of coordinates are among them. ``code_lines`` (1-based, of
    the loops) load or store the tensor."""

    tensor: str
    role: Literal["operand", "result", "workspace"]
    format: str | None
    bytes: int | None
    loads: int
    gathers: int
    elements: int
    reuse: float | None
    lines: int
    misses: list[CacheMissesView]
    code_lines: list[int]


class SharingView(TypedDict):
    """``variable`` is the loop whose iterations are shared out, null where none is. ``shares`` are the operations of
    the first iterations. ``lanes_idle`` and ``sectors_used`` are shares, null where nothing runs on a GPU."""

    variable: str | None
    unit: str | None
    workers: int
    shares: list[int]
    imbalance: float
    largest: float
    atomics: int
    lanes_idle: float | None
    sectors_used: float | None


class RooflineView(TypedDict):
    """``operations`` over ``bytes``, each array moving once, is the ``intensity``; below ``balance`` a typical core
    waits for memory."""

    operations: int
    bytes: int
    intensity: float
    balance: float
    bound: Literal["memory", "compute"]


class FindingView(TypedDict):
    """What costs something. ``fix`` was tried: ``gain`` says what it changes, counted on the same data."""

    rule: str
    text: str
    fix: FixView | None
    gain: str | None


class OperandShapeView(TypedDict):
    tensor: str
    shape: list[int]
    nonzeros: int


class AccountView(TypedDict):
    """``data`` says in words what was counted on, ``operands`` with which shapes. ``fault`` is why the run did not end.
    What is null could not be counted; the reason is in ``diagnostics``."""

    hash: str
    ok: bool
    diagnostics: list[DiagnosticView]
    data: str
    operands: list[OperandShapeView]
    fault: str | None
    work: WorkView | None
    traffic: list[TrafficView]
    sharing: SharingView | None
    roofline: RooflineView | None
    findings: list[FindingView]
