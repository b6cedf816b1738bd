"""Small operands for a kernel, made up: what an exported program computes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.tensor import Tensor
from heddle.signature import TensorSignature

ConvertedFormats = Mapping[str, str]
"""The formats of operands that a kernel takes in another one than declared, by their names in the kernel."""
MOST_ELEMENTS = 1 << 15
_SIZES = ((4, 6, 5, 3), (8, 8, 8, 8), (16, 16, 16, 16))


@dataclass(frozen=True, slots=True)
class Sample:
    """``operands`` as the kernel takes them, and the ``result`` that it gives, by name; ``initial`` is what the result
    held before, of a kernel that accumulates."""

    operands: Mapping[str, Tensor]
    result: Tensor
    initial: Tensor | None


def sample_operands(
    inputs: Sequence[TensorSignature], shapes: Mapping[str, tuple[int, ...]]
) -> Iterator[dict[str, Tensor]]:
    """Operands of several sizes, the smallest first, with the ``shapes`` that are declared."""
    variables = list(dict.fromkeys(index for tensor in inputs for index in tensor.indices))
    for choice in _SIZES:
        sizes = {variable: choice[number % len(choice)] for number, variable in enumerate(variables)}
        for tensor in inputs:
            sizes.update(zip(tensor.indices, shapes.get(tensor.name, ()), strict=False))
        operand_shapes = {tensor.name: tuple(sizes[index] for index in tensor.indices) for tensor in inputs}
        if all(np.prod(shape, dtype=float) <= MOST_ELEMENTS for shape in operand_shapes.values()):
            yield {
                tensor.name: pack(
                    _elements(operand_shapes[tensor.name], number, tensor),
                    tensor.format,
                    tensor.dtype,
                    fill=tensor.fill,
                )
                for number, tensor in enumerate(inputs)
            }


def _elements(shape: tuple[int, ...], number: int, tensor: TensorSignature) -> NDArray[Any]:
    """Small integers, which every dtype holds; of a sparse operand about a third, and the fill."""
    counted = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
    values = ((counted * (number + 3)) % 5 + 1).astype(tensor.dtype)
    if tensor.format.is_dense:
        return values
    stored = (counted * 7 + counted // max(1, shape[-1] if shape else 1)) % 3 == 0
    return np.where(stored, values, np.asarray(tensor.fill, tensor.dtype))
