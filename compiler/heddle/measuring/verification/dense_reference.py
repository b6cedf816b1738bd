"""The reference of what is not a sum of products: dense arrays in NumPy, where there are few enough iterations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.fills.fill import Fill
from heddle.frontends.table import front_end_of
from heddle.measuring.verification.reference import Operand, Reference
from heddle.measuring.verification.terms import is_sum_of_products, no_reference
from heddle.notation.nodes import (
    Assignment,
    Expression,
    IndexValue,
    SizeValue,
    index_variables,
    operand_accesses,
    operands_of,
    statements,
)
from heddle.plan import Plan
from heddle.runtime.tensors.coordinates import Entries
from heddle.signature import Signature, TensorSignature

MOST_ITERATIONS = 1 << 24
"""Of one statement: its arrays then have 128 MiB each."""

MOST_IN_BANDS = 1 << 29
"""Of a statement whose result is computed a band at a time: seconds, and no more memory than a band needs."""

MOST_POINTS = 1 << 28
"""Of one statement of a program, whose language computes its reference in pieces."""


def needs_dense(assignment: Assignment, signature: Signature) -> bool:
    """Whether joining coordinate lists would not do: something else than sums and products, or fills."""
    return not is_sum_of_products(assignment) or any(tensor.fill != 0 for tensor in signature.inputs)


def dense_reference(
    plan: Plan,
    assignment: Assignment,
    signature: Signature,
    operands: Mapping[str, Operand],
    sizes: Mapping[str, int],
) -> Reference:
    """That of the last result alone, see :func:`dense_references`."""
    return dense_references(plan, assignment, signature, operands, sizes)[signature.result.name]


def dense_references(
    plan: Plan,
    assignment: Assignment,
    signature: Signature,
    operands: Mapping[str, Operand],
    sizes: Mapping[str, int],
) -> dict[str, Reference]:
    """The results on dense arrays, as the plan's language says what they mean. ``assignment`` is what was compiled of
    it. Errors are judged against the largest element.

    Raises
    ------
    CompileError
        ``run/no-reference`` for too many iterations.
    """
    band = _band_variable(assignment, sizes)
    most = MOST_POINTS if assignment.program is not None else MOST_ITERATIONS if band is None else MOST_IN_BANDS
    for statement in statements(assignment):
        iterations = prod(
            sizes[variable] for variable in index_variables(replace(statement, program=assignment.program))
        )
        if iterations > most:
            raise no_reference(statement, iterations, most)
    if band is not None and iterations > MOST_ITERATIONS:
        rows = max(1, MOST_ITERATIONS * sizes[band] // iterations)
        values = _in_bands(plan, assignment, signature, operands, sizes, band, rows)
        return {signature.result.name: _judge(values, np.dtype(signature.result.dtype))}
    arrays: dict[str, NDArray[Any] | float] = {
        tensor.name: _dense(operands[tensor.name], tensor.computed_dtype, tensor.fill) for tensor in signature.inputs
    }
    if assignment.program is not None:  # the caller has another name for what a result holds before
        arrays = {assignment.program.initial.get(name, name): array for name, array in arrays.items()}
    front_end = front_end_of(plan.language)
    results = front_end.reference(front_end.read(plan.expression, plan.sizes), arrays, sizes)
    return {
        name: _judge(results[name], np.dtype((signature.temporaries.get(name) or signature.result).dtype))
        for name in (assignment.program.results if assignment.program is not None else (signature.result.name,))
    }


def _band_variable(assignment: Assignment, sizes: Mapping[str, int]) -> str | None:
    """Over which the result falls into parts that have nothing to do with one another, the largest of its dimensions;
    None for several statements, where an index is a number or a size of the expression, and where all of them read
    some tensor in two ways, as ``A(i,j) * A(j,i)`` does."""
    if assignment.program is not None or assignment.temporaries or _has_numbers(assignment.expression):
        return None
    accesses = (assignment.target, *operand_accesses(assignment))

    def is_read_uniformly(variable: str) -> bool:
        ways = {(access.tensor, tuple(index == variable for index in access.indices)) for access in accesses}
        return len(ways) == len({tensor for tensor, _ in ways})

    chosen = [variable for variable in assignment.target.indices if is_read_uniformly(variable)]
    return max(chosen, key=lambda variable: sizes[variable], default=None)


def _has_numbers(expression: Expression) -> bool:
    if isinstance(expression, IndexValue | SizeValue):
        return True
    return any(_has_numbers(part) for part in operands_of(expression))


def _in_bands(
    plan: Plan,
    assignment: Assignment,
    signature: Signature,
    operands: Mapping[str, Operand],
    sizes: Mapping[str, int],
    variable: str,
    rows: int,
) -> NDArray[Any]:
    """The result, ``rows`` indices of ``variable`` at a time, of operands of which no more than that is dense."""
    front_end = front_end_of(plan.language)
    program = front_end.read(plan.expression, plan.sizes)
    indices = {access.tensor: access.indices for access in (assignment.target, *operand_accesses(assignment))}
    bands = []
    for first in range(0, sizes[variable], rows):
        count = min(rows, sizes[variable] - first)
        arrays = {
            tensor.name: _band(operands[tensor.name], indices[tensor.name], variable, first, count, tensor)
            for tensor in signature.inputs
        }
        answer = front_end.reference(program, arrays, {**sizes, variable: count})
        bands.append(answer[signature.result.name])
    return np.concatenate(bands, axis=assignment.target.indices.index(variable))


def _band(
    operand: Operand, indices: tuple[str, ...], variable: str, first: int, count: int, tensor: TensorSignature
) -> NDArray[Any]:
    """What of an operand has these indices of ``variable``, as a dense array."""
    at = [dimension for dimension, index in enumerate(indices) if index == variable]
    if not isinstance(operand, Entries):
        cut = tuple(slice(first, first + count) if index == variable else slice(None) for index in indices)
        return operand[cut].astype(tensor.computed_dtype, copy=False)
    inside = np.ones(operand.values.size, dtype=bool)
    for dimension in at:
        inside &= (operand.columns[dimension] >= first) & (operand.columns[dimension] < first + count)
    columns = tuple(
        column[inside] - (first if dimension in at else 0) for dimension, column in enumerate(operand.columns)
    )
    shape = tuple(count if dimension in at else size for dimension, size in enumerate(operand.shape))
    return _dense(Entries(shape, columns, operand.values[inside]), tensor.computed_dtype, tensor.fill)


def _judge(values: NDArray[Any], dtype: np.dtype[Any]) -> Reference:
    wide = values.astype(np.result_type(dtype, np.float64) if dtype.kind in "fc" else np.int64)
    finite = np.abs(wide[np.isfinite(wide)])
    return Reference(wide, np.full(wide.shape, finite.max(initial=0), dtype=np.float64), "NumPy, on dense arrays")


def _dense(operand: Operand, dtype: str, fill: Fill) -> NDArray[Any]:
    if not isinstance(operand, Entries):
        return operand.astype(dtype, copy=False)
    array = np.full(operand.shape, fill, dtype=dtype)
    array[operand.columns] = operand.values
    return array
