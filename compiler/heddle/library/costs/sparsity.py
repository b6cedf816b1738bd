"""Whether a result is stored sparse: where every variable of it is *covered* by the sparse operands.

A variable is covered when the element is known without looking at it, because no sparse operand that has this variable
stores anything there: ``A(i,k) * B(k,j)`` of two sparse matrices is 0 in a row that A does not have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from heddle.fills.fill import same_value
from heddle.iteration_graph.algebra.absent_operands import simplify
from heddle.library.operand_kinds import OperandKind
from heddle.notation.nodes import (
    Access,
    Assignment,
    Expression,
    Literal,
    Reduce,
    accesses,
    index_variables,
    operands_of,
    with_operands,
)


def is_result_sparse(assignment: Assignment, kinds: Mapping[str, OperandKind], dtypes: Mapping[str, str]) -> bool:
    """Whether what is assigned is stored sparse where nobody names a format.

    Parameters
    ----------
    assignment
        one statement; the result of a program with temporaries is dense.
    kinds
        of the operands by name.
    dtypes
        of the operands by name.

    Returns
    -------
    bool
        False for a number, for a result with a variable that only dense operands have, and for a vector that a sum over
        a matrix fills.
    """
    variables = assignment.target.indices
    if not variables or assignment.temporaries or assignment.operator != "=":
        return False
    expression = _bound(_outer_operand(assignment.expression), kinds, dtypes)
    if not all(_is_covered(variable, expression, kinds) for variable in variables):
        return False
    if len(variables) > 1 or set(index_variables(assignment)) == set(variables):
        return True
    orders = [len(access.indices) for access in accesses(expression) if access.background is not None]
    return 1 in orders and all(access.background or not access.indices for access in accesses(expression))


def _outer_operand(expression: Expression) -> Expression:
    """What a reduction over the whole right side combines."""
    return _outer_operand(expression.operand) if isinstance(expression, Reduce) else expression


def _bound(expression: Expression, kinds: Mapping[str, OperandKind], dtypes: Mapping[str, str]) -> Expression:
    """The expression with what its operands are where they store nothing. A reduction inside an element has a value
    everywhere, as a dense operand."""
    match expression:
        case Access(tensor=tensor):
            kind = kinds[tensor]
            absent = Literal(kind.fill, None, dtypes[tensor]) if kind.sparse else None
            return replace(expression, dtype=dtypes[tensor], background=absent)
        case Reduce(variable=variable):
            outer = {index for access in accesses(expression) for index in access.indices} - {variable}
            return Access("", tuple(sorted(outer)))
        case Literal():
            return expression
        case _:
            return with_operands(expression, [_bound(part, kinds, dtypes) for part in operands_of(expression)])


def _is_covered(variable: str, expression: Expression, kinds: Mapping[str, OperandKind]) -> bool:
    absent = frozenset(
        access for access in accesses(expression) if access.background is not None and variable in access.indices
    )
    if not absent:
        return False
    rest = simplify(expression, absent, {})
    if not isinstance(rest, Literal):
        return False
    return rest.value == 0 or any(same_value(rest.value, kinds[access.tensor].fill) for access in absent)
