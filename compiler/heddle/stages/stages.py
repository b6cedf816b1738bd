"""The record of a compile under way: what has been made so far, which an error keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from heddle.codegen.device.launch_text import Launch
from heddle.conversions import Converted, Requests
from heddle.decomposition.decomposed import Decomposed
from heddle.diagnostics import Diagnostic
from heddle.iteration_graph.build.scheduled_variables import NamesOfCommands
from heddle.iteration_graph.build.temporary_formats import PatternFormat
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.loop_ir.nodes import Function
from heddle.loop_ir.printing.source_text import SourceText
from heddle.notation.nodes import Assignment, Binary, Expression, operands_of, statements
from heddle.patterns.program import Lowered
from heddle.plan import Plan
from heddle.result import CompileResult, GeneratedCode, ScheduledLoops, TypedProgram, UnscheduledLoops
from heddle.schedule.syntax.parser import ParsedCommand
from heddle.signature import Signature


@dataclass(slots=True)
class Stages:
    """What has been made of ``plan`` so far. ``earlier`` is a compile of another plan, whose stages are taken where
    they are the same."""

    plan: Plan
    earlier: CompileResult | None = None
    read: object = None
    assignment: Assignment | None = None
    signature: Signature | None = None
    kernel: Converted | None = None
    decomposed: Decomposed | None = None
    unscheduled: UnscheduledLoops | None = None
    graphs: list[IterationGraph] = field(default_factory=list)
    commands: list[ParsedCommand] = field(default_factory=list)
    lowered: IterationGraph | None = None
    function: Function | None = None
    source: SourceText | None = None
    launches: tuple[Launch, ...] = ()
    notes: Sequence[Diagnostic] = ()
    bound: Lowered | None = None
    patterns: tuple[PatternFormat, ...] = ()
    """Of the temporaries that are stored as an operand is because nobody declared their formats."""

    @property
    def program(self) -> TypedProgram:
        return TypedProgram(
            read=self.read,
            assignment=self.assignment,
            signature=self.signature,
            kernel=self.kernel,
            decomposed=self.decomposed,
        )

    @property
    def loops(self) -> ScheduledLoops:
        return ScheduledLoops(
            unscheduled=self.unscheduled,
            graphs=tuple(self.graphs),
            commands=tuple(self.commands),
            lowered=self.lowered,
        )

    @property
    def code(self) -> GeneratedCode:
        return GeneratedCode(function=self.function, source=self.source, launches=self.launches, bound=self.bound)

    def begin_alike(self, requests: Requests, spoken: NamesOfCommands) -> UnscheduledLoops | None:
        """The loops that the earlier compile started from, where those of this one are the same."""
        if self.earlier is None or self.earlier.loops.unscheduled is None or self.assignment is None:
            return None
        plan, other, loops = self.plan, self.earlier.plan, self.earlier.loops.unscheduled
        same = same_text(plan, other) and (plan.tensors, plan.options) == (other.tensors, other.options)
        if not same or plan.version != other.version or loops.requests != requests:
            return None
        # Names of commands keep sums together, or apart, where there are terms to sum.
        return loops if loops.spoken == spoken or not _has_terms(self.assignment) else None


def same_text(plan: Plan, other: Plan) -> bool:
    """Whether both plans say the same of what is computed."""
    return (plan.language, plan.expression, plan.sizes) == (other.language, other.expression, other.sizes)


def _has_terms(assignment: Assignment) -> bool:
    return any(_is_sum(statement.expression) for statement in statements(assignment))


def _is_sum(expression: Expression) -> bool:
    """Whether there is a sum or a difference in it."""
    if isinstance(expression, Binary) and expression.operator in ("+", "-"):
        return True
    return any(_is_sum(part) for part in operands_of(expression))
