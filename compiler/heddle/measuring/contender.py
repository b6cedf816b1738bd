"""What is timed: a call with its preparation done, or the reason why there is none."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from heddle.notation.nodes import Assignment
from heddle.runtime.tensors.coordinates import Entries
from heddle.signature import Signature

if TYPE_CHECKING:
    from heddle.measuring.schema import Identity, Preparation

Operand = Entries | NDArray[Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """One expression on its operands by name: dense arrays, or sorted entries without duplicates, with the shapes and
    dtypes of ``signature``. ``sizes`` is by index variable. ``openmp`` is the OpenMP runtime of our kernels, which a
    library has to share."""

    assignment: Assignment
    signature: Signature
    operands: Mapping[str, Operand]
    sizes: Mapping[str, int]
    threads: int
    openmp: str | None

    @property
    def dtype(self) -> str:
        return self.signature.result.dtype


@dataclass(frozen=True, slots=True, eq=False)
class Contender:
    """``call()`` computes once; ``result()`` gives what the last call computed, as a dense array by dimension.
    ``preparation`` has the steps before, in nanoseconds; ``note`` is a sentence for the page. ``threads`` is how many
    it runs on."""

    id: Identity
    label: str
    call: Callable[[], object]
    result: Callable[[], NDArray[Any]]
    preparation: list[Preparation] = field(default_factory=list)
    note: str | None = None
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Unavailable:
    """``reason`` is a sentence for the page."""

    id: Identity
    label: str
    reason: str


def operands_by_format(operands: Mapping[str, Operand], signature: Signature) -> dict[str, Operand]:
    """``operands`` with entries for every tensor that the plan stores sparse, also where its input is a full array."""
    formats = {tensor.name: tensor.format for tensor in signature.inputs}
    return {
        name: _entries(operand)
        if isinstance(operand, np.ndarray) and any(level.kind != "dense" for level in formats[name].levels)
        else operand
        for name, operand in operands.items()
    }


def _entries(array: NDArray[Any]) -> Entries:
    columns = np.nonzero(array)
    return Entries(array.shape, columns, array[columns])


def not_compared(library: str, subject: str = "this expression") -> str:
    """The reason for what a library may well compute, and nobody has written here."""
    return f"{library} is not compared here yet for {subject}."


class Stopwatch:
    """Collects what happens before the timed region, with its time in nanoseconds."""

    def __init__(self) -> None:
        self.steps: list[Preparation] = []

    def add(self, name: str, seconds: float) -> None:
        """Something that was timed elsewhere."""
        self.steps.append({"name": name, "ns": seconds * 1e9})

    def step(self, name: str, action: Callable[[], T]) -> T:
        """What ``action`` returns, which is timed as a step of that name."""
        start = time.perf_counter_ns()
        result = action()
        self.steps.append({"name": name, "ns": float(time.perf_counter_ns() - start)})
        return result
