"""Which statements of a host program come out alike in every call with the same operands: the host computes them once.

Operands are on the device from the first call on, so that what the host reads of them must not change either.
"""

from __future__ import annotations

from heddle.loop_ir.nodes import Declare, Function, Load, Require, Search, Stmt, Var
from heddle.loop_ir.walk import expressions, subexpressions


def find_call_invariants(function: Function) -> tuple[bool, ...]:
    """For each statement of the body of ``function``, whether it does nothing but compute a scalar, or claim something,
    of operands and sizes alone."""
    inputs = [parameter for parameter in function.parameters if not (parameter.output or parameter.allocated)]
    arrays = {parameter.name for parameter in inputs if parameter.array is not None}
    scalars = {parameter.name for parameter in inputs if parameter.array is None}
    flags = []
    for statement in function.body.statements:
        settled = isinstance(statement, Declare | Search | Require) and _reads_only(statement, scalars, arrays)
        if settled and isinstance(statement, Declare | Search):
            scalars.add(statement.name)
        flags.append(settled)
    return tuple(flags)


def _reads_only(statement: Stmt, scalars: set[str], arrays: set[str]) -> bool:
    parts = [part for expression in expressions(statement) for part in subexpressions(expression)]
    read = {part.array.name for part in parts if isinstance(part, Load)}
    if isinstance(statement, Search):
        read.add(statement.array.name)
    return read <= arrays and {part.name for part in parts if isinstance(part, Var)} <= scalars
