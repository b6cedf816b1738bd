"""What is known from searches: programs, cases and schedules, and what of it suits a plan."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict


class ScheduleView(TypedDict):
    """A schedule, the formats that operands had instead of the case's, and its times. ``gain``: how many times as long
    the rules' schedule took, null where its search did not tell. ``tied``: none of its search was told to be faster."""

    schedule: list[str]
    formats: dict[str, str]
    median_ns: float
    low_ns: float
    high_ns: float
    samples: int
    gain: float | None
    date: str
    machine: str
    strategy: str
    tied: bool


class KnownEntryView(TypedDict):
    """``tensors`` say what the case is, in canonical names; ``here``: it was measured on this machine."""

    key: str
    here: bool
    tensors: list[str]
    schedules: list[ScheduleView]


class KnownView(TypedDict):
    """A program in its canonical form, with every case that is known."""

    program: str
    expression: str
    entries: list[KnownEntryView]


class OfferView(ScheduleView):
    """In the names of the plan, which it compiles with: ``plan`` is the whole. ``nearness`` says how far the case is
    from this one."""

    nearness: str
    exact: bool
    plan: dict[str, Any]


class KeptOutView(TypedDict):
    schedule: list[str]
    reason: str


class LookupView(TypedDict):
    """``names`` maps those of the plan to canonical ones."""

    program: str
    canonical: str
    names: dict[str, str]
    key: str
    offers: list[OfferView]
    kept_out: list[KeptOutView]
