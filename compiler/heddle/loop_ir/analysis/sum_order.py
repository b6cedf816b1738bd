"""Sums whose order is another in each run: atomic updates of floating-point elements."""

from __future__ import annotations

from heddle.loop_ir.dtypes import COMPLEX, FLOATS
from heddle.loop_ir.nodes import Function, Store
from heddle.loop_ir.walk import all_statements


def find_unordered_sum(function: Function) -> Store | None:
    """The first update of ``function`` whose result depends on which thread comes first: a sum or a product of floats
    by an atomic. Integers, and the least or greatest of numbers, are the same in any order."""
    for statement in all_statements(function):
        match statement:
            case Store(array=array, atomic=True, reduce="+" | "*") if array.dtype in FLOATS | COMPLEX:
                return statement
            case _:
                pass
    return None
