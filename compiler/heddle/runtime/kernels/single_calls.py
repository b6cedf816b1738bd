"""A call that is made once: operands in, a dense result out, and nothing that a call to be repeated keeps.

A small kernel takes less time than preparing its call. Where the result is dense and the kernel takes its operands as
they are, there is nothing to prepare but memory for the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from heddle.runtime.kernels.binding import Binding
from heddle.runtime.kernels.calling import Executor, LoadedExecutor
from heddle.runtime.memory import buffers
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.tensor import LevelArrays, Tensor
from heddle.signature import TensorSignature


@dataclass(frozen=True, slots=True, eq=False)
class SingleCalls:
    """Single calls of a kernel with this ``result``; ``narrow`` gives what runs it on 32-bit indices."""

    binding: Binding
    result: TensorSignature
    narrow: Callable[[], Executor]

    def run(self, packed: Mapping[str, Tensor], values: NDArray[Any] | None = None) -> Tensor | None:
        """The result for these operands, in ``values`` or in memory of its own; None where the call has to be
        prepared: operands with 64-bit indices, and whatever the kernel refuses, of which a prepared call says why.

        Raises
        ------
        CompileError
            ``runtime/shape-mismatch``; ``runtime/too-large``.
        """
        for tensor in packed.values():
            if tensor.wide:
                return None
        execute = self.narrow()
        if not isinstance(execute, LoadedExecutor) or execute.run is None:
            return None
        result, shape = self.result, self.binding.result_shape(packed)
        layout, dtype = result.format, result.dtype
        if values is None:
            values = buffers.empty(buffers.elements(shape), dtype)
        levels = (_DENSE,) * len(shape)
        output = Tensor(shape, layout, dtype, levels, values, result.fill, checked=True, ownership=Ownership.RESULT)
        return None if execute.run(packed, output) else output


_DENSE = LevelArrays()
