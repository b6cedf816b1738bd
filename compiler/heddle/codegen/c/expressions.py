"""Expressions in C: functions that a kernel calls for all lanes of a vector are its own."""

from __future__ import annotations

from pathlib import Path

from heddle.codegen.expressions import ExpressionPrinter
from heddle.codegen.function_text import FunctionFile
from heddle.codegen.support import Support
from heddle.loop_ir.dtypes import FLOATS, dtype_of
from heddle.loop_ir.nodes import Call

_ELEMENTARY = FunctionFile(Path(__file__).with_name("functions") / "elementary.c")
_OWN = ("exp",)
"""The C library's are called for one lane after the other: a softmax took six times as long."""


def elementary(support: Support, function: str, dtype: str) -> str:
    """The kernel's own ``function`` of a float."""
    name = f"{function}_{dtype}"
    return support.add(name, _ELEMENTARY.text(name))


class CExpressions(ExpressionPrinter):
    def _call(self, call: Call) -> str:
        dtype = dtype_of(call.arguments[0])
        if call.function not in _OWN or dtype not in FLOATS:
            return super()._call(call)
        return f"{elementary(self._support, call.function, dtype)}({self.text(call.arguments[0])})"
