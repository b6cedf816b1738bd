"""What a rule answers with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proposal:
    """Commands as a person would write them, and one sentence for each choice."""

    schedule: tuple[str, ...]
    reasons: tuple[str, ...]

    def then(self, other: Proposal) -> Proposal:
        """This one's commands, then the other's."""
        return Proposal(self.schedule + other.schedule, self.reasons + other.reasons)
