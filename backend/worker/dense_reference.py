"""The reference of what is not a sum of products: dense arrays in NumPy, where there are few enough iterations."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.worker.reference import Operand, Reference
from backend.worker.terms import is_sum_of_products, no_reference
from compiler.frontends.table import front_end_of
from compiler.notation.nodes import Assignment, index_variables, statements
from compiler.plan import Plan
from compiler.runtime.tensors.coordinates import Entries
from compiler.signature import Signature

MOST_ITERATIONS = 1 << 24
"""Of one statement: its arrays then have 128 MiB each."""


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
    """The result on dense arrays, as the plan's language says what it means. ``assignment`` is what was compiled of it.
    Errors are judged against the largest element.

    Raises:
        CompileError: ``run/no-reference`` for too many iterations.
    """
    for statement in statements(assignment):
        iterations = prod(sizes[variable] for variable in index_variables(statement))
        if iterations > MOST_ITERATIONS:
            raise no_reference(statement, iterations, MOST_ITERATIONS)
    arrays: dict[str, NDArray[Any] | float] = {
        tensor.name: _dense(operands[tensor.name], tensor.dtype, tensor.fill) for tensor in signature.inputs
    }
    name, dtype = signature.result.name, np.dtype(signature.result.dtype)
    front_end = front_end_of(plan.language)
    values = front_end.reference(front_end.read(plan.expression, plan.sizes), arrays, sizes)[name]
    wide = values.astype(np.result_type(dtype, np.float64) if dtype.kind in "fc" else np.int64)
    finite = np.abs(wide[np.isfinite(wide)])
    return Reference(wide, np.full(wide.shape, finite.max(initial=0), dtype=np.float64), "NumPy, on dense arrays")


def _dense(operand: Operand, dtype: str, fill: float) -> NDArray[Any]:
    if not isinstance(operand, Entries):
        return operand.astype(dtype, copy=False)
    array = np.full(operand.shape, fill, dtype=dtype)
    array[operand.columns] = operand.values
    return array
