"""Which well-known operation an assignment is: libraries offer operations, not expressions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations

from heddle.measuring.verification.terms import Product, is_sum_of_products, products
from heddle.notation.nodes import Access, Assignment, Binary, Expression, Reduce, Unary, accesses


@dataclass(frozen=True, slots=True)
class Factor:
    """A matrix or vector by name; ``transposed`` when it is used the other way round than its indices say."""

    tensor: str
    transposed: bool = False


@dataclass(frozen=True, slots=True)
class MatrixVector:
    """``y = op(A) x``."""

    matrix: Factor
    vector: str


@dataclass(frozen=True, slots=True)
class MatrixMatrix:
    """``C = op(A) op(B)``."""

    left: Factor
    right: Factor


@dataclass(frozen=True, slots=True)
class MatrixSum:
    """``C = ± op(A) ± op(B) …``."""

    terms: tuple[tuple[int, Factor], ...]


@dataclass(frozen=True, slots=True)
class SampledProduct:
    """``C = op(S) ∘ (op(A) op(B))``, SDDMM."""

    sample: Factor
    left: Factor
    right: Factor


@dataclass(frozen=True, slots=True)
class Axes:
    """A tensor by name, with its axes in the order that the operation has them in."""

    tensor: str
    axes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RelationalProduct:
    """``Y(i,l) = A(r,i,j) * X(j,k) * W(r,k,l)``: ``edges`` by relation, row and column, ``features`` by column and
    feature, ``weights`` by relation, feature and new feature."""

    edges: Axes
    features: Axes
    weights: Axes


Pattern = MatrixVector | MatrixMatrix | MatrixSum | SampledProduct | RelationalProduct


def recognise(assignment: Assignment) -> Pattern | None:
    """The operation that ``assignment`` is, None when it is none of the known ones."""
    assignment = with_implicit_sums(assignment)
    if assignment.operator != "=" or not is_sum_of_products(assignment):
        return None
    target, terms = assignment.target.indices, products(assignment)
    if any(term.divisors or term.coefficient not in (1, -1) for term in terms):
        return None
    if len(terms) > 1:
        return find_sum(target, terms)
    factors = terms[0].factors if terms[0].coefficient == 1 else ()
    match len(target), len(factors):
        case 1, 2:
            return find_matrix_vector(target[0], factors)
        case 2, 2:
            return find_matrix_matrix(target, factors)
        case 2, 3:
            return find_sampled_product(target, factors) or find_relational_product(target, factors)
        case _:
            return None


def with_implicit_sums(assignment: Assignment) -> Assignment:
    """``y(i) = sum(j, A(i,j) * x(j))`` as ``y(i) = A(i,j) * x(j)``, where that means the same."""
    return replace(assignment, expression=_without_sums(assignment.expression))


def _without_sums(expression: Expression) -> Expression:
    match expression:
        case Reduce(operator="+", variable=variable, operand=operand):
            inner = _without_sums(operand)
            indices = [index for access in accesses(inner) for index in access.indices]
            return inner if _is_product(inner) and variable in indices else expression
        case Binary(operator="+" | "-", left=left, right=right):
            return replace(expression, left=_without_sums(left), right=_without_sums(right))
        case Unary(operator="-", operand=operand):
            return replace(expression, operand=_without_sums(operand))
        case _:
            return expression


def _is_product(expression: Expression) -> bool:
    """Whether it has no sum, so that one over a variable of it is over all of it."""
    match expression:
        case Binary(operator="*", left=left, right=right):
            return _is_product(left) and _is_product(right)
        case Binary() | Reduce():
            return False
        case _:
            return True


def _orient(access: Access, row: str, column: str) -> Factor | None:
    """``access`` as a matrix with the index variables (row, column)."""
    if row == column or set(access.indices) != {row, column} or len(access.indices) != 2:
        return None
    return Factor(access.tensor, access.indices != (row, column))


def find_matrix_vector(row: str, factors: tuple[Access, ...]) -> MatrixVector | None:
    for matrix, vector in (factors, factors[::-1]):
        if len(vector.indices) == 1:
            oriented = _orient(matrix, row, vector.indices[0])
            if oriented is not None:
                return MatrixVector(oriented, vector.tensor)
    return None


def find_matrix_matrix(target: tuple[str, ...], factors: tuple[Access, ...]) -> MatrixMatrix | None:
    row, column = target
    for left, right in (factors, factors[::-1]):
        for inner in (index for index in left.indices if index not in target):
            a, b = _orient(left, row, inner), _orient(right, inner, column)
            if a is not None and b is not None:
                return MatrixMatrix(a, b)
    return None


def find_sampled_product(target: tuple[str, ...], factors: tuple[Access, ...]) -> SampledProduct | None:
    for place, access in enumerate(factors):
        sample = _orient(access, *target)
        if sample is not None:
            product = find_matrix_matrix(target, (*factors[:place], *factors[place + 1 :]))
            if product is not None:
                return SampledProduct(sample, product.left, product.right)
    return None


def find_relational_product(target: tuple[str, ...], factors: tuple[Access, ...]) -> RelationalProduct | None:
    row, new = target
    for edges, features, weights in permutations(factors):
        relation = next((index for index in edges.indices if index in weights.indices), None)
        column = next((index for index in edges.indices if index in features.indices), None)
        feature = next((index for index in features.indices if index in weights.indices), None)
        if relation is None or column is None or feature is None:
            continue
        wanted = ((relation, row, column), (column, feature), (relation, feature, new))
        accesses = (edges, features, weights)
        distinct = len({row, new, relation, column, feature}) == 5
        if distinct and all(
            sorted(access.indices) == sorted(indices) for access, indices in zip(accesses, wanted, strict=True)
        ):
            axes = (
                Axes(access.tensor, tuple(access.indices.index(index) for index in indices))
                for access, indices in zip(accesses, wanted, strict=True)
            )
            return RelationalProduct(*axes)
    return None


def find_sum(target: tuple[str, ...], terms: list[Product]) -> MatrixSum | None:
    if len(target) != 2:
        return None
    summands = []
    for term in terms:
        factor = _orient(term.factors[0], *target) if len(term.factors) == 1 else None
        if factor is None:
            return None
        summands.append((1 if term.coefficient == 1 else -1, factor))
    return MatrixSum(tuple(summands))
