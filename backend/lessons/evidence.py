"""What is known of one plan in one task, each thing found when a check first asks for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from compiler.account.cache import misses
from compiler.account.counted import Counts, counted
from compiler.account.run import Operands, Run, TooLong, run, wrong
from compiler.account.work import Term, work_terms
from compiler.diagnostics import CompileError
from compiler.iteration_graph.graph.nodes import IterationGraph
from compiler.loop_ir.nodes import Function
from compiler.loop_ir.printing.printer import statement_lines
from compiler.notation.nodes import index_variables
from compiler.result import CompileResult
from compiler.runtime.storage.unpack import position_coordinates
from compiler.runtime.tensors.composite import Composite
from compiler.runtime.tensors.tensor import Tensor
from compiler.views.code.gpu_schema import LaunchWorkView
from compiler.views.trace.gpu_work import launch_work
from compiler.views.trace.trace_steps import program_of, steps_of


class Unknown(Exception):  # noqa: N818 - a check fails, the service does not
    """A fact that there is none of: its text says why."""


@dataclass(eq=False)
class Evidence:
    """``operands`` are the data of the task; ``start`` the evidence on its first plan; ``timed`` a finished run of
    exactly this plan, where there is one."""

    result: CompileResult
    operands: Operands
    start: Evidence | None = None
    answers: Mapping[str, str | float] = field(default_factory=dict)
    timed: Mapping[str, Any] | None = None
    _misses: dict[int, Counter[str]] = field(default_factory=dict)

    @property
    def graph(self) -> IterationGraph:
        if self.result.graph is None:
            raise Unknown(f"there is no iteration graph: {self.refusal or self._language}")
        return self.result.graph

    @property
    def function(self) -> Function:
        if self.result.function is None:
            raise Unknown(f"there are no loops: {self.refusal}")
        return self.result.function

    @property
    def refusal(self) -> str:
        errors = [one for one in self.result.diagnostics if one.severity == "error"]
        return errors[0].message if errors else ""

    @property
    def _language(self) -> str:
        """Of programs that become loops directly."""
        return f"programs in {self.result.plan.language} become loops without one"

    @cached_property
    def run(self) -> Run:
        if self.result.ok and self.result.assignment is None:
            raise Unknown(f"nothing is counted in programs in {self.result.plan.language}")
        try:
            return run(self.result, self.operands)
        except CompileError as error:
            raise Unknown(f"the kernel cannot run: {error}") from None
        except TooLong:
            raise Unknown(
                "this kernel does so much on the data of the task that it is not followed to its end"
            ) from None

    @cached_property
    def counts(self) -> Counts:
        return counted(self.run)

    @cached_property
    def wrong(self) -> str | None:
        """Why the result is not right, in some order of the parallel iterations."""
        try:
            return wrong(self.result, self.operands, self.run)
        except TooLong:
            raise Unknown(
                "this kernel does so much on the data of the task that it is not followed to its end"
            ) from None

    @cached_property
    def work(self) -> list[Term] | None:
        graph = self.result.lowered_graph or self.graph
        operands = {name: one for name, one in self.run.tensors.items() if name in self.operands}
        return work_terms(graph, operands, self.run.sizes)

    @cached_property
    def launches(self) -> list[LaunchWorkView]:
        """What each thread did in each launch of a kernel for a GPU."""
        run = self.run
        assert self.result.kernel is not None
        assert self.result.assignment is not None
        columns = {
            name: tuple(column.tolist() for column in position_coordinates(tensor))
            for name, tensor in run.tensors.items()
        }
        lines = statement_lines(self.function)
        variables = index_variables(self.result.assignment)
        program = program_of(self.function, self.result.kernel.assignment, variables, columns, lines, None)
        return launch_work(self.function, self.result.launches, list(steps_of(program, run.events)))

    def tensor(self, name: str) -> Tensor:
        """As it is stored for the kernel; one in parts has no levels of its own."""
        found, decomposed = self.run.tensors.get(name), self.result.decomposed
        if decomposed is not None and decomposed.tensor == name and self.result.signature is not None:
            parts = tuple(self.run.tensors[part.name] for part in decomposed.parts)
            format = self.result.signature.tensors[name].format
            return Composite(parts[0].shape, format, parts[0].dtype, parts, checked=True)
        if found is None:
            raise Unknown(f"there is no tensor {name}: the plan has {', '.join(self.run.tensors)}")
        return found

    def misses(self, size: int) -> Counter[str]:
        """By tensor, in a cache of ``size`` bytes."""
        if size not in self._misses:
            self._misses[size] = misses(self.run, size)
        return self._misses[size]
