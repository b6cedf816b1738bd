"""What schedule command may come next -> JSON."""

from __future__ import annotations

from collections.abc import Sequence

from heddle.explorer.views.commands_schema import CandidateView, GoalView, LegalCommandView, LegalView
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.plan import plan_hash
from heddle.result import CompileResult
from heddle.schedule.legal import Candidate, LegalCommand


def legal_view(
    result: CompileResult, applied: int, commands: Sequence[LegalCommand], goals: Sequence[GoalView] = ()
) -> LegalView:
    """What may come after the first ``applied`` commands: ``commands``, none where there is no program at all.
    ``goals`` are those that can be reached from there."""
    return LegalView(
        hash=plan_hash(result.plan),
        ok=result.ok,
        diagnostics=[diagnostic_view(diagnostic) for diagnostic in result.diagnostics],
        applied=applied,
        goals=list(goals),
        commands=[
            LegalCommandView(name=command.name, candidates=[_candidate(candidate) for candidate in command.candidates])
            for command in commands
        ],
    )


def _candidate(candidate: Candidate) -> CandidateView:
    return CandidateView(
        text=candidate.text,
        variables=list(candidate.variables),
        why_not=diagnostic_view(candidate.reason) if candidate.reason is not None else None,
        instead=candidate.instead,
    )
