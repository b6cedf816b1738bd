"""Expressions where there is no C library: infinities and functions have other names."""

from __future__ import annotations

import math

from heddle.codegen.device.short_indices import is_short
from heddle.codegen.expressions import PRIMARY, UNARY, ExpressionPrinter
from heddle.codegen.literals import literal
from heddle.loop_ir.dtypes import FLOATS, dtype_of
from heddle.loop_ir.nodes import Const, Expr


class DeviceExpressions(ExpressionPrinter):
    """``short`` are the index scalars with 32 bits in the launch that is printed; None: indices are computed in 64."""

    short: frozenset[str] | None = None

    def computed_dtype(self, expression: Expr) -> str:
        short = self.short is not None and is_short(expression, self.short)
        return "int32" if short else dtype_of(expression)

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
