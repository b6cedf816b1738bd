"""The pure functions that a :class:`~heddle.loop_ir.nodes.Call` may name: those of the language that C has, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from heddle.loop_ir.dtypes import COMPLEX, DTYPES, real_part
from heddle.loop_ir.nodes import BOOL
from heddle.notation import functions as language


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """``evaluate`` takes and returns NumPy scalars. ``real_result``: a complex argument gives a real result. ``c`` is
    the name in C for float64."""

    name: str
    arguments: int
    dtypes: frozenset[str]
    evaluate: Callable[..., Any]
    real_result: bool
    c: str

    def result(self, dtype: str) -> str:
        """The dtype of the result for arguments of ``dtype``."""
        return real_part(dtype) if self.real_result and dtype in COMPLEX else dtype


FUNCTIONS: dict[str, FunctionSpec] = {
    spec.name: FunctionSpec(
        spec.name,
        spec.arguments,
        frozenset(dtype for dtype in DTYPES if dtype[0] in spec.kinds and dtype != BOOL),
        spec.evaluate,
        spec.result == "real",
        spec.c,
    )
    for spec in language.FUNCTIONS.values()
    if spec.c
}
