"""An assignment as a sum of scaled operations on matrices and vectors, or as a reduction of an operand: what a person
writes with NumPy's and SciPy's operators."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.measuring.baselines.patterns import (
    Axes,
    MatrixMatrix,
    MatrixVector,
    SampledProduct,
    find_matrix_matrix,
    find_matrix_vector,
    find_sampled_product,
    with_implicit_sums,
)
from heddle.measuring.verification.terms import Product, is_sum_of_products, products
from heddle.notation.nodes import Access, Assignment, Expression, Reduce


@dataclass(frozen=True, slots=True)
class GridProduct:
    """The product of the elements of ``factors`` at each point of a grid of at most two dimensions, of which the
    leading ``rank`` are those of the result; the product is summed over the others. ``axes`` of a factor are the
    dimensions of the grid that it has, in its storage order."""

    dimensions: int
    rank: int
    factors: tuple[Axes, ...]


Operation = MatrixVector | MatrixMatrix | SampledProduct | GridProduct


@dataclass(frozen=True, slots=True)
class LinearTerm:
    """``coefficient`` times the scalar operands ``scalars`` times the result of ``operation``."""

    coefficient: complex
    scalars: tuple[str, ...]
    operation: Operation


@dataclass(frozen=True, slots=True)
class Reduction:
    """``max`` or ``min`` of ``tensor`` over its ``axes``; the others are the dimensions of the result, in order."""

    operator: str
    tensor: str
    axes: tuple[int, ...]


def linear_terms(assignment: Assignment) -> tuple[LinearTerm, ...] | None:
    """The terms whose sum ``assignment`` is; None where a term is no operation of matrices and vectors."""
    assignment = with_implicit_sums(assignment)
    if assignment.operator != "=" or not is_sum_of_products(assignment):
        return None
    terms = [_term(assignment.target.indices, product) for product in products(assignment)]
    return tuple(term for term in terms if term is not None) if all(terms) else None


def find_reduction(assignment: Assignment) -> Reduction | None:
    """The maximum or minimum of an operand along dimensions, or of all its elements."""
    expression: Expression = assignment.expression
    if assignment.operator != "=" or assignment.temporaries or assignment.program is not None:
        return None
    operators, reduced = set(), set()
    while isinstance(expression, Reduce):
        operators.add(expression.operator)
        reduced.add(expression.variable)
        expression = expression.operand
    if not isinstance(expression, Access) or operators not in ({"max"}, {"min"}):
        return None
    indices = expression.indices
    remaining = tuple(index for index in indices if index not in reduced)
    if remaining != assignment.target.indices or len(set(indices)) < len(indices) or not reduced <= set(indices):
        return None
    axes = tuple(axis for axis, index in enumerate(indices) if index in reduced)
    return Reduction(operators.pop(), expression.tensor, axes)


def _term(target: tuple[str, ...], product: Product) -> LinearTerm | None:
    if product.divisors:
        return None
    scalars = tuple(factor.tensor for factor in product.factors if not factor.indices)
    factors = tuple(factor for factor in product.factors if factor.indices)
    operation = _operation(target, factors)
    return LinearTerm(product.coefficient, scalars, operation) if operation is not None else None


def _operation(target: tuple[str, ...], factors: tuple[Access, ...]) -> Operation | None:
    match len(target), len(factors):
        case 1, 2:
            return find_matrix_vector(target[0], factors) or _grid(target, factors)
        case 2, 2:
            return find_matrix_matrix(target, factors) or _grid(target, factors)
        case 2, 3:
            return find_sampled_product(target, factors) or _grid(target, factors)
        case _:
            return _grid(target, factors)


def _grid(target: tuple[str, ...], factors: tuple[Access, ...]) -> GridProduct | None:
    indices = [index for factor in factors for index in factor.indices]
    summed = tuple(index for index in dict.fromkeys(indices) if index not in target)
    grid = (*target, *summed)
    repeated = any(len(set(factor.indices)) < len(factor.indices) for factor in factors)
    if not factors or repeated or len(grid) > 2 or not set(grid) <= set(indices):
        return None
    axes = (Axes(factor.tensor, tuple(grid.index(index) for index in factor.indices)) for factor in factors)
    return GridProduct(len(grid), len(target), tuple(axes))
