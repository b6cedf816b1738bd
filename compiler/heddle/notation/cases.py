"""How many cases the loops of a program in index notation will have, told from the text before any work is done.

Where operands are added, the loops merge what they store: at each variable a case for each set of operands that may
still have entries there, inside it one for each part of that set, and the next variable inside each of them. An operand
that is stored sparsely at ``s`` variables multiplies the cases of a sum by ``2 s + 1``. A product has entries only
where all of its operands have some.
"""

from __future__ import annotations

from collections.abc import Mapping

from heddle.notation.nodes import Access, Assignment, Binary, Expression, operands_of, statements


def cases(assignment: Assignment, sparse: Mapping[str, float]) -> float:
    """Of all statements together; ``sparse`` has the sparse levels of each tensor."""
    return sum(copies_of(statement.expression, sparse) for statement in statements(assignment))


def copies_of(expression: Expression, sparse: Mapping[str, float]) -> float:
    """How often a part of a statement is repeated for the sets of operands that may be there."""
    if isinstance(expression, Access):
        return 2.0 * sparse.get(expression.tensor, 0) + 1
    if isinstance(expression, Binary) and expression.operator == "*":
        return of_product(copies_of(expression.left, sparse), copies_of(expression.right, sparse))
    product = 1.0
    for operand in operands_of(expression):
        product *= copies_of(operand, sparse)
    return product


def of_product(left: float, right: float) -> float:
    # Apart from the case in which there is nothing, which both have.
    return max(left, right) if min(left, right) == 1 else (left - 1) * (right - 1) / 2 + 1
