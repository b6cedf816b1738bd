"""What a sweep did: its fit, where its time went, and what did not go as usual."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a person should know: ``kind`` is ``solver``, ``component`` or ``fit``, ``text`` says it."""

    kind: str
    mode: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Sweep:
    """``number`` counts from 1. ``fit`` is 1 − ‖X − M‖ / ‖X‖; where rounding hides the difference (``resolved`` is
    false) it is at least what stands there. ``change`` is that from the sweep before. ``phases`` are seconds by phase
    and mode, ``conditions`` the estimated condition of each mode's system. ``objective`` is what the algorithm
    minimises where that is not the distance, ``violation`` how far its conditions of an optimum are from holding."""

    number: int
    fit: float
    resolved: bool
    change: float | None
    seconds: float
    phases: dict[str, float]
    conditions: dict[int, float]
    events: tuple[Event, ...] = ()
    objective: float | None = None
    violation: float | None = None

    def to_json(self) -> dict[str, object]:
        return {
            "sweep": self.number,
            "fit": self.fit,
            "resolved": self.resolved,
            "change": self.change,
            "seconds": self.seconds,
            "phases": self.phases,
            "conditions": {str(mode): value for mode, value in self.conditions.items()},
            "objective": self.objective,
            "violation": self.violation,
            "events": [{"kind": event.kind, "mode": event.mode, "text": event.text} for event in self.events],
        }
