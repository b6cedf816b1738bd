"""Which cases a suite has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.case import Case
from benchmarks.conversions import CONVERSIONS
from benchmarks.kernels import KERNELS
from benchmarks.matrices import MATRICES, SIZES
from benchmarks.tensors import TENSORS

SUITES = ("codegen", "kernels", "regret", "conversions")


@dataclass(frozen=True, slots=True)
class Choice:
    """What the command line asks for; empty ``kernels`` and ``inputs`` stand for all."""

    sizes: tuple[str, ...]
    threads: tuple[int, ...]
    dtypes: tuple[str, ...]
    seconds: float
    kernels: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()


def cases(suite: str, choice: Choice) -> list[Case]:
    """In an order in which neighbours differ in the kernel last: an input's file stays in the cache."""
    every = _conversion_cases(choice) if suite == "conversions" else _kernel_cases(suite, choice)
    wanted = [
        case
        for case in every
        if (not choice.kernels or case.kernel in choice.kernels) and (not choice.inputs or case.input in choice.inputs)
    ]
    return list(dict.fromkeys(wanted))


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
            for nonzeros, dtype, threads in _settings(choice, matrix.real, (1,)):
                yield Case("conversions", conversion, matrix.name, nonzeros, dtype, threads, choice.seconds)
