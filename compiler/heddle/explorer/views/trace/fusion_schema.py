"""The JSON of launches before and after parts were put one after the other in one loop."""

from __future__ import annotations

from heddle.explorer.views.diagnostics_schema import DiagnosticView
from heddle.explorer.views.typed_dict import TypedDict


class PartLaunchView(TypedDict):
    """A launch of a kernel. ``part`` is the one whose loop runs on its blocks, null where several or none do. ``grid``
    is the number of blocks as a text in the kernel's parameters; ``work`` has what each block computes with the
    running example, null where that takes too long to follow."""

    name: str
    part: str | None
    grid: str
    work: list[int] | None


class CaseView(TypedDict):
    """The blocks from ``first`` on, so many, go through ``part``: what the chain of cases in the code decides."""

    part: str
    first: int
    blocks: int


class FusionView(TypedDict):
    """``separate`` are the launches of the plan without its ``concat``, whose ``schedule`` gives each part what the one
    loop had; ``fused`` those with it, and ``cases`` say which of its blocks are whose. ``adds_up``: the one launch has
    the blocks of the separate ones, with the same work; null where work is not known. Without ``concat``, and where
    there are no launches, the reason is in ``diagnostics``."""

    ok: bool
    diagnostics: list[DiagnosticView]
    command: int | None
    schedule: list[str]
    separate: list[PartLaunchView]
    fused: list[PartLaunchView]
    cases: list[CaseView]
    adds_up: bool | None
