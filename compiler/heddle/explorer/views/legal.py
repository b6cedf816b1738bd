"""What schedule command may come next -> JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from heddle.explorer.views.commands_schema import CandidateView, GoalView, LegalCommandView, LegalView
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.plan import plan_hash
from heddle.result import CompileResult
from heddle.schedule.legal import Candidate, LegalCommand

MOST_BYTES = 150_000
"""Of all candidates in one answer."""


def legal_view(
    result: CompileResult,
    applied: int,
    commands: Sequence[LegalCommand],
    goals: Sequence[GoalView] = (),
    start: int = 0,
) -> LegalView:
    """What may come after the first ``applied`` commands: ``commands``, none where there is no program at all.
    ``goals`` are those that can be reached from there. Of each command as many candidates are listed, from number
    ``start`` on, as an answer has room for."""
    return LegalView(
        hash=plan_hash(result.plan),
        ok=result.ok,
        diagnostics=[diagnostic_view(diagnostic) for diagnostic in result.diagnostics],
        applied=applied,
        goals=list(goals),
        commands=_share_room([(command.name, command.candidates[start:]) for command in commands]),
    )


def _share_room(groups: Sequence[tuple[str, Sequence[Candidate]]]) -> list[LegalCommandView]:
    """The first candidate of every command, then the second ones, until there is no room for one more."""
    views = [LegalCommandView(name=name, candidates=[], left_out=len(candidates)) for name, candidates in groups]
    room = MOST_BYTES
    for place in range(max((len(candidates) for _, candidates in groups), default=0)):
        for view, (_, candidates) in zip(views, groups, strict=True):
            if place >= len(candidates):
                continue
            candidate = _candidate(candidates[place])
            room -= len(json.dumps(candidate, separators=(",", ":")))
            if room < 0 and any(other["candidates"] for other in views):
                return views
            view["candidates"].append(candidate)
            view["left_out"] -= 1
    return views


def _candidate(candidate: Candidate) -> CandidateView:
    return CandidateView(
        text=candidate.text,
        variables=list(candidate.variables),
        why_not=diagnostic_view(candidate.reason) if candidate.reason is not None else None,
        instead=candidate.instead,
    )
