"""What is known of one plan in one task, each thing found when a check first asks for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from heddle.diagnostics import CompileError
from heddle.explorer.cost_report.account import Account
from heddle.explorer.cost_report.counted import Counts
from heddle.explorer.cost_report.programs import RefusedCallError
from heddle.explorer.cost_report.run import Operands, Run, TooLong
from heddle.explorer.cost_report.work import Term
from heddle.explorer.views.code.gpu_schema import LaunchWorkView
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.loop_ir.nodes import Function
from heddle.patterns.program import Lowered
from heddle.result import CompileResult
from heddle.runtime.tensors.tensor import Tensor
from heddle_server.lessons.arguments import Inputs, arguments_of
from heddle_server.lessons.probe import Probe, difference

Counted = TypeVar("Counted")


class Unknown(Exception):  # noqa: N818 - a check fails, the service does not
    """A fact that there is none of: its text says why."""


@dataclass(eq=False)
class Evidence:
    """``operands`` are the data of the task; ``start`` the evidence on its first plan; ``timed`` a finished run of
    exactly this plan, where there is one; ``written`` the commands as they were handed in. Arguments of a program of
    patterns depend on the plan: they are taken from ``inputs``, which say how the tensors of the task are made.
    ``probes`` are the author's answer, where what is computed is part of the task."""

    result: CompileResult
    operands: Operands
    start: Evidence | None = None
    answers: Mapping[str, str | float] = field(default_factory=dict)
    timed: Mapping[str, Any] | None = None
    written: tuple[str, ...] = ()
    inputs: Inputs = field(default_factory=dict)
    probes: tuple[Probe, ...] = ()

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
        errors = [diagnostic for diagnostic in self.result.diagnostics if diagnostic.severity == "error"]
        return errors[0].message if errors else ""

    @property
    def _language(self) -> str:
        """Of programs that become loops directly."""
        return f"programs in {self._written_in} become loops without one"

    @property
    def _written_in(self) -> str:
        return self.result.plan.language

    @cached_property
    def account(self) -> Account:
        if self.result.ok and self.result.bound is not None:
            return Account(self.result, arguments_of(self.result, self.inputs))
        return Account(self.result, self.operands)

    @property
    def bound(self) -> Lowered:
        """The program of patterns behind all steps: its types, claims, and what is added up for it."""
        if self.result.bound is None:
            reason = self.refusal or f"types are those of programs in patterns, and this one is in {self._written_in}"
            raise Unknown(reason)
        return self.result.bound

    def of_program(self, ask: Callable[[Account], Counted]) -> Counted:
        """What ``ask`` finds in a program of patterns; Unknown for statements."""
        _ = self.bound
        return self.count_with(ask)

    @property
    def claim_broken(self) -> bool:
        """Whether the types claim something that the data of the task break, so that the call is refused."""
        _ = self.bound
        try:
            self.count_with(lambda account: account.run)
        except Unknown as unknown:
            return isinstance(unknown.__cause__, RefusedCallError)
        return False

    def of_statements(self) -> None:
        """Raises Unknown where the plan is a program of patterns, of which not all is counted."""
        if self.result.bound is not None:
            raise Unknown(f"this is told of statements, and not of programs in {self._written_in}")

    def count_with(self, ask: Callable[[Account], Counted]) -> Counted:
        """What ``ask`` finds; Unknown where the kernel does not run to its end."""
        try:
            return ask(self.account)
        except CompileError as error:
            raise Unknown(f"the kernel cannot run: {error}") from error
        except TooLong:
            raise Unknown(
                "this kernel does so much on the data of the task that it is not followed to its end"
            ) from None

    @cached_property
    def run(self) -> Run:
        return self.count_with(lambda account: account.run)

    @property
    def counts(self) -> Counts:
        return self.count_with(lambda account: account.counts)

    @cached_property
    def wrong(self) -> str | None:
        """Why the result is not right, in some order of the parallel iterations."""
        return self.count_with(lambda account: account.wrong)

    @cached_property
    def difference(self) -> str | None:
        """Where the result is not that of the author's solution."""
        if not self.probes:
            raise Unknown("this task has no answer to compare with: what is computed is not part of it")
        if self.refusal:
            raise Unknown(f"there are no loops: {self.refusal}")
        return self.count_with(lambda account: difference(account.result, self.probes))

    @property
    def work(self) -> list[Term] | None:
        self.of_statements()
        return self.count_with(lambda account: account.work)

    @property
    def launches(self) -> list[LaunchWorkView]:
        """What each thread did in each launch of a kernel for a GPU."""
        self.of_statements()
        return self.count_with(lambda account: account.launches)

    def tensor(self, name: str) -> Tensor:
        """As it is stored for the kernel; one in parts has no levels of its own."""
        self.of_statements()
        tensor = self.count_with(lambda account: account.tensor(name))
        if tensor is None:
            raise Unknown(f"there is no tensor {name}: the plan has {', '.join(self.run.tensors)}")
        return tensor

    def misses(self, size: int) -> Counter[str]:
        """By tensor, in a cache of ``size`` bytes."""
        self.of_statements()
        return self.count_with(lambda account: account.misses(size))
