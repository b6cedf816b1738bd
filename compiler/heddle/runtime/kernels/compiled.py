"""What kernels are made of: the stages of a compile that its calls need."""

from __future__ import annotations

from typing import Protocol

from heddle.conversions import Conversion
from heddle.decomposition.decomposed import Decomposed
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.loop_ir.nodes import Function
from heddle.loop_ir.printing.source_text import SourceText
from heddle.notation.nodes import Assignment
from heddle.plan import Plan
from heddle.signature import Signature


class Compiled(Protocol):
    """What a kernel needs of a compile's result; :class:`heddle.result.CompileResult` is one."""

    @property
    def plan(self) -> Plan:
        """What was compiled."""
        ...

    @property
    def assignment(self) -> Assignment | None:
        """The statements after their checks; None after a user error, like all that follows."""
        ...

    @property
    def signature(self) -> Signature | None:
        """Operands and result with their formats and dtypes; None after a user error, like all that follows."""
        ...

    @property
    def decomposed(self) -> Decomposed | None:
        """What it becomes where an operand is a sum of parts."""
        ...

    @property
    def conversions(self) -> tuple[Conversion, ...]:
        """The operands that the kernel takes in another format than declared."""
        ...

    @property
    def function(self) -> Function | None:
        """The loops behind all passes."""
        ...

    @property
    def source(self) -> SourceText | None:
        """The text for the target."""
        ...

    @property
    def lowered_graph(self) -> IterationGraph | None:
        """The graph that was lowered, from which kernels for other widths of indices are made."""
        ...


def parts_by_operand(result: Compiled) -> dict[str, tuple[str, ...]]:
    """The names under which the kernel takes the summands of each operand that is a sum of parts."""
    decomposition = result.decomposed
    return {} if decomposition is None else {decomposition.tensor: tuple(part.name for part in decomposition.parts)}


def patterns_of(result: Compiled) -> tuple[str, ...]:
    """The operands that a result in parts has a value for each position of."""
    return () if result.decomposed is None else result.decomposed.signature.result.patterns
