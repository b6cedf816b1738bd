"""The reference of what is no sum of products: dense arrays in NumPy, where the iterations are few enough for that."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.worker.dense_evaluation import evaluate
from backend.worker.reference import Operand, Reference
from backend.worker.terms import is_sum_of_products, no_reference
from compiler.notation.nodes import Assignment, index_variables, statements
from compiler.runtime.tensors.coordinates import Entries
from compiler.signature import Signature

MOST_ITERATIONS = 1 << 24
"""Of one statement: its arrays then have 128 MiB each."""


def needs_dense(assignment: Assignment, signature: Signature) -> bool:
    """Whether joining coordinate lists would not do: something else than sums and products, or fills."""
    return not is_sum_of_products(assignment) or any(tensor.fill != 0 for tensor in signature.inputs)


def dense_reference(
    assignment: Assignment, signature: Signature, operands: Mapping[str, Operand], sizes: Mapping[str, int]
) -> Reference:
    """The result on dense arrays. Errors are judged against the largest element.

    Raises:
        CompileError: ``run/no-reference`` for too many iterations.
    """
    for statement in statements(assignment):
        iterations = prod(sizes[variable] for variable in index_variables(statement))
        if iterations > MOST_ITERATIONS:
            raise no_reference(statement, iterations, MOST_ITERATIONS)
    arrays = {tensor.name: _dense(operands[tensor.name], tensor.dtype, tensor.fill) for tensor in signature.inputs}
    name, dtype = signature.result.name, np.dtype(signature.result.dtype)
    initial = arrays.pop(name, None)
    values = evaluate(assignment, arrays, sizes, initial)
    wide = values.astype(np.result_type(dtype, np.float64) if dtype.kind in "fc" else np.int64)
    finite = np.abs(wide[np.isfinite(wide)])
    return Reference(wide, np.full(wide.shape, finite.max(initial=0), dtype=np.float64), "NumPy, on dense arrays")


def _dense(operand: Operand, dtype: str, fill: float) -> NDArray[Any]:
    if not isinstance(operand, Entries):
        return operand.astype(dtype, copy=False)
    array = np.full(operand.shape, fill, dtype=dtype)
    array[operand.columns] = operand.values
    return array
