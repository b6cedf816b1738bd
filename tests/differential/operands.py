"""Random operands for an assignment, with the structures that break sparse kernels.

Values are small integers stored as floats: sums and products of them are exact, so results compare for equality
whatever the order of the additions. Tensors that something is divided by hold positive powers of two and no zeros.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compiler.notation.nodes import Access, Assignment, Binary, Expression, Literal, Unary, accesses, index_variables

Array = NDArray[np.float64]

# No tile size that the tests use divides these, and no two neighbours are equal.
SIZES = (7, 5, 11, 3, 13)


@dataclass(frozen=True, slots=True)
class OperandSet:
    """``label`` says what is special; ``arrays`` has every operand; ``sizes`` every index variable."""

    label: str
    arrays: dict[str, Array]
    sizes: dict[str, int]


def operand_sets(assignment: Assignment, seed: int = 0) -> Iterator[OperandSet]:
    """Empty and dense rows, no nonzeros at all, all nonzeros, dimensions of size 1 and 0."""
    variables = index_variables(assignment)
    usual = {variable: SIZES[place % len(SIZES)] for place, variable in enumerate(variables)}
    rng = np.random.default_rng(seed)
    yield _fill("empty and dense rows", assignment, usual, rng, 0.35, dense_row=True)
    yield _fill("no nonzeros", assignment, usual, rng, 0.0)
    yield _fill("all nonzeros", assignment, usual, rng, 1.0)
    yield _fill("every dimension 1", assignment, dict.fromkeys(variables, 1), rng, 1.0)
    for variable in variables:
        yield _fill(f"{variable} of size 1", assignment, {**usual, variable: 1}, rng, 0.5)
        yield _fill(f"{variable} of size 0", assignment, {**usual, variable: 0}, rng, 0.5)


def sparse_array(rng: np.random.Generator, shape: tuple[int, ...], density: float) -> Array:
    """Nonzero integers from -4 to 4 at about ``density`` of the places."""
    values = rng.integers(1, 5, shape) * rng.choice([-1, 1], shape)
    return np.asarray(np.where(rng.random(shape) < density, values, 0), dtype=np.float64)


def divisors(expression: Expression) -> set[str]:
    """The tensors that stand to the right of a division."""
    match expression:
        case Access() | Literal():
            return set()
        case Unary(operand=operand):
            return divisors(operand)
        case Binary(operator=operator, left=left, right=right):
            below = {access.tensor for access in accesses(right)} if operator == "/" else set()
            return divisors(left) | divisors(right) | below
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def _fill(
    label: str,
    assignment: Assignment,
    sizes: dict[str, int],
    rng: np.random.Generator,
    density: float,
    *,
    dense_row: bool = False,
) -> OperandSet:
    arrays: dict[str, Array] = {}
    divided_by = divisors(assignment.expression)
    for access in accesses(assignment.expression):
        if access.tensor in arrays:
            continue
        shape = tuple(sizes[index] for index in access.indices)
        if access.tensor in divided_by:
            arrays[access.tensor] = 2.0 ** rng.integers(0, 3, shape)
            continue
        array = sparse_array(rng, shape, density if access.indices else 1.0)
        if dense_row and array.ndim and array.shape[0] > 2:
            array[0] = 0
            array[-1] = 0
            array[array.shape[0] // 2] = rng.integers(1, 5, array.shape[1:])
        arrays[access.tensor] = array
    return OperandSet(label, arrays, sizes)
