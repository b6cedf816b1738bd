"""Which cases a suite has.

Every input and size is measured with the first type of values and the most threads. The other types and the fewer
threads are varied one at a time, over the selection that ``_selected`` states, so that a run stays finite;
``Choice.every`` measures all combinations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.suite.case import Case
from benchmarks.suite.conversions import CONVERSIONS
from benchmarks.suite.kernels import KERNELS
from benchmarks.suite.matrices import GRAPH_MATRICES, MATRICES, SIZES
from benchmarks.suite.tensors import TENSORS

SUITES = ("codegen", "kernels", "regret", "conversions", "compositions")


@dataclass(frozen=True, slots=True)
class Choice:
    """What the command line asks for; empty ``kernels`` and ``inputs`` stand for all. ``every`` combination, not the
    selection."""

    sizes: tuple[str, ...]
    threads: tuple[int, ...]
    dtypes: tuple[str, ...]
    seconds: float
    kernels: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    every: bool = False


def cases(suite: str, choice: Choice) -> list[Case]:
    """In an order in which neighbours differ in the kernel last: an input's file stays in the cache."""
    made = {"conversions": _conversion_cases, "compositions": _composition_cases}
    every = made[suite](choice) if suite in made else _kernel_cases(suite, choice)
    wanted = [
        case
        for case in every
        if (not choice.kernels or case.kernel in choice.kernels)
        and (not choice.inputs or case.input in choice.inputs)
        and (choice.every or _selected(case, choice))
    ]
    return list(dict.fromkeys(wanted))


_LARGE_KERNELS = ("spmv", "add", "mttkrp-3")
"""Of the selection out of every cache: what memory alone bounds."""


def _selected(case: Case, choice: Choice) -> bool:
    """Whether a case is measured without ``every``: one departure from the first type and the most threads, not at the
    smallest of several sizes; out of every cache the kernels that memory bounds."""
    threads = case.threads if case.suite == "conversions" else max(choice.threads)
    departures = (case.dtype != choice.dtypes[0]) + (case.threads != threads)
    if case.nonzeros == SIZES["large"]:
        return departures == 0 and (case.kernel in _LARGE_KERNELS or case.suite == "conversions")
    smallest = len(choice.sizes) > 1 and case.nonzeros == SIZES[choice.sizes[0]]
    return departures == 0 or (departures == 1 and not smallest)


def _settings(choice: Choice, real: bool, threads: Sequence[int]) -> Iterator[tuple[int, str, int]]:
    """Real inputs have one size, which is written as 0."""
    for size in ("real",) if real else choice.sizes:
        for dtype in choice.dtypes:
            for count in threads:
                yield SIZES.get(size, 0), dtype, count


def _kernel_cases(suite: str, choice: Choice) -> Iterator[Case]:
    for kernel in KERNELS:
        for one in MATRICES if kernel.order == 2 else TENSORS:
            order = getattr(one, "order", 2)
            if order != kernel.order:
                continue
            for nonzeros, dtype, threads in _settings(choice, one.real, choice.threads):
                yield Case(suite, kernel.name, one.name, nonzeros, dtype, threads, choice.seconds)


def _conversion_cases(choice: Choice) -> Iterator[Case]:
    for conversion in CONVERSIONS:
        for matrix in MATRICES:
            for nonzeros, dtype, threads in _settings(choice, matrix.real, choice.threads):
                yield Case("conversions", conversion, matrix.name, nonzeros, dtype, threads, choice.seconds)


_COMPOSED_KERNELS, _TRIED = ("spmm", "spmm-128", "spmm-512"), 2
"""SpMM of graphs with 32, 128 and 512 columns; the graphs of a quick trial."""


def _composition_cases(choice: Choice) -> Iterator[Case]:
    """In single precision, as graphs are mostly multiplied, where that is among the types."""
    dtype = "float32" if "float32" in choice.dtypes else choice.dtypes[0]
    for kernel in _COMPOSED_KERNELS:
        for graph in GRAPH_MATRICES[:_TRIED] if choice.sizes == ("tiny",) else GRAPH_MATRICES:
            yield Case("compositions", kernel, graph.name, 0, dtype, max(choice.threads), choice.seconds)
