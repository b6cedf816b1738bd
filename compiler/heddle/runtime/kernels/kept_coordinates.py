"""A result whose coordinates are kept while values change: the symbolic phase of a sparse kernel, done once.

Products and sums of sparse tensors count the coordinates of their result before they fill it. Where the operands keep
their coordinates, so does the result, and only its values need to be computed again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Generic

from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.runtime.kernels.bound_call import Binder, BoundCall, ResultType, describe_tensor
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.result_tensors import pattern_of
from heddle.runtime.tensors.tensor import Array, Tensor

Arrays = dict[tuple[str, int], Array]


class Stationary(Generic[ResultType]):
    """What :meth:`Kernel.assemble` returns: ``result`` is the assembled tensor with its first values.

    The index arrays of ``result`` are shared with every tensor that :meth:`compute` returns; they are read-only.
    """

    __slots__ = ("_binder", "_operands", "_prepare", "_shapes", "result")

    def __init__(
        self,
        result: Tensor,
        operands: Mapping[str, Tensor],
        binder: Binder[ResultType],
        prepare: Callable[[Tensor, dict[str, Tensor]], BoundCall[ResultType]],
    ) -> None:
        """Remembers the coordinates of the operands, as copies where the caller may write them. ``binder`` packs what
        the kernel takes; ``prepare`` makes a call that computes values at the coordinates of ``result``."""
        self.result = result
        self._shapes = {name: operand.shape for name, operand in operands.items()}
        self._operands: dict[str, list[Arrays]] = {name: [pattern_of(operand)] for name, operand in operands.items()}
        self._prepare = prepare
        self._binder = replace(binder, prepare=self._check)

    def __repr__(self) -> str:
        """The result, and the operands whose coordinates are those of the first ones."""
        return f"<{type(self).__name__} {describe_tensor(self.result)} from {', '.join(self._shapes)}>"

    def __reduce__(self) -> tuple[object, ...]:
        known = {name: arrays[0] for name, arrays in self._operands.items()}
        return _restore, (self.result, self._shapes, known, self._prepare)

    def compute(self, /, **operands: object) -> Tensor:
        """The result for operands with other values at the same coordinates: a new tensor with the shape, format and
        dtype of ``result``. Their coordinates are compared, which costs nothing for packed tensors that are the same.

        Raises
        ------
        CompileError
            ``runtime/pattern-changed`` when an operand stores other coordinates than at first, and what calling the
            kernel raises.
        """
        call = self._check(self._binder.pack(operands))
        call.run()
        return call.output

    def bind(self, /, **operands: object) -> BoundCall[ResultType]:
        """The same as :meth:`compute`, ready to be repeated: each run computes the values again, in the same memory.

        Raises
        ------
        CompileError
            as :meth:`compute` and :meth:`Kernel.bind`.
        """
        return self._binder.bind(operands)

    def _check(self, packed: dict[str, Tensor]) -> BoundCall[ResultType]:
        call = self._prepare(self.result, packed)
        for name, tensor in call.operands.items():
            if tensor.shape != self._shapes[name]:
                raise _change_error(name, f"the shape {self._shapes[name]}", f"the shape {tensor.shape}")
            self._require_same(name, tensor)
        return call

    def _require_same(self, name: str, tensor: Tensor) -> None:
        known, arrays = self._operands[name], _index_arrays(tensor)
        if any(_identical(arrays, known_arrays) for known_arrays in known):
            return
        for (role, level), array in known[0].items():
            new_array = arrays.get((role, level))
            if new_array is None or new_array.size != array.size or not bool((new_array == array).all()):
                raise _change_error(name, "the same coordinates", f"another {role} of level {level}")
        if tensor.ownership is not Ownership.BORROWED:
            known[1:] = [arrays]  # only the first ones and the last are remembered


def _restore(
    result: Tensor, shapes: dict[str, tuple[int, ...]], known: dict[str, Arrays], prepare: Any
) -> Stationary[Any]:
    """From what it travelled as: ``prepare`` is the method of the kernel that assembled ``result``."""
    stationary = Stationary(result, {}, prepare.__self__.binder, prepare)
    stationary._shapes = shapes
    stationary._operands = {name: [arrays] for name, arrays in known.items()}
    return stationary


def _change_error(name: str, expected: str, actual: str) -> OperandError:
    return OperandError(
        Diagnostic(
            code="runtime/pattern-changed",
            message=f"{name} does not store what it did when the result was assembled: expected {expected}, "
            f"found {actual}.",
            location=Location(Part.INPUT, tensor=name),
            expected=expected,
            actual=actual,
            hint="Values may change between calls of compute; for other coordinates, call assemble again.",
        )
    )


def _index_arrays(tensor: Tensor) -> Arrays:
    return {slot: array for slot, array in tensor.arrays().items() if slot[0] != "vals"}


def _identical(arrays: Arrays, others: Arrays) -> bool:
    """Whether they are the very same, which nobody has written since."""
    return arrays.keys() == others.keys() and all(array is others[slot] for slot, array in arrays.items())
