"""What schedule command may come next -> JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from compiler.diagnostics import CompileError
from compiler.frontends.front_end import Loops
from compiler.frontends.table import front_end_of
from compiler.plan import plan_hash
from compiler.result import CompileResult
from compiler.schedule.legal import Candidate, legal
from compiler.targets import target_named
from compiler.views.commands_schema import CandidateView, GoalView, LegalCommandView, LegalView
from compiler.views.diagnostics import diagnostic_view


def legal_view(result: CompileResult, goals: Sequence[GoalView] = ()) -> LegalView:
    """What may come after the commands that could be applied; nothing where there is no graph at all. ``goals`` are
    those that can be reached from there."""
    plan = result.plan
    entry = front_end_of(plan.language).entry
    applied, commands = _steps(entry, result) if isinstance(entry, Loops) else _commands(result)
    return LegalView(
        hash=plan_hash(plan),
        ok=result.ok,
        diagnostics=[diagnostic_view(diagnostic) for diagnostic in result.diagnostics],
        applied=applied,
        goals=list(goals),
        commands=commands,
    )


def _commands(result: CompileResult) -> tuple[int, list[LegalCommandView]]:
    """How many commands applied, and those of the registry that may come behind them."""
    plan, graph = result.plan, result.graph
    applied = max(0, len(result.graphs) - 1)
    units = [unit.value for unit in target_named(plan.target).units]
    commands = legal(graph, plan.schedule[:applied], units) if graph is not None else ()
    return applied, [
        LegalCommandView(name=command.spec.name, candidates=[_candidate(one) for one in command.candidates])
        for command in commands
    ]


def _steps(entry: Loops[Any], result: CompileResult) -> tuple[int, list[LegalCommandView]]:
    """The same for a language with steps of its own; nothing for a program without a meaning."""
    plan = result.plan
    try:
        program = front_end_of(plan.language).read(plan.expression, plan.sizes)
    except CompileError:
        return 0, []
    applied, steps = entry.next_steps(program, plan.schedule, target_named(plan.target))
    found: dict[str, list[CandidateView]] = {}
    for step in sorted(steps, key=lambda one: one.why_not is not None):
        why_not = diagnostic_view(step.why_not) if step.why_not is not None else None
        candidate = CandidateView(text=step.text, variables=[step.place], why_not=why_not, instead=None)
        found.setdefault(step.name, []).append(candidate)
    return applied, [LegalCommandView(name=name, candidates=candidates) for name, candidates in found.items()]


def _candidate(candidate: Candidate) -> CandidateView:
    return CandidateView(
        text=candidate.text,
        variables=list(candidate.variables),
        why_not=diagnostic_view(candidate.why_not) if candidate.why_not is not None else None,
        instead=candidate.instead,
    )
