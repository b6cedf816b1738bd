"""Divisions by a power of two become multiplications, which round alike and take less time."""

from __future__ import annotations

import math
from dataclasses import replace

from heddle.loop_ir.dtypes import FLOATS
from heddle.loop_ir.nodes import Binary, Block, Const, Expr, Function, Stmt
from heddle.loop_ir.rebuild import map_children, map_expressions, map_operands

LARGEST_EXPONENT = 64
"""Beyond it a reciprocal might not be a float32."""


def exact_reciprocals(function: Function) -> Function:
    """A function that computes the same; the very one where it divides by no such number."""
    body = _rewrite_statement(function.body)
    assert isinstance(body, Block)
    return function if body is function.body else replace(function, body=body)


def _rewrite_statement(statement: Stmt) -> Stmt:
    return map_expressions(map_children(statement, _rewrite_statement), _rewrite)


def _rewrite(expression: Expr) -> Expr:
    match map_operands(expression, _rewrite):
        case Binary("/", left, Const(float() as value, type_), dtype) if type_ in FLOATS and _is_power_of_two(value):
            return Binary("*", left, Const(1 / value, type_), dtype)
        case changed:
            return changed


def _is_power_of_two(value: float) -> bool:
    mantissa, exponent = math.frexp(value)
    return mantissa == 0.5 and abs(exponent) <= LARGEST_EXPONENT
