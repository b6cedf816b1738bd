"""A kernel that chooses its schedule when it sees its operands: ``options={"schedule": "auto"}``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic
from weakref import ReferenceType, ref

from numpy.typing import NDArray

from heddle.frontends.front_end import Loops
from heddle.frontends.table import front_end_of
from heddle.logs import LOGGER
from heddle.plan import Plan
from heddle.plan.schedule_text import length_text
from heddle.runtime.kernels.bound_call import BoundCall, ResultType
from heddle.runtime.kernels.kept_coordinates import Stationary
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.kernels.single_calls import VariedCalls
from heddle.runtime.patterns.kernel import PatternKernel
from heddle.runtime.tensors.shapes import Shape
from heddle.runtime.tensors.tensor import Tensor
from heddle.targets import Feature, target_named
from heddle.tuning.facts.machine import Machine, this_machine
from heddle.tuning.facts.statistics import Statistics, has_rows_to_look_at, statistics_of
from heddle.tuning.search.fixed_order import suggest_in_fixed_order
from heddle.tuning.search.suggest import Suggestion, suggest

__all__ = ["AutomaticKernel", "AutomaticPatternKernel"]

_REMEMBERED = 64
"""Kinds of operands whose suggestion is kept."""


@dataclass(frozen=True, slots=True, eq=False)
class LastChoice(Generic[ResultType]):
    """What was chosen for the operands of the call before: tensors of whose entries statistics were taken, None for
    those of which only the shape counts. ``kernel`` is None for the automatic one itself."""

    looked_at: tuple[ReferenceType[Tensor] | None, ...]
    shapes: tuple[Shape, ...]
    suggestion: Suggestion
    kernel: Kernel[ResultType] | None

    def is_for(self, tensors: Mapping[str, Tensor]) -> bool:
        """Whether the rules would see the same again."""
        for reference, shape, tensor in zip(self.looked_at, self.shapes, tensors.values(), strict=True):
            if tensor.shape != shape or (reference is not None and reference() is not tensor):
                return False
        return True


def is_known_by_shape(tensor: Tensor) -> bool:
    """Whether the rules look at nothing else: dense tensors, and those on a device without rows to look at."""
    return tensor.format.is_dense or (tensor.resident and not has_rows_to_look_at(tensor))


class AutomaticKernel(Kernel[ResultType]):
    """Callable as every kernel. Until the first call, and in ``source``, the schedule is the one for unknown operands;
    each call takes the schedule that the rules choose for its operands, compiled once for each that occurs.

    ``suggestion`` is the last one chosen: its schedule, and the reasons.
    """

    def __init__(self, plan: Plan, machine: Machine | None = None, choose: Callable[..., Suggestion] = suggest) -> None:
        self._told, self._choose = machine, choose
        self.machine = machine or this_machine(plan.run.threads)
        self._measures = machine is None and Feature.MACHINE_CLASSES in target_named(plan.target).features
        self.suggestion = self._choose(plan, None, self.machine)
        super().__init__(self.suggestion.result)
        self._plan = plan
        self._known: dict[int, tuple[ReferenceType[Tensor], Statistics]] = {}
        self._chosen: dict[tuple[object, ...], Suggestion] = {}
        self._kernels: dict[tuple[str, ...], Kernel[ResultType]] = {}
        self._last: LastChoice[ResultType] | None = None

    def made_of(self) -> tuple[object, ...]:
        """The Plan; the rules look at the machine where it arrives, unless they were told another."""
        return (self._plan, self._told, self._choose)

    def _schedule_text(self) -> str:
        """That of the last call, or for unknown operands."""
        return f"{length_text(self.suggestion.schedule)}, chosen by the rule {self.suggestion.rule}"

    def _stored_kernel(self) -> Kernel[ResultType]:
        return self._kernels.get(self.suggestion.schedule, self)

    def _prepare(self, packed: dict[str, Tensor], values: NDArray[Any] | None = None) -> BoundCall[ResultType]:
        """With the schedule for these operands.

        Raises
        ------
        CompileError
            as :meth:`Kernel.bind`, or where no schedule compiles for them.
        """
        chosen = self._chosen_for(packed)
        return super()._prepare(packed, values) if chosen is None else chosen._prepare(packed, values)

    def _run_once(self, packed: dict[str, Tensor], values: NDArray[Any] | None = None) -> Tensor | None:
        chosen = self._chosen_for(packed)
        return super()._run_once(packed, values) if chosen is None else chosen._run_once(packed, values)

    def _vary(self, packed: dict[str, Tensor], over: str) -> VariedCalls | None:
        chosen = self._chosen_for(packed)
        return super()._vary(packed, over) if chosen is None else chosen._vary(packed, over)

    def _assemble(self, packed: dict[str, Tensor]) -> Stationary[ResultType]:
        """With the schedule for these operands.

        Raises
        ------
        CompileError
            as :meth:`Kernel.assemble`, or where no schedule compiles for them.
        """
        chosen = self._chosen_for(packed)
        return super()._assemble(packed) if chosen is None else chosen._assemble(packed)

    def _chosen_for(self, tensors: dict[str, Tensor]) -> Kernel[ResultType] | None:
        """The kernel for these operands; None for this one itself."""
        last = self._last
        if last is not None and last.is_for(tensors):
            self.suggestion = last.suggestion
            return last.kernel
        suggestion = self.suggestion = self._suggest(tensors)
        kernel = None
        if suggestion.schedule != self.result.plan.schedule:
            if suggestion.schedule not in self._kernels:
                self._kernels[suggestion.schedule] = Kernel(suggestion.result)
            kernel = self._kernels[suggestion.schedule]
        looked_at = tuple([None if is_known_by_shape(tensor) else ref(tensor) for tensor in tensors.values()])
        self._last = LastChoice(looked_at, tuple([tensor.shape for tensor in tensors.values()]), suggestion, kernel)
        return kernel

    def _suggest(self, tensors: dict[str, Tensor]) -> Suggestion:
        if self._measures:  # not before the first call: a process that only compiles starts no threads
            self.machine, self._measures = this_machine(self._plan.run.threads, measure=True), False
        statistics = {
            name: self._statistics(tensor) for name, tensor in tensors.items() if not is_known_by_shape(tensor)
        }
        shapes = {name: tensor.shape for name, tensor in tensors.items()}
        key = (*statistics.items(), *shapes.items())
        suggestion = self._chosen.get(key)
        if suggestion is None:
            suggestion = self._choose(self._plan, statistics, self.machine, shapes)
            if len(self._chosen) >= _REMEMBERED:
                self._chosen.clear()
            self._chosen[key] = suggestion
            LOGGER.info("the rule %s chose: %s", suggestion.rule, "; ".join(suggestion.schedule) or "no commands")
        return suggestion

    def _statistics(self, tensor: Tensor) -> Statistics:
        """Looked at once for each tensor, which is known again by its identity: ``==`` compares elements. A matrix of
        SciPy with the same arrays as in the call before is the same tensor: what changes in them in place changes no
        schedule, of which each is right for all operands."""
        known = self._known.get(id(tensor))
        if known is not None and known[0]() is tensor:
            return known[1]
        if len(self._known) >= _REMEMBERED:
            self._known = {number: pair for number, pair in self._known.items() if pair[0]() is not None}
        statistics = statistics_of(tensor)
        self._known[id(tensor)] = ref(tensor), statistics
        return statistics


class AutomaticPatternKernel(PatternKernel):
    """A kernel of patterns whose steps the rules chose; ``suggestion`` has them with their reasons. What they choose
    follows from the program alone, so that all calls take the same steps."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.suggestion = suggest(plan)
        super().__init__(self.suggestion.result)

    def made_of(self) -> tuple[object, ...]:
        """The Plan, from which the same steps follow."""
        return (self._plan,)


def automatic_kernel(plan: Plan, *, fixed_order: bool = False) -> AutomaticKernel[Any] | AutomaticPatternKernel:
    """The kernel of ``plan`` with a schedule that the rules choose, ``fixed_order``: whose sums come in the same order
    in each run; those of patterns always do.

    Raises
    ------
    CompileError
        the plan is wrong, or its target cannot run here.
    """
    if isinstance(front_end_of(plan.language).entry, Loops):
        return AutomaticPatternKernel(plan)
    return AutomaticKernel(plan, choose=suggest_in_fixed_order if fixed_order else suggest)
