"""PyTorch as an array library."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from heddle.measuring.baselines.dense.array_libraries import ArrayLibrary, LibraryCall
from heddle.measuring.baselines.dense.convolutions import Arranged, Convolution
from heddle.measuring.baselines.dense.programs import UntranslatedError

_NAMES = {"min": "minimum", "max": "maximum"}


class TorchArrays(ArrayLibrary):
    """``torch`` is the module."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch

    def array(self, array: NDArray[Any]) -> Any:
        if min(array.strides, default=0) < 0:
            raise UntranslatedError("subscripts that run backwards, which tensors have not")
        with warnings.catch_warnings():
            # Views are read-only, for which tensors have no word; nothing here writes to its operands.
            warnings.simplefilter("ignore", UserWarning)
            return self.torch.from_numpy(array)

    def contiguous(self, array: Any) -> Any:
        return array.contiguous()

    def convert(self, array: Any, dtype: str) -> Any:
        return self.torch.asarray(array, dtype=getattr(self.torch, dtype))

    def broadcast(self, array: Any, shape: tuple[int, ...]) -> Any:
        return self.torch.broadcast_to(self.torch.as_tensor(array), shape)

    def permute(self, array: Any, order: tuple[int, ...]) -> Any:
        return self.torch.permute(array, order)

    def take(self, array: Any, indices: Any, axis: int) -> Any:
        return array[(slice(None),) * axis + (indices,)]

    def maximum(self, array: Any, axes: tuple[int, ...]) -> Any:
        return self.torch.amax(array, axes)

    def minimum(self, array: Any, axes: tuple[int, ...]) -> Any:
        return self.torch.amin(array, axes)

    def function(self, name: str) -> Callable[..., Any]:
        """Numbers among the arguments become tensors of the type of the others, for which PyTorch asks."""
        function = getattr(self.torch, _NAMES.get(name, name))

        def call(*arguments: Any) -> Any:
            dtype = next((argument.dtype for argument in arguments if hasattr(argument, "dtype")), None)
            return function(*(self.torch.as_tensor(argument, dtype=dtype) for argument in arguments))

        return call

    def einsum(self, subscripts: str, shapes: Sequence[tuple[int, ...]]) -> LibraryCall:
        batched = _find_batched(subscripts)
        if batched is None:
            return LibraryCall(f'einsum("{subscripts}")', lambda *arrays: self.torch.einsum(subscripts, *arrays))
        if batched:
            return LibraryCall("bmm", lambda a, b: self.torch.bmm(a, self.torch.permute(b, (0, 2, 1))))
        return LibraryCall("bmm", self.torch.bmm)

    def bag(self) -> LibraryCall:
        embedding_bag = self.torch.nn.functional.embedding_bag
        return LibraryCall("embedding_bag", lambda table, indices: embedding_bag(indices, table, mode="sum"))

    def convolution(self, convolution: Convolution) -> LibraryCall | None:
        """``conv1d`` to ``conv3d``; what they compute beyond the wanted positions is left out."""
        of, rank = convolution, len(convolution.size)
        if rank not in (1, 2, 3):
            return None
        function = getattr(self.torch.nn.functional, f"conv{rank}d")
        wanted = (slice(None), slice(None), *(slice(size) for size in of.size))

        def call(image: Any, weights: Any) -> Any:
            image, weights = self._arrange(image, of.image), self._arrange(weights, of.weights)
            result = function(image, weights, stride=of.stride, dilation=of.dilation, groups=of.groups)[wanted]
            return self.torch.permute(result.reshape(of.shape), of.order)

        return LibraryCall(f"conv{rank}d", call)

    def _arrange(self, tensor: Any, arranged: Arranged) -> Any:
        return self.torch.permute(tensor, arranged.order).reshape(arranged.shape)


def _find_batched(subscripts: str) -> bool | None:
    """Whether the second factor of a batched product of matrices is used transposed; None where it is no such one."""
    factors, _, result = subscripts.partition("->")
    left, _, right = factors.partition(",")
    if not len(left) == len(right) == len(result) == 3 or not left[0] == right[0] == result[0]:
        return None
    if result[1] != left[1] or len({*left, *right}) != 4:
        return None
    batch, inner, column = left[0], left[2], result[2]
    return {batch + inner + column: False, batch + column + inner: True}.get(right)
