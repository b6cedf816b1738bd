"""Result tensors from their arrays: how long each is follows from the levels above it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import InternalError
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.loop_ir.nodes import Function
from heddle.runtime.memory import buffers
from heddle.runtime.memory.allocation_limit import require_values
from heddle.runtime.storage.device_arrays import Allocate, moved_levels
from heddle.runtime.storage.ownership import Ownership, protect
from heddle.runtime.storage.stored_tensor import index_arrays
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.shapes import Shape
from heddle.runtime.tensors.tensor import LevelArrays, Tensor
from heddle.signature import TensorSignature

Array = NDArray[Any]
Slot = tuple[str, int]
"""The role and the 1-based level of an array; ``VALUES`` are the values."""
VALUES: Slot = ("vals", 0)
_RESULT = Ownership.RESULT


def assemble_tensor(shape: Shape, signature: TensorSignature, take: Callable[[Slot, int], Array]) -> Tensor:
    """The tensor whose arrays ``take(slot, count)`` gives, from the outermost level inwards. Its index arrays are
    read-only from then on."""
    levels: list[LevelArrays] = []
    positions = 1
    layout = signature.format
    sizes = layout.level_sizes(shape)
    for number, (level, size) in enumerate(zip(layout.levels, sizes, strict=True), start=1):
        arrays, positions = LEVEL_KINDS[level.kind].allocate(number, positions, size, take)
        levels.append(arrays)
        for array in index_arrays(arrays):
            protect(array)
    values = take(VALUES, positions)
    return _result(shape, signature, tuple(levels), values)


def empty_result(
    function: Function,
    signature: TensorSignature,
    shape: Shape,
    operands: Mapping[str, Tensor],
    allocate: Allocate = buffers.empty,
    patterns: Sequence[str] = (),
) -> Tensor:
    """The result before the kernel runs: memory for its values, by ``allocate``, and the index arrays that it shares
    with an operand, or copies of those that the caller may write. Where the kernel allocates, it has no entries yet.
    ``patterns`` are the operands that a result in parts has a value for each position of.

    Raises
    ------
    CompileError
        ``runtime/too-large``.
    """
    if signature.format.is_dense:
        values = allocate(buffers.elements(shape), signature.dtype)
        return _result(shape, signature, (LevelArrays(),) * len(shape), values)
    if patterns:
        return _in_parts(signature, shape, [operands[name] for name in patterns], allocate)
    pattern = function.pattern
    shared: dict[Slot, Array] = {}
    if pattern is not None:
        arrays = pattern_of(operands[pattern.tensor])
        shared = {slot: array for slot, array in arrays.items() if slot[1] <= pattern.levels}
    parameters = [parameter for parameter in function.parameters if parameter.allocated and parameter.array is not None]
    dtypes = {
        (array.role.value, array.level): array.dtype
        for parameter in parameters
        if (array := parameter.array) is not None
    }

    def take(slot: Slot, count: int) -> Array:
        if slot in shared:
            return shared[slot]
        if slot in dtypes:
            return np.zeros(require_values(count, dtypes[slot], signature.name), dtypes[slot])
        if slot[0] != "vals":
            raise InternalError(f"The kernel has no {slot[0]} for level {slot[1]} of its result")
        return allocate(count, signature.dtype)

    return assemble_tensor(shape, signature, take)


def empty_tensor(shape: Shape, signature: TensorSignature) -> Tensor:
    """Memory for a dense tensor that the kernel fills.

    Raises
    ------
    CompileError
        ``runtime/too-large``.
    """
    values = buffers.empty(buffers.elements(shape), signature.dtype)
    return _result(shape, signature, (LevelArrays(),) * len(shape), values)


def _in_parts(signature: TensorSignature, shape: Shape, patterns: Sequence[Tensor], allocate: Allocate) -> Tensor:
    """Values of all parts in one array, each part with the index arrays of an operand's."""
    values = allocate(sum(pattern.stored for pattern in patterns), signature.dtype)
    parts, first = [], 0
    for pattern in patterns:
        part_values = values[first : first + pattern.stored]
        levels = (
            pattern.levels if pattern.ownership is not Ownership.BORROWED else moved_levels(pattern, _protected_copy)
        )
        parts.append(
            Tensor(
                shape,
                pattern.format,
                signature.dtype,
                levels,
                part_values,
                signature.fill,
                checked=True,
                ownership=_RESULT,
            )
        )
        first += pattern.stored
    return Composite(
        shape,
        signature.format,
        signature.dtype,
        tuple(parts),
        signature.fill,
        values,
        checked=True,
        ownership=_RESULT,
    )


def pattern_of(operand: Tensor) -> dict[Slot, Array]:
    """The index arrays of ``operand`` for a result with the same coordinates: its own where nobody writes them, else
    copies."""
    arrays = {slot: array for slot, array in operand.arrays().items() if slot[0] != "vals"}
    if operand.ownership is not Ownership.BORROWED:
        return arrays
    return {slot: _protected_copy(array) for slot, array in arrays.items()}


def _protected_copy(array: Array) -> Array:
    copy: Array = protect(array.copy())
    return copy


def _result(shape: Shape, signature: TensorSignature, levels: tuple[LevelArrays, ...], values: Array) -> Tensor:
    format, dtype = signature.format, signature.dtype
    return Tensor(shape, format, dtype, levels, values, signature.fill, checked=True, ownership=_RESULT)
