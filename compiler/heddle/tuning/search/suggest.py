"""A schedule from the expression, the formats and what is known of the operands, with reasons (rules/table.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from heddle.formats.printer import format_text
from heddle.frontends.front_end import Loops
from heddle.frontends.table import front_end_of, no_rules
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import loop_variables, roots
from heddle.patterns.program import Program as PatternProgram
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.measured import not_measured
from heddle.tuning.facts.program import program_of
from heddle.tuning.facts.statistics import Statistics
from heddle.tuning.rules.table import rules_for
from heddle.tuning.search.by_statements import TITLE, by_statements
from heddle.tuning.search.format_offers import FormatOffer
from heddle.tuning.search.in_parts import by_parts
from heddle.tuning.search.pattern_reductions import RULE, choose_vector_reductions

__all__ = ["Suggestion", "suggest"]

TURNED = "Matrices in another order, then the default loops"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Suggestion:
    """A schedule that the rules chose, as ``kernel.suggestion`` holds it. ``schedule`` compiles: ``result`` is the
    proof. ``rule`` and ``title`` name the rule of the table, ``reasons`` has a sentence for each of its choices.
    ``formats`` are those of operands that :func:`heddle.suggest` would rather have, with the reasons."""

    rule: str
    title: str
    schedule: tuple[str, ...]
    reasons: tuple[str, ...]
    result: CompileResult
    formats: tuple[FormatOffer, ...] = ()

    def __repr__(self) -> str:
        """The choice in a few lines, without the whole compile."""
        schedule = "; ".join(self.schedule) or "no command"
        offers = (f"{offer.tensor} in {offer.format}: {offer.reason}" for offer in self.formats)
        return "\n  ".join((f"<Suggestion {self.rule}: {schedule}", *self.reasons, *offers)) + ">"


def suggest(
    plan: Plan,
    statistics: Mapping[str, Statistics] | None = None,
    machine: Machine | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
) -> Suggestion:
    """The schedule that the rules choose for ``plan``, whose own schedule is left out.

    Parameters
    ----------
    plan
        expression, formats and target.
    statistics
        of sparse operands by name; what is not there is unknown, and treated with care.
    machine
        whose threads, registers and caches count; None is this one.
    shapes
        sizes by dimension of any operands, in addition to those that the plan and the statistics tell.

    Raises
    ------
    CompileError
        the expression or a format is wrong, or no schedule at all compiles.
    """
    return next(proposals(plan, statistics, machine, shapes))


def proposals(
    plan: Plan,
    statistics: Mapping[str, Statistics] | None = None,
    machine: Machine | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
) -> Iterator[Suggestion]:
    """What every rule proposes that knows the program and whose schedule compiles, the chosen one first. There is at
    least one; arguments and errors are those of :func:`suggest`."""
    front_end = front_end_of(plan.language)
    if isinstance(front_end.entry, Loops):
        read = front_end.read(plan.expression, plan.sizes)
        if not isinstance(read, PatternProgram):
            raise no_rules(plan.language)
        choice = choose_vector_reductions(plan, read)
        yield Suggestion(RULE, choice.title, choice.result.plan.schedule, choice.reasons, choice.result)
        return
    program = program_of(plan, statistics, machine, shapes)
    unscheduled = lower(replace(plan, schedule=()))
    graphs = unscheduled.graphs
    order, summed = _default_order(graphs[0], program.target.indices) if graphs else ((), frozenset[str]())
    program = replace(program, order=order, summed=summed)
    result: CompileResult | None = None
    accepted = unscheduled.ok and unscheduled.kernel is not None and bool(unscheduled.kernel.turned)
    if accepted:
        yield Suggestion("turned-operands", TURNED, (), (_turned_reason(unscheduled),), unscheduled)
    in_parts = by_parts(plan, program, graphs[0]) if graphs else None
    if in_parts is not None:
        accepted, (by_part, result) = True, in_parts
        yield Suggestion("in-parts", "Each part by its own rule", result.plan.schedule, by_part.reasons, result)
    asked = in_parts is not None
    for rule in rules_for(plan.target):
        if not rule.leads and not asked:
            asked = True
            in_statements = by_statements(plan, program, graphs[0]) if graphs else None
            if in_statements is not None:
                accepted, (together, result) = True, in_statements
                yield Suggestion("statements", TITLE, result.plan.schedule, together.reasons, result)
        proposal = rule.propose(program)
        if proposal is None:
            continue
        result = lower(replace(plan, schedule=proposal.schedule))
        if result.ok:
            accepted = True
            unsaid = not_measured(rule.name, program.machine)
            reasons = proposal.reasons if unsaid is None else (*proposal.reasons, unsaid)
            yield Suggestion(rule.name, rule.title, result.plan.schedule, reasons, result)
    if not accepted:
        assert result is not None, "the last rule always proposes"
        result.raise_errors()
        raise AssertionError("a result that is not ok has errors")


def _turned_reason(result: CompileResult) -> str:
    """Why loops that commands would speak of are worse than those without a schedule."""
    turned = () if result.kernel is None else result.kernel.turned
    copies = " and ".join(f"{copy.tensor} is copied as {format_text(copy.format)}" for copy in turned)
    return f"{copies} first: loops would look at many more pairs of entries in the orders that are stored."


def _default_order(graph: IterationGraph, target_indices: tuple[str, ...]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The loops without a schedule, outermost first, and which of them are no part of the variables
    ``target_indices``."""
    order = tuple(loop_variables(graph.statement))
    return order, frozenset(loop for loop in order if not {*roots(graph, loop)} <= {*target_indices})
