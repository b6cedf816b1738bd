"""Leading eigenvectors of X₍ₙ₎X₍ₙ₎ᵀ, from which factors may start: the iteration of Lanczos, whose products are two
kernels, with the unfolded tensor and with its transpose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.algorithms.tensor_input import Input
from heddle.algorithms.trees.distinct import coordinates_of
from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.plan import Plan, TensorSpec
from heddle.runtime.kernels.bound_call import BoundCall
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.native.blas_threads import limit_blas_threads
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.coordinates import Entries
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.statistics import statistics_of
from heddle.tuning.search.suggest import suggest

Array = NDArray[Any]
Product = Callable[[Array], Array]
LARGEST = 100_000
"""Indices of a mode: the iteration keeps a few vectors of this length for each component."""

DENSE = 64
"""Indices up to which, or all components, the whole matrix is made from products with unit vectors."""


def require_leading(shape: tuple[int, ...]) -> None:
    """Raises CompileError ``algorithm/start-too-large`` for a mode with more than :data:`LARGEST` indices."""
    for mode, size in enumerate(shape):
        if size > LARGEST:
            raise OperandError(
                Diagnostic(
                    "algorithm/start-too-large",
                    f"The start nvecs needs eigenvectors of mode {mode}, which has {size:,} indices; they are computed "
                    f"for at most {LARGEST:,}. Start with uniform.",
                    Location(Part.PLAN, path="/parameters/start/kind"),
                    expected=f"modes of at most {LARGEST:,} indices",
                    actual=f"{size:,}",
                    candidates=("uniform", "normal"),
                )
            )


def leading(tensor: Input, mode: int, count: int, rng: np.random.Generator, machine: Machine) -> Array:
    """The ``count`` leading ones of a mode as columns, the largest eigenvalue first, each with its largest entry
    positive; where the mode has fewer indices, the other columns are drawn from U(0, 1).

    Raises
    ------
    CompileError
        ``algorithm/start`` where they do not converge.
    """
    size = tensor.shape[mode]
    product = _gram_times(tensor, mode, machine)
    with limit_blas_threads():
        if size <= max(DENSE, count):
            matrix = _of_matrix(product, size)[:, :count]
        else:
            from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

            operator = LinearOperator((size, size), matvec=product, dtype=np.dtype(np.float64))
            try:
                _, vectors = eigsh(operator, k=count, v0=rng.standard_normal(size))
            except ArpackNoConvergence:
                raise _convergence_error(mode, count) from None
            matrix = vectors[:, ::-1]
    largest = np.abs(matrix).argmax(axis=0)
    matrix = matrix * np.where(matrix[largest, np.arange(matrix.shape[1])] < 0, -1.0, 1.0)
    return np.hstack([matrix, rng.random((size, count - matrix.shape[1]))])


def _of_matrix(product: Product, size: int) -> Array:
    columns = [product(unit) for unit in np.eye(size)]
    _, vectors = np.linalg.eigh(np.column_stack(columns))
    return vectors[:, ::-1]


def _gram_times(tensor: Input, mode: int, machine: Machine) -> Product:
    """x ↦ X₍ₙ₎(X₍ₙ₎ᵀx), where X₍ₙ₎ has a column for each coordinate of the other modes that occurs."""
    others = [other for other in range(len(tensor.shape)) if other != mode]
    distinct, column = coordinates_of(tensor).project(others, tensor.shape)
    shape = (tensor.shape[mode], distinct.count)
    entries = Entries(shape, (tensor.entries.columns[mode], column), tensor.entries.values)
    down = _bound("t(s) = X(i,s) * x(i)", "dense, compressed : 1,0", entries, "x", np.zeros(shape[0]), machine)
    up = _bound("y(i) = X(i,s) * t(s)", "csr", entries, "t", down.output.vals, machine)
    source = down.operands["x"].vals

    def product(vector: Array) -> Array:
        source[...] = vector.reshape(-1)
        down.run()
        up.run()
        return up.output.vals.copy()

    return product


def _bound(expression: str, text: str, entries: Entries, name: str, vector: Array, machine: Machine) -> BoundCall:
    plan = Plan(expression, {"X": TensorSpec(text)})
    order = (1, 0) if name == "x" else (0, 1)
    chosen = suggest(plan, {"X": statistics_of(entries, order)}, machine, {"X": entries.shape, name: vector.shape})
    tensor = pack((entries.columns, entries.values, entries.shape), text, "float64", "X", copy=False)
    return Kernel(chosen.result).bind(X=tensor, **{name: vector})


def _convergence_error(mode: int, count: int) -> OperandError:
    message = f"The {count} leading eigenvectors of mode {mode}, from which nvecs starts, do not converge. Use uniform."
    location = Location(Part.PLAN, path="/parameters/start/kind")
    return OperandError(Diagnostic("algorithm/start", message, location, expected="uniform or normal", actual="nvecs"))
