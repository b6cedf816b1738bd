"""What an assignment means, on dense NumPy arrays: written without the compiler beyond the notation's nodes.

Products distribute over sums; each term that results is summed over the index variables that it has and the result has
not. A quotient stays in its term: ``y(i) = x(i) / A(i,j)`` is the sum of the quotients.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.notation.nodes import Access, Assignment, Binary, Expression, Literal, Unary, accesses, index_variables

Array = NDArray[Any]


def evaluate(
    assignment: Assignment,
    operands: Mapping[str, Array | float],
    sizes: Mapping[str, int] | None = None,
    initial: Array | None = None,
) -> Array:
    """The dense result, of shape () for a scalar.

    ``sizes`` gives the dimensions of result variables that no operand has; ``initial`` is what ``+=`` adds to.
    """
    variables = index_variables(assignment)
    extents = variable_sizes(assignment, operands, sizes or {})
    indices = assignment.target.indices
    result = np.zeros([extents[index] for index in indices])
    if assignment.operator == "+=" and initial is not None:
        result = result + initial
    for term in _terms(assignment.expression, variables, operands):
        missing = tuple(axis for axis, variable in enumerate(variables) if variable not in indices)
        kept = [variable for variable in variables if variable in indices]
        reduced = term.sum(axis=missing)
        result = result + reduced.transpose([kept.index(index) for index in indices])
    return np.asarray(result)


def variable_sizes(
    assignment: Assignment, operands: Mapping[str, Array | float], sizes: Mapping[str, int]
) -> dict[str, int]:
    """The size of each index variable; operands that disagree are a mistake of the test."""
    found = dict(sizes)
    for access in accesses(assignment.expression):
        for index, size in zip(access.indices, np.shape(operands[access.tensor]), strict=True):
            assert found.setdefault(index, size) == size, f"{index} has size {found[index]} and {size}"
    return found


def _terms(expression: Expression, variables: tuple[str, ...], operands: Mapping[str, Array | float]) -> list[Array]:
    """The additive terms, each an array with one axis per index variable, of size 1 where the term does not have it."""
    match expression:
        case Access(tensor=tensor, indices=indices):
            array = np.asarray(operands[tensor])
            own = list(dict.fromkeys(indices))
            places = [own.index(index) for index in indices]  # a repeated index reads the diagonal
            array = np.einsum(array, places, sorted(range(len(own)), key=lambda place: variables.index(own[place])))
            present = iter(array.shape)
            return [array.reshape([next(present) if v in own else 1 for v in variables])]
        case Literal(value=value):
            return [np.full([1] * len(variables), value)]
        case Unary(operator="-", operand=operand):
            return [-term for term in _terms(operand, variables, operands)]
        case Binary(operator="+", left=left, right=right):
            return _terms(left, variables, operands) + _terms(right, variables, operands)
        case Binary(operator="-", left=left, right=right):
            return _terms(left, variables, operands) + [-term for term in _terms(right, variables, operands)]
        case Binary(operator="*", left=left, right=right):
            factors = _terms(right, variables, operands)
            return [term * factor for term in _terms(left, variables, operands) for factor in factors]
        case Binary(operator="/", left=left, right=right):
            divisor = sum(_terms(right, variables, operands))
            return [np.divide(term, divisor) for term in _terms(left, variables, operands)]
        case _:
            raise TypeError(f"unexpected node {expression!r}")
