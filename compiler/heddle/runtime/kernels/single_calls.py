"""A call that is made once: operands in, a dense result out, and nothing that a call to be repeated keeps.

A small kernel takes less time than preparing its call. Where the result is dense and the kernel takes its operands as
they are, there is nothing to prepare but memory for the values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from weakref import ReferenceType, ref

import numpy as np
from numpy.typing import NDArray

from heddle.formats.format import Format
from heddle.runtime.kernels.binding import Binding
from heddle.runtime.kernels.calling import Executor, LoadedExecutor
from heddle.runtime.memory import buffers
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.shapes import Shape
from heddle.runtime.tensors.tensor import LevelArrays, Tensor
from heddle.signature import TensorSignature


@dataclass(frozen=True, slots=True, eq=False)
class SingleCalls:
    """Single calls of a kernel with this ``result``; ``narrow`` gives what runs it on 32-bit indices. ``last`` is the
    call before; None for programs that look at values of their operands in every call."""

    binding: Binding
    result: TensorSignature
    dtype: np.dtype[Any]
    narrow: Callable[[], Executor]
    last: LastCall | None

    def run(self, packed: Mapping[str, Tensor], values: NDArray[Any] | None = None) -> Tensor | None:
        """The result for these operands, in ``values`` or in memory of its own; None where the call has to be
        prepared: operands with 64-bit indices, and whatever the kernel refuses, of which a prepared call says why.

        Raises
        ------
        CompileError
            ``runtime/shape-mismatch``; ``runtime/too-large``.
        """
        repeated = None if self.last is None else self.last.recall(packed)
        if repeated is not None:
            if values is None:
                values = buffers.empty(repeated.count, self.dtype)
            return None if repeated.run(values) else self._result_on(values, repeated.shape)
        for tensor in packed.values():
            if tensor.wide:
                return None
        execute = self.narrow()
        if not isinstance(execute, LoadedExecutor) or execute.run is None:
            return None
        shape = self.binding.result_shape(packed)
        if values is None:
            values = buffers.empty(buffers.elements(shape), self.dtype)
        output = self._result_on(values, shape)
        if execute.run(packed, output):
            return None
        if self.last is not None:
            self.last.remember(packed, output, execute)
        return output

    def vary(self, packed: Mapping[str, Tensor], over: str) -> VariedCalls | None:
        """Calls with these operands, but other values of the dense operand ``over``; None where a call has to be
        prepared, or values are in another order than the dimensions."""
        execute, operand = self.narrow(), packed[over]
        natural = all(_is_in_order(format) for format in (operand.format, self.result.format))
        if not natural or any(tensor.wide for tensor in packed.values()):
            return None
        if not isinstance(execute, LoadedExecutor) or execute.vary is None:
            return None
        shape, dtype = self.binding.result_shape(packed), self.dtype
        count = buffers.elements(shape)
        empty = self._result_on(buffers.empty(count, dtype), shape)
        run = execute.vary(packed, empty, over)
        return VariedCalls(run, dict(packed), np.dtype(operand.dtype), operand.vals.size, dtype, count)

    def _result_on(self, values: NDArray[Any], shape: Shape) -> Tensor:
        result = self.result
        layout, dtype, levels = result.format, result.dtype, (_DENSE,) * len(shape)
        return Tensor(shape, layout, dtype, levels, values, result.fill, checked=True, ownership=Ownership.RESULT)


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedCall:
    """A call with all operands in place, which are not kept alive: the ``shape`` of its result, of ``count`` elements,
    whose memory ``run`` takes."""

    run: Callable[[NDArray[Any]], int]
    shape: Shape
    count: int


class LastCall:
    """The operands of the call before, as long as somebody has them: what they are, and whether they fit together, is
    known. From their second call on, so are their addresses."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: tuple[tuple[ReferenceType[Tensor], ...], RepeatedCall | None] | None = None

    def recall(self, packed: Mapping[str, Tensor]) -> RepeatedCall | None:
        """The call with the same tensors; None where it has to be made out."""
        known = self._known
        if known is None or known[1] is None:
            return None
        for reference, tensor in zip(known[0], packed.values(), strict=True):
            if reference() is not tensor:
                return None
        return known[1]

    def remember(self, packed: Mapping[str, Tensor], output: Tensor, execute: LoadedExecutor) -> None:
        """The next call with the same operands has less to do, if these have been here before."""
        known, tensors = self._known, packed.values()
        again = known is not None and all(map(is_alive_as, known[0], tensors))
        call = None
        if again and execute.repeat is not None and (run := execute.repeat(packed, output)) is not None:
            call = RepeatedCall(run, output.shape, output.vals.size)
        self._known = tuple([ref(tensor) for tensor in tensors]), call


def is_alive_as(reference: ReferenceType[Tensor], tensor: Tensor) -> bool:
    """Whether this is the tensor that is referred to."""
    return reference() is tensor


@dataclass(frozen=True, slots=True, eq=False)
class VariedCalls:
    """A kernel with all operands in place but one, of ``size`` elements of ``dtype``: :meth:`compute` takes those.
    ``operands`` are kept alive."""

    run: Callable[[NDArray[Any], NDArray[Any]], int]
    operands: Mapping[str, Tensor]
    dtype: np.dtype[Any]
    size: int
    result_dtype: np.dtype[Any]
    count: int

    def compute(self, values: Any) -> NDArray[Any] | None:
        """The values of the result in memory of their own, for ``values`` in C order; None where the kernel cannot read
        them as they are, and for whatever it refuses.

        Raises
        ------
        CompileError
            ``runtime/too-large``.
        """
        if type(values) is not np.ndarray or values.dtype is not self.dtype or values.size != self.size:
            return None
        flags = values.flags
        if not flags.c_contiguous or not flags.aligned:
            return None
        result = buffers.empty(self.count, self.result_dtype)
        return None if self.run(values, result) else result


def _is_in_order(format: Format) -> bool:
    return format.order == tuple(range(len(format.order)))


_DENSE = LevelArrays()
