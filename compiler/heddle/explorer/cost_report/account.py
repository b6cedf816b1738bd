"""All that is counted of one plan on one set of operands, each thing when it is first asked for: the one source of the
checks of lessons and of the page's account."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import InternalError
from heddle.explorer.cost_report import cache
from heddle.explorer.cost_report.counted import Counts, count_events
from heddle.explorer.cost_report.programs import run_program, wrong_program
from heddle.explorer.cost_report.run import MAX_EVENTS, Run, run, wrong
from heddle.explorer.cost_report.work import Term, work_terms
from heddle.explorer.views.code.gpu_schema import LaunchWorkView
from heddle.explorer.views.trace.gpu_work import launch_work
from heddle.explorer.views.trace.trace_steps import program_of, steps_of
from heddle.fills.dtypes import differing
from heddle.loop_ir.printing.printer import statement_lines
from heddle.notation.nodes import index_variables
from heddle.result import CompileResult
from heddle.runtime.storage.unpack import position_coordinates
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.tensor import Tensor

MACHINE_BALANCE = 4.0
"""Floating-point operations that a typical core can do while a byte comes from memory; below, memory decides."""


@dataclass(eq=False)
class Account:
    """``result`` is a compile without errors, ``operands`` are one dense array for each operand, or the arguments of a
    program of patterns. Whatever needs the run raises what :func:`run` and :func:`run_program` do."""

    result: CompileResult
    operands: Mapping[str, Any]
    most_events: int = MAX_EVENTS
    _misses: dict[int, Counter[str]] = field(default_factory=dict)

    @cached_property
    def run(self) -> Run:
        if self.result.bound is not None:
            return run_program(self.result, self.operands, most_events=self.most_events)
        return run(self.result, self.operands, most_events=self.most_events)

    @cached_property
    def wrong(self) -> str | None:
        """Why the result is not right, in some order of the parallel iterations."""
        if self.result.bound is not None:
            return wrong_program(self.result, self.operands, self.run)
        return wrong(self.result, self.operands, self.run)

    @cached_property
    def counts(self) -> Counts:
        return count_events(self.run)

    @cached_property
    def work(self) -> list[Term] | None:
        """None where there is no formula."""
        graph = self.result.lowered_graph or self.result.graph
        if graph is None:
            return None
        operands = {name: tensor for name, tensor in self.run.tensors.items() if name in self.operands}
        return work_terms(graph, operands, self.run.sizes)

    @cached_property
    def launches(self) -> list[LaunchWorkView]:
        """What each thread did in each launch of a kernel for a GPU."""
        run, result = self.run, self.result
        if result.kernel is None or result.assignment is None or result.function is None:
            raise InternalError("Launches are of statements of index notation")
        columns = {
            name: tuple(column.tolist() for column in position_coordinates(tensor))
            for name, tensor in run.tensors.items()
        }
        lines = statement_lines(result.function)
        variables = index_variables(result.assignment)
        program = program_of(result.function, result.kernel.assignment, variables, columns, lines, None)
        return launch_work(result.function, result.launches, list(steps_of(program, run.events)))

    def tensor(self, name: str) -> Tensor | None:
        """As it is stored for the kernel; one in parts has no levels of its own."""
        decomposed = self.result.decomposed
        if decomposed is not None and decomposed.tensor == name and self.result.signature is not None:
            parts = tuple(self.run.tensors[part.name] for part in decomposed.parts)
            format = self.result.signature.tensors[name].format
            return Composite(parts[0].shape, format, parts[0].dtype, parts, checked=True)
        return self.run.tensors.get(name)

    @cached_property
    def touched(self) -> cache.Touched:
        """The memory that the run touches, access by access."""
        return cache.find_touched_lines(self.run)

    def misses(self, size: int) -> Counter[str]:
        """By tensor, in a cache of ``size`` bytes."""
        if size not in self._misses:
            self._misses[size] = cache.misses(self.touched, size)
        return self._misses[size]

    @cached_property
    def lines(self) -> Counter[str]:
        """Lines of the cache that are touched at all, by tensor."""
        return cache.lines(self.touched)

    @property
    def bytes_moved(self) -> int:
        """Bytes that must move at least once: every operand and the result, as they are stored."""
        return sum(tensor.nbytes for tensor in self.run.tensors.values())

    @property
    def operations(self) -> int:
        """Multiplications and additions, two for each execution of a statement that computes."""
        return 2 * self.counts.work

    @property
    def intensity(self) -> float:
        """Operations for each byte that must move."""
        return self.operations / max(self.bytes_moved, 1)

    @property
    def bound(self) -> str:
        """Which of the two a typical core waits for, ``memory`` or ``compute``."""
        return "memory" if self.intensity < MACHINE_BALANCE else "compute"


def entries(tensor: Tensor) -> NDArray[np.bool_]:
    """Where the tensor has an entry: a value that is not its fill, whatever its format stores besides."""
    array: NDArray[Any] = tensor.to_numpy()
    return differing(array, tensor.fill)


def lanes_idle(launches: list[LaunchWorkView]) -> float | None:
    """Share of a GPU's lanes that wait while the busiest lane of their warp works, over all warps that do something;
    None where no thread computes."""
    busy = total = 0
    for launch in launches:
        for block in launch["blocks"]:
            size = launch["warp_size"]
            for first in range(0, len(block["work"]), size):
                warp = block["work"][first : first + size]
                busy, total = busy + sum(warp), total + max(warp) * size
    return 1 - busy / total if total else None


def sectors_used(launches: list[LaunchWorkView], tensor: str | None = None) -> float | None:
    """Sectors of 32 bytes that the accesses of warps need at least, over those that they touch; of one tensor or of
    all. None where nothing is read or written."""
    accesses = [
        access for launch in launches for access in launch["memory"] if tensor is None or access["tensor"] == tensor
    ]
    touched = sum(access["sectors"] for access in accesses)
    return sum(access["fewest"] for access in accesses) / touched if touched else None
