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
from heddle.notation.nodes import Assignment, index_variables, statements
from heddle.plan import Plan
from heddle.runtime.tensors.coordinates import Entries
from heddle.signature import Signature
from heddle_server.worker.reference import Operand, Reference
from heddle_server.worker.terms import is_sum_of_products, no_reference

MOST_ITERATIONS = 1 << 24
"""Of one statement: its arrays then have 128 MiB each."""

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

    Raises:
        CompileError: ``run/no-reference`` for too many iterations.
    """
    most = MOST_ITERATIONS if assignment.program is None else MOST_POINTS
    for statement in statements(assignment):
        iterations = prod(
            sizes[variable] for variable in index_variables(replace(statement, program=assignment.program))
        )
        if iterations > most:
            raise no_reference(statement, iterations, most)
    arrays: dict[str, NDArray[Any] | float] = {
        tensor.name: _dense(operands[tensor.name], tensor.dtype, tensor.fill) for tensor in signature.inputs
    }
    if assignment.program is not None:  # the caller has another name for what a result holds before
        arrays = {assignment.program.initial.get(own, own): array for own, array in arrays.items()}
    front_end = front_end_of(plan.language)
    found = front_end.reference(front_end.read(plan.expression, plan.sizes), arrays, sizes)
    return {
        name: _judged(found[name], np.dtype((signature.temporaries.get(name) or signature.result).dtype))
        for name in (assignment.program.results if assignment.program is not None else (signature.result.name,))
    }


def _judged(values: NDArray[Any], dtype: np.dtype[Any]) -> Reference:
    wide = values.astype(np.result_type(dtype, np.float64) if dtype.kind in "fc" else np.int64)
    finite = np.abs(wide[np.isfinite(wide)])
    return Reference(wide, np.full(wide.shape, finite.max(initial=0), dtype=np.float64), "NumPy, on dense arrays")


def _dense(operand: Operand, dtype: str, fill: Fill) -> NDArray[Any]:
    if not isinstance(operand, Entries):
        return operand.astype(dtype, copy=False)
    array = np.full(operand.shape, fill, dtype=dtype)
    array[operand.columns] = operand.values
    return array
