"""The pure functions that a :class:`~compiler.loop_ir.nodes.Call` may name, in one table for every pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from compiler.loop_ir.dtypes import COMPLEX, FLOATS, INTEGERS, real_part


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """``evaluate`` takes and returns NumPy scalars. ``real_result``: a complex argument gives a real result."""

    name: str
    arguments: int
    dtypes: frozenset[str]
    evaluate: Callable[..., Any]
    real_result: bool = False

    def result(self, dtype: str) -> str:
        """The dtype of the result for arguments of ``dtype``."""
        return real_part(dtype) if self.real_result and dtype in COMPLEX else dtype


_ANY = FLOATS | COMPLEX

FUNCTIONS: dict[str, FunctionSpec] = {
    spec.name: spec
    for spec in (
        FunctionSpec("abs", 1, _ANY | INTEGERS, np.abs, real_result=True),
        FunctionSpec("sqrt", 1, _ANY, np.sqrt),
        FunctionSpec("exp", 1, _ANY, np.exp),
        FunctionSpec("log", 1, _ANY, np.log),
        FunctionSpec("sin", 1, _ANY, np.sin),
        FunctionSpec("cos", 1, _ANY, np.cos),
        FunctionSpec("tan", 1, _ANY, np.tan),
        FunctionSpec("tanh", 1, _ANY, np.tanh),
        FunctionSpec("pow", 2, _ANY, np.power),
        FunctionSpec("floor", 1, FLOATS, np.floor),
        FunctionSpec("ceil", 1, FLOATS, np.ceil),
    )
}
