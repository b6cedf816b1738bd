"""Where the factors start. Draws are written down for ever, because links must replay: PCG64, mode by mode in
ascending order, row by row."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.algorithms.algorithm import Algorithm, Start
from heddle.algorithms.choose import machine_for
from heddle.algorithms.leading_eigenvectors import leading, require_leading
from heddle.algorithms.tensor_input import Input
from heddle.diagnostics import Diagnostic, InternalError, Location, OperandError, Part
from heddle.runtime.memory import buffers
from heddle.runtime.tensors.operands import as_operand
from heddle.runtime.tensors.tensor import Tensor

Array = NDArray[Any]


def draw_factors(start: Start, shape: tuple[int, ...], rank: int) -> list[Array]:
    """Factors by the ``kind`` and ``seed`` of ``start``, in aligned memory."""
    rng = np.random.Generator(np.random.PCG64(start.seed))
    match start.kind:
        case "uniform":
            return [_align(rng.random((size, rank))) for size in shape]
        case "normal":
            return [_align(rng.standard_normal((size, rank))) for size in shape]
        case other:
            raise InternalError(f"A start of kind {other} is not drawn")


def factor_arrays(factors: Sequence[object]) -> list[Array]:
    """``factors`` as NumPy arrays, whatever library they come from.

    Raises
    ------
    OperandError
        ``runtime/unsupported-operand``, ``algorithm/start`` where one is sparse.
    """
    arrays = []
    for mode, factor in enumerate(factors):
        operand = as_operand(factor, f"factor {mode} of the start")
        array = operand.to_numpy() if isinstance(operand, Tensor) else operand
        if not isinstance(array, np.ndarray):
            message = f"Factor {mode} of the start is sparse; factors are dense. Pass its .toarray()."
            raise _refusal(message, "a dense array", type(factor).__name__)
        arrays.append(array)
    return arrays


def copy_factors(factors: Sequence[object], shape: tuple[int, ...], rank: int) -> list[Array]:
    """Copies of ``factors`` in aligned memory.

    Raises
    ------
    CompileError
        ``algorithm/start`` where they are no real, finite arrays of the right shapes.
    """
    wanted = [(size, rank) for size in shape]
    arrays = factor_arrays(factors)
    actual_shapes = [array.shape for array in arrays]
    if actual_shapes != wanted:
        for mode, (actual, other) in enumerate(zip(actual_shapes, wanted, strict=False)):
            if actual != other:
                raise _refusal(
                    f"Factor {mode} of the start has the shape {actual}; mode {mode} needs {other}.", other, actual
                )
        message = f"The start has {len(actual_shapes)} factors; X has {len(wanted)} modes."
        raise _refusal(message, f"{len(wanted)} factors", f"{len(actual_shapes)} factors")
    for mode, array in enumerate(arrays):
        if array.dtype.kind not in "fiub" or not np.isfinite(array).all():
            message = f"Factor {mode} of the start must hold real, finite numbers."
            raise _refusal(message, "finite numbers", str(array.dtype.name))
    return [_align(array) for array in arrays]


def require_not_negative(factors: Sequence[Array]) -> None:
    """That updates that multiply can reach every value that they should.

    Raises
    ------
    CompileError
        ``algorithm/start``.
    """
    for mode, factor in enumerate(factors):
        if (factor < 0).any():
            message = f"Factor {mode} of the start has negative numbers; cp-apr needs a start without, as uniform."
            raise _refusal(message, "numbers that are 0 or more", f"{factor.min():.6g}")


def start_factors(
    algorithm: Algorithm, tensor: Input, start: Sequence[object] | None, resume: Sequence[Array] | None
) -> list[Array]:
    """Copies of the factors to go on from, ``resume``, of those that are given, ``start``, or what the document draws
    or takes from the ``tensor``.

    Raises
    ------
    CompileError
        ``algorithm/start``, ``algorithm/start-too-large``.
    """
    asked, shape = algorithm.parameters.start, tensor.shape
    if resume is not None:
        return copy_factors(resume, shape, algorithm.parameters.rank)
    if asked.kind != "given":
        if start is None:
            return _compute_factors(algorithm, tensor)
        raise _no_start(f"The document draws its start ({asked.kind}), but factors are given as well.", "no factors")
    if start is None:
        raise _no_start(f"The document starts from the factors {asked.hash}, which are not given.", str(asked.hash))
    factors = copy_factors(start, shape, algorithm.parameters.rank)
    start_hash = hash_of(factor_arrays(start))
    if start_hash != asked.hash:
        raise _no_start(
            f"The document starts from the factors {asked.hash}; those given are {start_hash}.", str(asked.hash)
        )
    return factors


def _compute_factors(algorithm: Algorithm, tensor: Input) -> list[Array]:
    """What the document draws or takes from the tensor."""
    asked, rank = algorithm.parameters.start, algorithm.parameters.rank
    if asked.kind != "nvecs":
        return draw_factors(asked, tensor.shape, rank)
    require_leading(tensor.shape)
    rng, machine = np.random.Generator(np.random.PCG64(asked.seed)), machine_for(algorithm)
    return [_align(leading(tensor, mode, rank, rng, machine)) for mode in range(len(tensor.shape))]


def hash_of(factors: Sequence[Array]) -> str:
    """What names factors that are given."""
    digest = hashlib.sha256()
    for factor in factors:
        digest.update(repr(factor.shape).encode())
        digest.update(np.ascontiguousarray(factor, dtype=np.float64).view(np.uint8).data)
    return f"sha256:{digest.hexdigest()}"


def _align(array: Array) -> Array:
    """A copy of double precision that a kernel reads from its own memory."""
    copy = buffers.empty(array.size, "float64").reshape(array.shape)
    copy[...] = array
    return copy


def _refusal(message: str, expected: object, actual: object) -> OperandError:
    location = Location(Part.PLAN, path="/parameters/start")
    return OperandError(Diagnostic("algorithm/start", message, location, expected=str(expected), actual=str(actual)))


def _no_start(message: str, expected: str) -> OperandError:
    location = Location(Part.PLAN, path="/parameters/start")
    return OperandError(Diagnostic("algorithm/start", message, location, expected=expected))
