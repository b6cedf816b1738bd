"""Accesses of dense arrays as views that have a dimension for each index variable: windows of convolutions, strides,
diagonals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.notation.nodes import Binary, Expression, IndexValue, Literal, SizeValue, Unary


@dataclass(frozen=True, slots=True)
class Affine:
    """``constant`` plus a multiple of each index variable."""

    multiples: Mapping[str, int]
    constant: int

    def bounds(self, sizes: Mapping[str, int]) -> tuple[int, int]:
        """The least and the greatest value, the variables running from 0 to their sizes."""
        ends = [multiple * (sizes[variable] - 1) for variable, multiple in self.multiples.items()]
        return self.constant + sum(min(end, 0) for end in ends), self.constant + sum(max(end, 0) for end in ends)


def find_affine(expression: Expression, numbers: Mapping[str, int]) -> Affine | None:
    """``expression`` as an affine function of index variables, with ``numbers`` for the sizes in it; None where it is
    none."""
    match expression:
        case Literal(value=int(value)):
            return Affine({}, value)
        case IndexValue(variable=variable):
            return Affine({variable: 1}, 0)
        case SizeValue(name=name):
            return Affine({}, numbers[name]) if name in numbers else None
        case Unary(operator="-", operand=operand):
            return _combine(Affine({}, 0), find_affine(operand, numbers), -1)
        case Binary(operator="+", left=left, right=right):
            return _combine(find_affine(left, numbers), find_affine(right, numbers), 1)
        case Binary(operator="-", left=left, right=right):
            return _combine(find_affine(left, numbers), find_affine(right, numbers), -1)
        case Binary(operator="*", left=left, right=right):
            a, b = find_affine(left, numbers), find_affine(right, numbers)
            if a is None or b is None or (a.multiples and b.multiples):
                return None
            scale, scaled = (b.constant, a) if a.multiples else (a.constant, b)
            return _combine(Affine({}, 0), scaled, scale)
        case _:
            return None


def view_by_variables(
    array: NDArray[Any], coordinates: tuple[Affine, ...], variables: tuple[str, ...], sizes: Mapping[str, int]
) -> NDArray[Any] | None:
    """A view of ``array`` with a dimension for each of ``variables``, where dimension d of the array is read at
    ``coordinates[d]``; None where a coordinate lies outside."""
    offset: list[slice] = []
    strides = dict.fromkeys(variables, 0)
    for coordinate, size, stride in zip(coordinates, array.shape, array.strides, strict=True):
        low, high = coordinate.bounds(sizes)
        if low < 0 or high >= size:
            return None
        offset.append(slice(coordinate.constant, None))
        for variable, multiple in coordinate.multiples.items():
            strides[variable] += multiple * stride
    shape = tuple(sizes[variable] for variable in variables)
    return np.lib.stride_tricks.as_strided(array[tuple(offset)], shape, tuple(strides.values()), writeable=False)


def _combine(left: Affine | None, right: Affine | None, scale: int) -> Affine | None:
    """``left + scale * right``."""
    if left is None or right is None:
        return None
    multiples = dict(left.multiples)
    for variable, multiple in right.multiples.items():
        multiples[variable] = multiples.get(variable, 0) + scale * multiple
    return Affine({v: m for v, m in multiples.items() if m}, left.constant + scale * right.constant)
