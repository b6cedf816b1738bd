"""``hd.legal``: what may come next in a schedule, as a compile would answer it.

The loops alone know most of it (``schedule/legal.py``). What is asked here in addition is what only a compile knows:
the target, what cannot be lowered for a GPU, and operands that may be converted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from heddle.advice import StartInOrderOfResult, StoreInOrder
from heddle.diagnostics import CompileError, Diagnostic, Severity
from heddle.frontends.front_end import Loops
from heddle.frontends.table import front_end_of
from heddle.iteration_graph.checks.gpu_schedule import check_gpu
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.lowering.later_refusals import may_be_refused
from heddle.pipeline import judge
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.schedule.legal import Candidate, LegalCommand, Verdict, legal
from heddle.semantics.target_support import check_target
from heddle.targets import target_named
from heddle.wrong_arguments import require_kind


@dataclass(frozen=True, slots=True)
class Listing:
    """What may come next, behind the ``applied`` first commands of a schedule: all, but for those that are refused."""

    applied: int
    commands: tuple[LegalCommand, ...]


def legal_commands(program: CompileResult | IterationGraph, only: str | None = None) -> Listing:
    """What :func:`heddle.legal` answers, and behind how many commands; of the command ``only``, where there is one."""
    if isinstance(program, IterationGraph):
        return Listing(len(program.commands), legal(program, only=only))
    require_kind(program, CompileResult, "the program", "what hd.lower gives, its graph, or a kernel")
    plan, graph = program.plan, program.graph
    entry = front_end_of(plan.language).entry
    if isinstance(entry, Loops):
        steps = _steps(entry, plan)
        return replace(steps, commands=tuple(step for step in steps.commands if only in (None, step.name)))
    if graph is None:
        return Listing(0, ())
    applied = len(program.graphs) - 1
    units = [unit.value for unit in target_named(plan.target).units]
    return Listing(applied, legal(graph, plan.schedule[:applied], units, lambda said: _confirm(program, said), only))


def _steps(entry: Loops[Any], plan: Plan) -> Listing:
    """The same for a language with steps of its own; nothing for a program without a meaning."""
    try:
        read = front_end_of(plan.language).read(plan.expression, plan.sizes)
    except CompileError:
        return Listing(0, ())
    applied, steps = entry.next_steps(read, plan.schedule, target_named(plan.target))
    listed: dict[str, list[Candidate]] = {}
    for step in sorted(steps, key=lambda step: step.why_not is not None):
        listed.setdefault(step.name, []).append(Candidate(step.text, (step.place,), step.why_not))
    return Listing(applied, tuple(LegalCommand(name, tuple(candidates)) for name, candidates in listed.items()))


def _confirm(program: CompileResult, said: Verdict) -> tuple[str, Diagnostic] | None:
    """What a compile of ``program`` with that schedule says, as cheaply as that can be known."""
    plan = replace(program.plan, schedule=said.schedule)
    if said.reason is not None and said.refused:
        if plan.options.convert != "automatic" or not _asks_for_order(said.reason[1]):
            return said.reason
        return said.reason if _first_error(plan, program) is not None else None
    assert said.graph is not None
    try:
        check_target(plan, said.graph)
        check_gpu(said.graph, target_named(plan.target).only_gpu)
    except Refusal as refusal:
        return refusal.message, _first_error(plan, program) or _unplaced_error(refusal)
    except CompileError as error:
        return error.diagnostics[0].message, error.diagnostics[0]
    if not may_be_refused(said.graph):
        return said.reason
    refused = _first_error(plan, program)
    return said.reason if refused is None else (refused.message, refused)


def _first_error(plan: Plan, program: CompileResult) -> Diagnostic | None:
    said = judge(plan, program).diagnostics
    return next((diagnostic for diagnostic in said if diagnostic.severity is Severity.ERROR), None)


def _unplaced_error(refusal: Refusal) -> Diagnostic:
    return Diagnostic(refusal.code, refusal.message, expected=refusal.expected, actual=refusal.actual)


def _asks_for_order(refused: Diagnostic) -> bool:
    return any(isinstance(advice, StoreInOrder | StartInOrderOfResult) for advice in refused.advice)
