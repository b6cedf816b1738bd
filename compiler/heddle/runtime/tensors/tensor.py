"""A tensor packed in a format: the arrays of its levels and its values, ready for kernels."""

from __future__ import annotations

import os
from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

import numpy as np

from heddle.diagnostics import Diagnostic, OperandError
from heddle.fills.fill import Fill
from heddle.formats.format import Format
from heddle.formats.printer import format_text
from heddle.runtime.memory import buffers
from heddle.runtime.native import library
from heddle.runtime.storage import interop
from heddle.runtime.storage.device_arrays import host_array, moved_levels
from heddle.runtime.storage.ownership import Ownership, protect
from heddle.runtime.storage.stored_tensor import Array, LevelArrays, StoredTensor
from heddle.runtime.storage.unpack import to_coordinates
from heddle.runtime.storage.validate import validate
from heddle.runtime.tensors.array_methods import ArrayMethods
from heddle.runtime.tensors.other_names import explain_missing
from heddle.runtime.tensors.tensor_html import tensor_html

if TYPE_CHECKING:
    import scipy.sparse

__all__ = ["Array", "LevelArrays", "Tensor"]

TensorType = TypeVar("TensorType", bound="Tensor")
Slots = tuple[tuple[str, int], ...]
AUTO_DENSIFY = "HEDDLE_AUTO_DENSIFY"
"""The variable of the environment that lets NumPy make dense arrays of sparse tensors."""
SCALAR = ("scalar", 0)
"""The slot of a parameter that takes the value of a scalar."""


class Tensor(ArrayMethods["Tensor"], StoredTensor):
    """A tensor packed in a format, made by :func:`heddle.pack` or a kernel: a :class:`StoredTensor` (``shape`` by
    dimension, ``format``, ``dtype``, ``levels``, ``vals``, ``fill``) with what a person and a kernel do with it, and an
    array with NumPy's operators (:class:`heddle.runtime.tensors.array_methods.ArrayMethods`).

    ``ownership`` says who may write the arrays; docs/understand/memory.md has the contract. ``checked``: the arrays are
    known to be those of the format; of any other tensor they are looked at once, before a kernel or a conversion reads
    them. ``wide``, where given, says whether index arrays have 64 bits, so that nobody looks. ``conversions``: the
    formats that a snapshot was converted to for kernels.
    """

    __slots__ = ("__weakref__", "_arguments", "_checked", "_finite", "_wide", "conversions", "ownership")

    def __init__(
        self,
        shape: tuple[int, ...],
        format: Format,
        dtype: str,
        levels: tuple[LevelArrays, ...],
        vals: Array,
        fill: Fill = 0,
        *,
        checked: bool = False,
        wide: bool | None = None,
        ownership: Ownership = Ownership.BORROWED,
    ) -> None:
        self.ownership = ownership
        self.shape, self.format, self.dtype, self.levels = shape, format, dtype, levels
        self.vals, self.fill = vals, fill
        self._checked = checked
        self._wide = wide
        self._finite: bool | None = None
        self._arguments: dict[Slots, tuple[Any, ...]] = {}
        self.conversions: dict[Format, Tensor] = {}

    @property
    def borrowed(self) -> bool:
        """Whether its values are the caller's memory, so that kernels see what is written there."""
        return self.ownership is Ownership.BORROWED

    @property
    def wide(self) -> bool:
        """Whether positions and coordinates have 64 bits."""
        wide = self._wide
        if wide is None:
            wide = self._wide = super().wide
        return wide

    @property
    def nnz(self) -> int:
        """The number of entries, explicit zeros included and padding not; of a dense tensor that of its elements."""
        kinds = [level.kind for level in self.format.levels]
        unpadded = {"dense", "compressed", "singleton"}.issuperset(kinds) and "dense" not in kinds[-1:]
        if self.format.composition is None and (self.format.is_dense or unpadded):
            return self.stored
        return int(self.to_coo()[1].size)

    def is_finite(self) -> bool:
        """Whether no value is infinite or NaN: looked at once, and so asked of snapshots alone."""
        if self._finite is None:
            self._finite = bool(np.isfinite(self.on_host().vals).all())
        return self._finite

    def arguments(self, slots: Slots) -> tuple[Any, ...]:
        """C arguments for the parameters that kernels have of this tensor, marshalled once for each kind of kernel;
        the value of a scalar each time, unless it is a snapshot.

        A slot is the (role, level) of an array, ``("dimension", d)`` for a size, or ``("scalar", 0)`` for the value.
        """
        arguments = self._arguments.get(slots)
        if arguments is None:
            arguments = tuple([self._argument(role, number) for role, number in slots])
            if self.ownership is Ownership.SNAPSHOT or SCALAR not in slots:
                self._arguments[slots] = arguments
        return arguments

    def _argument(self, role: str, number: int) -> Any:
        match role:
            case "vals":
                return library.pointer(self.vals)
            case "dimension":
                return library.dimension(self.shape[number])
            case "scalar":
                return library.scalar(self.item(), self.dtype)
            case "pos":
                return library.pointer(self.levels[number - 1].pos)  # type: ignore[arg-type]
            case "crd":
                return library.pointer(self.levels[number - 1].crd)  # type: ignore[arg-type]
            case _:
                return library.pointer(self.arrays()[role, number])

    def __reduce__(self) -> tuple[Any, ...]:
        """What pickle and copies take: the arrays, without what kernels of this process remember of them."""
        return restore, (type(self), self._parts_to_travel(), self.ownership, self._checked)

    def _parts_to_travel(self) -> tuple[Any, ...]:
        return self.shape, self.format, self.dtype, self.levels, self.vals, self.fill

    def __copy__(self) -> Self:
        """A tensor with values of its own, as NumPy's copies have."""
        return deepcopy(self)

    def validate(self, name: str = "tensor") -> None:
        """Looks at the arrays, once: do they fit the format and each other? They must not be changed afterwards.

        Raises
        ------
        CompileError
            ``runtime/malformed-tensor``.
        """
        if not self._checked:
            validate(self, name)
            self._checked = True

    def to_coo(self) -> tuple[tuple[Array, ...], Array]:
        """Coordinates, one int64 array by dimension, and as many values of the tensor's dtype, in storage order,
        without the zeros that pad dense levels. All are copies. A tensor on a GPU is copied to the host first."""
        coordinates, values = to_coordinates(self.on_host())
        return coordinates, values.copy() if values is self.vals else values

    def to_numpy(self) -> Array:
        """A dense array of the tensor's shape and dtype; a view of the values when the format is dense, read-only where
        they are (:attr:`ownership`).

        Raises
        ------
        CompileError
            ``runtime/too-large`` where it would not fit in memory.
        """
        if self.format.is_dense:
            order, values = self.format.order, self.on_host().vals
            if order == tuple(range(len(order))):
                return values.reshape(self.shape)
            return values.reshape([self.shape[dimension] for dimension in order]).transpose(np.argsort(order))
        count = buffers.elements(self.shape)
        array = buffers.zeros(count, self.dtype).reshape(self.shape)
        if self.fill != 0:
            array[...] = self.fill
        coordinates, values = self.to_coo()
        array[coordinates] = values
        return array

    def to_scipy(self, copy: bool = True) -> scipy.sparse.sparray:
        """A SciPy sparse array of the tensor's shape and dtype: CSR or CSC where the format is that, else COO.

        By default its arrays are copies, so that SciPy's methods that work in place (``eliminate_zeros``, ``resize``,
        ``data *= 2``) change nothing else. Without ``copy`` CSR and CSC are on the tensor's memory, and COO on its
        values: index arrays are read-only there, so that methods that move entries raise ValueError; values are as
        writable as those of the tensor.

        Raises
        ------
        CompileError
            ``runtime/fill`` where what is not stored is not zero.
        """
        return interop.to_scipy(self.on_host(), copy=copy)

    def to_cupy(self) -> Any:
        """A CuPy array of a dense tensor, or a matrix of ``cupyx.scipy.sparse``.

        The array is on the tensor's own memory where that is on the GPU and the tensor is no snapshot. The matrix is a
        copy, since CuPy has no read-only arrays.

        Raises
        ------
        CompileError
            ``runtime/resident`` for a format that CuPy does not have, ``runtime/no-cuda``.
        """
        return interop.to_cupy(self, copy=self.ownership is Ownership.SNAPSHOT)

    def on_host(self) -> Tensor:
        """This tensor, or the same in the host's memory where it is in a GPU's: a copy."""
        return self._move(host_array) if self.resident else self

    def on_gpu(self) -> Tensor:
        """This tensor, or the same in the GPU's memory, where any number of kernels for CUDA take it as it is: a copy.

        Raises
        ------
        CompileError
            ``runtime/malformed-tensor``, ``runtime/no-cuda``.
        """
        if self.resident:
            return self
        from heddle.runtime.devices.cuda import gpu

        cupy = gpu()
        self.validate()
        return self._move(cupy.asarray)

    def _move(self, move: Callable[[Any], Any]) -> Tensor:
        levels = moved_levels(self, move)
        ownership = Ownership.RESULT if self.ownership is Ownership.BORROWED else self.ownership
        values = move(self.vals)
        return Tensor(self.shape, self.format, self.dtype, levels, values, self.fill, checked=True, ownership=ownership)

    def item(self) -> int | float | complex | bool:
        """The value of a scalar (a tensor of order 0 or with one element), as a Python number. A tensor with more or
        fewer values raises NumPy's ValueError."""
        value: int | float | complex | bool = self.vals.item()
        return value

    def todense(self) -> Array:
        """A dense array of the tensor's shape and dtype, as :meth:`to_numpy`."""
        return self.to_numpy()

    def tocoo(self) -> scipy.sparse.coo_array:
        """A SciPy ``coo_array`` of the tensor's shape and dtype, with copies of its entries.

        Raises
        ------
        CompileError
            ``runtime/fill`` where what is not stored is not zero.
        """
        host = self.on_host()
        coordinates, values = self.to_coo()
        entries: Any = interop.entries_to_scipy(host, coordinates, values)
        return cast("scipy.sparse.coo_array", entries)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if not self.format.is_dense:
            if os.environ.get(AUTO_DENSIFY) != "1":
                raise _would_densify(self)
            if copy is False:
                raise ValueError("A dense array of a sparse tensor is a copy; leave out copy=False.")
        return np.array(self.to_numpy(), dtype=dtype, copy=copy)

    def __dlpack__(self, **options: Any) -> Any:
        """The elements of a dense tensor for other libraries; of a snapshot, which nobody may write, a copy."""
        array = np.asarray(self)
        return (array if array.flags.writeable else array.copy()).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        device: tuple[int, int] = self.vals.__dlpack_device__()
        return device

    def _repr_html_(self) -> str:
        return tensor_html(self)

    def __repr__(self) -> str:
        text = format_text(self.format)
        return f"Tensor(shape={self.shape}, format={text}, dtype={self.dtype}, stored={self.stored})"

    if not TYPE_CHECKING:  # a type checker shall know which names there are

        def __getattr__(self, name: str) -> Any:
            raise AttributeError(explain_missing("Tensor", name), name=name, obj=self)


def _would_densify(tensor: Tensor) -> OperandError:
    elements, stored = f"{tensor.size:,} elements", f"{tensor.stored:,} stored values"
    return OperandError(
        Diagnostic(
            "runtime/densify",
            f"A sparse tensor with {stored} would become a dense array of {elements} without anybody asking.",
            expected="a dense tensor, or a function that takes sparse ones",
            actual=f"a tensor stored as {format_text(tensor.format)}",
            hint="Ask for it with .todense(), use .to_scipy(), or an operator or method of the tensor; with a SciPy "
            f"matrix S on the left hd.asarray(S) @ T. {AUTO_DENSIFY}=1 in the environment allows it everywhere.",
        )
    )


def restore(kind: type[TensorType], parts: tuple[Any, ...], ownership: Ownership, checked: bool) -> TensorType:
    """A tensor from what it travelled as. Arrays that nobody may write are read-only again, which pickle forgets. A
    copy of a borrowed tensor has memory of its own, which belongs to whoever holds the copy, as a result's does."""
    holder = Ownership.RESULT if ownership is Ownership.BORROWED else ownership
    tensor = kind(*parts, checked=checked, ownership=holder)
    tensor.levels = moved_levels(tensor, protect)
    if ownership is Ownership.SNAPSHOT:
        tensor.vals = protect(tensor.vals)
    return tensor
