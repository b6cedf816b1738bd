"""What schedule command may come next -> JSON."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.plan import plan_hash
from compiler.result import CompileResult
from compiler.schedule.legal import Candidate, legal
from compiler.targets import target_named
from compiler.views.commands_schema import CandidateView, GoalView, LegalCommandView, LegalView
from compiler.views.diagnostics import diagnostic_view


def legal_view(result: CompileResult, goals: Sequence[GoalView] = ()) -> LegalView:
    """What may come after the commands that could be applied; nothing where there is no graph at all. ``goals`` are
    those that can be reached from there."""
    plan, graph = result.plan, result.graph
    applied = max(0, len(result.graphs) - 1)
    units = [unit.value for unit in target_named(plan.target).units]
    commands = legal(graph, plan.schedule[:applied], units) if graph is not None else ()
    return LegalView(
        hash=plan_hash(plan),
        ok=result.ok,
        diagnostics=[diagnostic_view(diagnostic) for diagnostic in result.diagnostics],
        applied=applied,
        goals=list(goals),
        commands=[
            LegalCommandView(name=command.spec.name, candidates=[_candidate(one) for one in command.candidates])
            for command in commands
        ],
    )


def _candidate(candidate: Candidate) -> CandidateView:
    return CandidateView(
        text=candidate.text,
        variables=list(candidate.variables),
        why_not=diagnostic_view(candidate.why_not) if candidate.why_not is not None else None,
        instead=candidate.instead,
    )
