"""Who looks at the operands of each call of a kernel, and warns where it does more than it need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from heddle.runtime.kernels.single_calls import VariedCalls
from heddle.runtime.tensors.tensor import Tensor


class VariedKernel(Protocol):
    """A kernel of whose operands one has other values in each call."""

    def __call__(self, /, *unnamed: object, **operands: object) -> Any:
        """The result, as a tensor."""
        ...

    def vary(self, operands: Mapping[str, object], over: str) -> VariedCalls | None:
        """Calls that differ in the values of ``over`` alone; None where each of them has to be prepared."""
        ...


class CallInspector(Protocol):
    """What :func:`heddle.compile` gives to its kernels."""

    def look(self, operands: Mapping[str, Tensor]) -> None:
        """Warns about a call with these operands."""

    def explain(self, operands: Mapping[str, Tensor]) -> str:
        """Steps, bytes and reasons of a call with these operands."""

    def describe(self) -> str:
        """What is known of every call: the schedule and its reasons."""

    def transpose(self, over: str) -> VariedKernel | None:
        """The kernel of the transpose as a map of the operand ``over``; None where there is none."""
