"""What a compile gives: every stage, or as many as could be made, and the diagnostics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heddle.codegen.device.launch_text import Launch
from heddle.conversions import Conversion, Converted
from heddle.decomposition.decomposed import Decomposed
from heddle.diagnostics import CompileError, Diagnostic, Severity
from heddle.formats.printer import format_text
from heddle.iteration_graph.analysis.thread_dependence import ThreadDependence, thread_dependences
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.loop_ir.nodes import Function
from heddle.loop_ir.printing.printer import print_flat, print_structured
from heddle.loop_ir.printing.source_text import SourceText
from heddle.notation.nodes import Assignment
from heddle.patterns.program import Lowered
from heddle.plan import Plan
from heddle.plan.schedule_text import length_text
from heddle.schedule.syntax.parser import ParsedCommand
from heddle.signature import Signature
from heddle.trace import Pass

MOST_SHOWN = 8
"""Tensors, or diagnostics, that a result shows of itself."""
LONGEST_HEADING = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileResult:
    """What :func:`heddle.lower` returns: every stage, and the diagnostics.

    ``graphs[0]`` is the graph before any command, ``graphs[n]`` the one after the n-th applied command. ``assignment``
    and ``signature`` are what was declared; ``kernel`` is what graphs and code are made of: the same, except that it
    reads converted operands. ``structured``, ``flat`` and ``source`` are texts with the origin of each of their parts.
    ``launches`` are those of a kernel for a GPU, in the order of their start. ``passes`` holds each pass with its time
    in milliseconds. On a user error the fields that could not be made are None; ``diagnostics`` says why.
    """

    plan: Plan
    assignment: Assignment | None
    signature: Signature | None
    graphs: tuple[IterationGraph, ...]
    commands: tuple[ParsedCommand, ...]
    lowered_graph: IterationGraph | None
    function: Function | None
    source: SourceText | None
    passes: tuple[Pass, ...]
    diagnostics: tuple[Diagnostic, ...]
    kernel: Converted | None = None
    launches: tuple[Launch, ...] = ()
    decomposed: Decomposed | None = None
    """The statements for each part of an operand that is a sum of parts."""
    bound: Lowered | None = None
    """What binds the arguments of a program in patterns to its loops."""

    @property
    def structured(self) -> SourceText | None:
        """The loops, with subscripts as coordinates and positions; printed when it is first asked for."""
        return print_structured(self.function) if self.function is not None else None

    @property
    def flat(self) -> SourceText | None:
        """The loops, with arrays by their parameters; printed when it is first asked for."""
        return print_flat(self.function) if self.function is not None else None

    @property
    def conversions(self) -> tuple[Conversion, ...]:
        """The operands that the kernel takes in another format than declared."""
        return self.kernel.conversions if self.kernel is not None else ()

    @property
    def ok(self) -> bool:
        """Whether there is no diagnostic of severity error, and so a function and a text."""
        return not any(d.severity is Severity.ERROR for d in self.diagnostics)

    @property
    def graph(self) -> IterationGraph | None:
        """The graph after the last command that could be applied."""
        return self.graphs[-1] if self.graphs else None

    @property
    def thread_dependences(self) -> tuple[ThreadDependence, ...]:
        """Why the bits of the result are not the same for any number of threads; none where they are, or where no code
        could be made."""
        return thread_dependences(self.lowered_graph) if self.lowered_graph is not None else ()

    def __repr__(self) -> str:
        """What was compiled, for what, which stages there are, and what was found, in a line each."""
        lines = (
            f"<CompileResult {_heading(self.plan.expression)}",
            self._describe_formats(),
            self._describe_stages(),
            self._describe_diagnostics(),
        )
        return "\n ".join(lines) + ">"

    def _describe_formats(self) -> str:
        if self.signature is not None:
            formats = {argument.name: format_text(argument.format) for argument in self.signature.arguments}
        else:
            formats = {name: tensor.format for name, tensor in self.plan.tensors.items() if tensor.format is not None}
        shown = [f"{name}: {text}" for name, text in formats.items()]
        return "; ".join(
            text for text in (_list_some(shown), self.plan.target, length_text(self.plan.schedule)) if text
        )

    def _describe_stages(self) -> str:
        names = ("assignment", "signature", "graphs", "lowered_graph", "function", "source", "kernel", "decomposed")
        there = [name for name in (*names, "launches", "bound") if getattr(self, name)]
        several = {"graphs": len(self.graphs), "launches": len(self.launches)}
        counted = [f"{name} ({several[name]})" if name in several else name for name in there]
        return f"has {', '.join(counted)}" if counted else "has no stage"

    def _describe_diagnostics(self) -> str:
        return _list_some([f"{d.severity.value} {d.code}" for d in self.diagnostics]) or "no diagnostics"

    def __copy__(self) -> CompileResult:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> CompileResult:
        return self

    def raise_errors(self) -> None:
        """Does nothing where ``ok`` holds.

        Raises:
            CompileError: with all diagnostics of severity error.
        """
        errors = [d for d in self.diagnostics if d.severity is Severity.ERROR]
        if errors:
            raise CompileError(*errors)


def _heading(expression: str) -> str:
    """The first line of a program, and whether there is more."""
    lines = expression.strip().splitlines() or [""]
    first = lines[0][:LONGEST_HEADING].rstrip()
    return first if expression.strip() == first else f"{first} …"


def _list_some(texts: Sequence[str]) -> str:
    more = len(texts) - MOST_SHOWN
    return ", ".join((*texts[:MOST_SHOWN], f"and {more} more") if more > 0 else texts)
