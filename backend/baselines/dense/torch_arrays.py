"""PyTorch as an array library, and the functions that it has for whole operations of networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from backend.baselines.dense.array_libraries import ArrayLibrary, LibraryCall
from backend.baselines.dense.convolutions import Convolution
from compiler.notation.nodes import Access, Assignment, Binary, Call, Reduce, statements

_NAMES = {"min": "minimum", "max": "maximum"}


class TorchArrays(ArrayLibrary):
    def __init__(self, torch: Any) -> None:
        self._torch = torch

    def array(self, array: NDArray[Any]) -> Any:
        return self._torch.from_numpy(array)

    def contiguous(self, array: Any) -> Any:
        return array.contiguous()

    def convert(self, array: Any, dtype: str) -> Any:
        return self._torch.asarray(array, dtype=getattr(self._torch, dtype))

    def broadcast(self, array: Any, shape: tuple[int, ...]) -> Any:
        return self._torch.broadcast_to(self._torch.as_tensor(array), shape)

    def permute(self, array: Any, order: tuple[int, ...]) -> Any:
        return self._torch.permute(array, order)

    def take(self, array: Any, indices: Any, axis: int) -> Any:
        return array[(slice(None),) * axis + (indices,)]

    def maximum(self, array: Any, axes: tuple[int, ...]) -> Any:
        return self._torch.amax(array, axes)

    def minimum(self, array: Any, axes: tuple[int, ...]) -> Any:
        return self._torch.amin(array, axes)

    def function(self, name: str) -> Callable[..., Any]:
        """Numbers among the arguments become tensors of the type of the others, for which PyTorch asks."""
        function = getattr(self._torch, _NAMES.get(name, name))

        def call(*arguments: Any) -> Any:
            dtype = next((argument.dtype for argument in arguments if hasattr(argument, "dtype")), None)
            return function(*(self._torch.as_tensor(argument, dtype=dtype) for argument in arguments))

        return call

    def einsum(self, subscripts: str, shapes: Sequence[tuple[int, ...]]) -> LibraryCall:
        batched = _find_batched(subscripts)
        if batched is None:
            return LibraryCall(f'einsum("{subscripts}")', lambda *arrays: self._torch.einsum(subscripts, *arrays))
        if batched:
            return LibraryCall("bmm", lambda a, b: self._torch.bmm(a, self._torch.permute(b, (0, 2, 1))))
        return LibraryCall("bmm", self._torch.bmm)

    def bag(self) -> LibraryCall:
        embedding_bag = self._torch.nn.functional.embedding_bag
        return LibraryCall("embedding_bag", lambda table, indices: embedding_bag(indices, table, mode="sum"))

    def convolution(self, convolution: Convolution) -> LibraryCall | None:
        """``conv1d`` to ``conv3d``; what they compute beyond the wanted positions is left out."""
        rank = len(convolution.size)
        if rank not in (1, 2, 3):
            return None
        function = getattr(self._torch.nn.functional, f"conv{rank}d")
        stride, dilation = convolution.stride, convolution.dilation
        wanted = (slice(None), slice(None), *(slice(size) for size in convolution.size))
        return LibraryCall(
            f"conv{rank}d",
            lambda image, weights: function(image, weights, stride=stride, dilation=dilation)[wanted],
        )


def find_softmax(assignment: Assignment) -> tuple[str, int] | None:
    """The operand and the dimension of it of which the last result is the softmax, in its usual four statements."""
    steps = statements(assignment)
    if len(steps) != 4 or any(step.operator != "=" for step in steps):
        return None
    match [step.expression for step in steps]:
        case [
            Reduce(operator="max", variable=reduced, operand=Access() as whole),
            Call(function="exp", arguments=(Binary(operator="-", left=Access() as shifted, right=Access() as shift),)),
            Reduce(operator="+", variable=summed, operand=Access() as powers),
            Binary(operator="/", left=Access() as scaled, right=Access() as scale),
        ] if reduced in whole.indices and powers.indices.count(summed) == 1:
            pass
        case _:
            return None
    axis = whole.indices.index(reduced)
    maximum, exponential, total, result = (step.target for step in steps)
    same = (
        (maximum.tensor, maximum.indices) == (shift.tensor, _without(whole, axis))
        and shift.indices == _without(shifted, axis)
        and (exponential.tensor, exponential.indices) == (scaled.tensor, shifted.indices)
        and scaled.indices == result.indices
        and (total.tensor, total.indices) == (scale.tensor, _without(powers, axis))
        and scale.indices == _without(scaled, axis)
        and (whole.tensor, exponential.tensor) == (shifted.tensor, powers.tensor)
    )
    return (whole.tensor, axis) if same and powers.indices[axis] == summed else None


def _without(access: Access, axis: int) -> tuple[str, ...]:
    return access.indices[:axis] + access.indices[axis + 1 :]


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
