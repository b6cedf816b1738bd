"""Expressions where there is no C library: infinities and functions have other names."""

from __future__ import annotations

import math

from compiler.codegen.expressions import PRIMARY, UNARY, ExpressionPrinter
from compiler.codegen.literals import literal
from compiler.loop_ir.dtypes import FLOATS
from compiler.loop_ir.nodes import Const


class DeviceExpressions(ExpressionPrinter):
    def _constant(self, constant: Const) -> tuple[str, int]:
        value = constant.value
        if constant.dtype in FLOATS and isinstance(value, int | float) and not math.isfinite(value):
            if math.isnan(value):
                return "NAN", PRIMARY
            return ("INFINITY", PRIMARY) if value > 0 else ("-INFINITY", UNARY)
        text = self.integer_suffix(literal(constant))
        return text, UNARY if text.startswith("-") else PRIMARY

    def integer_suffix(self, text: str) -> str:
        """A literal of 64 bits as the language spells it."""
        return text
