"""The JSON of a comparison: two plans counted on the same data, and what differs."""

from __future__ import annotations

from typing import Literal

from heddle.explorer.cost_report.view_schema import AccountView
from heddle.explorer.views.diagnostics_schema import DiagnosticView
from heddle.explorer.views.typed_dict import TypedDict

CountedOn = Literal["operands", "part", "copy"]


class ComparedSideView(TypedDict):
    """One plan. ``schedule`` is what was counted, with tiles that suit the data. ``shares`` are the operations of the
    first of ``count`` iterations that are shared out; one with all of them where none are. ``imbalance`` is the largest
    over the mean. ``bytes`` were moved between memory and a small simulated cache. ``lanes_idle`` is a share, null
    where nothing runs on a GPU."""

    title: str
    schedule: list[str]
    shares: list[int]
    count: int
    imbalance: float
    work: int
    bytes: int
    atomics: int
    lanes_idle: float | None


class ScaledTileView(TypedDict):
    """``command`` of the schedule was counted as ``counted``, so that there are shares to compare on small data."""

    command: str
    counted: str


class ExplanationView(TypedDict):
    """Why a plan is fast or slow. ``counted_on``: ``operands`` that the request gave; a ``part`` of the plan's inputs,
    which ``part`` names; or, where those cannot be followed, a ``copy`` of their kind, which it names. ``before`` is
    null where there is nothing to compare with. What could not be counted is null; ``diagnostics`` says why."""

    ok: bool
    diagnostics: list[DiagnosticView]
    counted_on: CountedOn
    part: str
    tiles: list[ScaledTileView]
    before: ComparedSideView | None
    after: ComparedSideView | None
    sentence: str
    account: AccountView
