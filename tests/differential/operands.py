"""Random operands for an assignment, with the structures that break sparse kernels.

Values are small integers stored as floats: sums and products of them are exact, so results compare for equality
whatever the order of the additions. Tensors that something is divided by hold positive powers of two and no zeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heddle.notation.alpha_renaming import rename_apart
from heddle.notation.nodes import (
    Assignment,
    Binary,
    Expression,
    accesses,
    index_variables,
    operand_accesses,
    operands_of,
    statements,
)

Array = NDArray[np.float64]

# No tile size that the tests use divides these, and no two neighbours are equal.
SIZES = (7, 5, 11, 3, 13)


@dataclass(frozen=True, slots=True)
class OperandSet:
    """``label`` says what is special; ``arrays`` has every operand; ``sizes`` every index variable."""

    label: str
    arrays: dict[str, Array]
    sizes: dict[str, int]


def operand_sets(assignment: Assignment, seed: int = 0, sizes: Mapping[str, int] | None = None) -> Iterator[OperandSet]:
    """Empty and dense rows, no nonzeros at all, all nonzeros, dimensions of size 1 and 0.

    ``sizes`` are taken instead of the usual ones, where given.
    """
    assignment = rename_apart(assignment)
    groups = _groups(assignment)
    variables = list(dict.fromkeys(groups.values()))
    usual = {variable: SIZES[place % len(SIZES)] for place, variable in enumerate(variables)}
    usual |= {groups[variable]: size for variable, size in (sizes or {}).items()}
    rng = np.random.default_rng(seed)

    def draw(label: str, sizes: dict[str, int], density: float, *, dense_row: bool = False) -> OperandSet:
        of_all = {variable: sizes[group] for variable, group in groups.items()}
        return _fill(label, assignment, of_all, rng, density, dense_row=dense_row)

    yield draw("empty and dense rows", usual, 0.35, dense_row=True)
    yield draw("no nonzeros", usual, 0.0)
    yield draw("all nonzeros", usual, 1.0)
    yield draw("every dimension 1", dict.fromkeys(variables, 1), 1.0)
    for variable in variables:
        yield draw(f"{variable} of size 1", {**usual, variable: 1}, 0.5)
        yield draw(f"{variable} of size 0", {**usual, variable: 0}, 0.5)


def _groups(assignment: Assignment) -> dict[str, str]:
    """Each index variable's representative among those that must have its size: they index one tensor's dimension."""
    group = {variable: variable for variable in index_variables(assignment)}
    first: dict[tuple[str, int], str] = {}
    own = [statement.target for statement in assignment.temporaries]
    read = [access for statement in statements(assignment) for access in accesses(statement.expression)]
    for access in (*own, *read):
        for dimension, index in enumerate(access.indices):
            one, other = group[first.setdefault((access.tensor, dimension), index)], group[index]
            group = {variable: one if found == other else found for variable, found in group.items()}
    return group


def sparse_array(rng: np.random.Generator, shape: tuple[int, ...], density: float) -> Array:
    """Nonzero integers from -4 to 4 at about ``density`` of the places."""
    values = rng.integers(1, 5, shape) * rng.choice([-1, 1], shape)
    return np.asarray(np.where(rng.random(shape) < density, values, 0), dtype=np.float64)


def divisors(expression: Expression) -> set[str]:
    """The tensors that stand to the right of a division."""
    match expression:
        case Binary(operator="/", left=left, right=right):
            return divisors(left) | {access.tensor for access in accesses(right)}
        case _:
            return {tensor for part in operands_of(expression) for tensor in divisors(part)}


def _fill(
    label: str,
    assignment: Assignment,
    sizes: dict[str, int],
    rng: np.random.Generator,
    density: float,
    *,
    dense_row: bool,
) -> OperandSet:
    arrays: dict[str, Array] = {}
    divided_by = {tensor for statement in statements(assignment) for tensor in divisors(statement.expression)}
    for access in operand_accesses(assignment):
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
