"""Whatever no other rule for GPUs knows: the schedule that a plan without one gets (schedule/gpu_default.py)."""

from __future__ import annotations

from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal


def gpu_default(program: Program) -> Proposal:
    return Proposal((), ("No rule fits this program: it gets the default GPU schedule.",))
