"""Who looks at the operands of each call of a kernel, and warns where it does more than it need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from heddle.runtime.tensors.tensor import Tensor

OPTION_NAMES = ("validate", "out")
"""Options of a call, where no operand is called so."""


class CallInspector(Protocol):
    """What :func:`heddle.compile` gives to its kernels."""

    def look(self, operands: Mapping[str, Tensor]) -> None:
        """Warns about a call with these operands."""

    def explain(self, operands: Mapping[str, Tensor]) -> str:
        """Steps, bytes and reasons of a call with these operands."""

    def describe(self) -> str:
        """What is known of every call: the schedule and its reasons."""

    def transpose(self, over: str) -> Callable[..., Any] | None:
        """The kernel of the transpose as a map of the operand ``over``; None where there is none."""
