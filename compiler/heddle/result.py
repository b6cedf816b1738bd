"""What a compile gives: every stage, or as many as could be made, and the diagnostics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from heddle.codegen.device.launch_text import Launch
from heddle.conversions import Conversion, Converted, Requests
from heddle.decomposition.decomposed import Decomposed
from heddle.diagnostics import CompileError, Diagnostic, Severity
from heddle.formats.printer import format_text
from heddle.iteration_graph.analysis.thread_dependence import ThreadDependence, thread_dependences
from heddle.iteration_graph.build.scheduled_variables import NamesOfCommands
from heddle.iteration_graph.build.temporary_formats import PatternFormat
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
class TypedProgram:
    """The statements of a program, with the types and formats of their tensors.

    Attributes
    ----------
    read
        what the language made of the text.
    assignment
        the same in index notation.
    signature
        what was declared of its tensors.
    kernel
        what graphs and code are made of: the same, except that it reads converted operands.
    decomposed
        the statements for each part of an operand that is a sum of parts.
    """

    read: object = None
    assignment: Assignment | None = None
    signature: Signature | None = None
    kernel: Converted | None = None
    decomposed: Decomposed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnscheduledLoops:
    """The loops that the first command finds, and what they were built of.

    Attributes
    ----------
    requests
        what is stored otherwise than declared.
    spoken
        the names in the commands that follow.
    patterns
        the temporaries that are stored as an operand is.
    written
        the graph as it was built.
    graph
        the same, verified, with its sums where they can be computed.
    """

    requests: Requests
    spoken: NamesOfCommands
    signature: Signature
    patterns: tuple[PatternFormat, ...]
    decomposed: Decomposed | None
    kernel: Converted
    written: IterationGraph
    graph: IterationGraph


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledLoops:
    """The loops of a program as an iteration graph.

    Attributes
    ----------
    unscheduled
        what they were made of.
    graphs
        the one before any command, and the one after each command.
    commands
        those that were applied.
    lowered
        the graph that the code is made of.
    """

    unscheduled: UnscheduledLoops | None = None
    graphs: tuple[IterationGraph, ...] = ()
    commands: tuple[ParsedCommand, ...] = ()
    lowered: IterationGraph | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedCode:
    """The loops with loads and stores, and their text for a machine.

    Attributes
    ----------
    function
        the loops.
    source
        the text, with the origin of each of its parts.
    launches
        those of a kernel for a GPU, in the order of their start.
    bound
        what binds the arguments of a program in patterns to its loops.
    """

    function: Function | None = None
    source: SourceText | None = None
    launches: tuple[Launch, ...] = ()
    bound: Lowered | None = None


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
    program: TypedProgram
    loops: ScheduledLoops
    code: GeneratedCode
    passes: tuple[Pass, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def assignment(self) -> Assignment | None:
        """The statements as they were written."""
        return self.program.assignment

    @property
    def signature(self) -> Signature | None:
        """What was declared of the tensors."""
        return self.program.signature

    @property
    def kernel(self) -> Converted | None:
        """What graphs and code are made of: the statements, which read converted operands."""
        return self.program.kernel

    @property
    def decomposed(self) -> Decomposed | None:
        """The statements for each part of an operand that is a sum of parts."""
        return self.program.decomposed

    @property
    def graphs(self) -> tuple[IterationGraph, ...]:
        """The iteration graph before any command, and after each."""
        return self.loops.graphs

    @property
    def commands(self) -> tuple[ParsedCommand, ...]:
        """The commands that were applied."""
        return self.loops.commands

    @property
    def lowered_graph(self) -> IterationGraph | None:
        """The graph that the code is made of."""
        return self.loops.lowered

    @property
    def function(self) -> Function | None:
        """The loops, with loads and stores."""
        return self.code.function

    @property
    def source(self) -> SourceText | None:
        """The text for a machine, with the origin of each of its parts."""
        return self.code.source

    @property
    def launches(self) -> tuple[Launch, ...]:
        """Those of a kernel for a GPU, in the order of their start."""
        return self.code.launches

    @property
    def bound(self) -> Lowered | None:
        """What binds the arguments of a program in patterns to its loops."""
        return self.code.bound

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

        Raises
        ------
        CompileError
            with all diagnostics of severity error.
        """
        errors = [d for d in self.diagnostics if d.severity is Severity.ERROR]
        if errors:
            raise CompileError(*errors)


def replace_function(result: CompileResult, function: Function, source: SourceText | None) -> CompileResult:
    """The result with other loops, whose text is ``source``."""
    return replace(result, code=replace(result.code, function=function, source=source))


def _heading(expression: str) -> str:
    """The first line of a program, and whether there is more."""
    lines = expression.strip().splitlines() or [""]
    first = lines[0][:LONGEST_HEADING].rstrip()
    return first if expression.strip() == first else f"{first} …"


def _list_some(texts: Sequence[str]) -> str:
    more = len(texts) - MOST_SHOWN
    return ", ".join((*texts[:MOST_SHOWN], f"and {more} more") if more > 0 else texts)
