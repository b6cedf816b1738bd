"""A tensor packed in a format: the arrays of its levels and its values, ready for kernels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from compiler.formats.format import Format
from compiler.runtime.memory import buffers
from compiler.runtime.native import library

if TYPE_CHECKING:
    import scipy.sparse

Array = NDArray[Any]
Slots = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class LevelArrays:
    """One level's arrays: ``pos`` (parents + 1 entries) and ``crd``; None where the level kind has none.

    ``extra`` has the arrays of other roles: ``width`` (one element), ``offsets``, ``mask`` (uint8)."""

    pos: Array | None = None
    crd: Array | None = None
    extra: Mapping[str, Array] = field(default_factory=dict)


class Tensor:
    """``levels[k]`` are the arrays of storage level k (0-based); ``vals`` has one value per position of the last level.

    ``shape`` is by dimension, not by level. Level k stores dimension ``format.order[k]``. Treat all arrays as
    read-only: packing NumPy and SciPy operands does not copy them where their memory already is in the format.
    ``fill`` is the value of what is not stored. ``checked``: the arrays are known to be those of the format; of any
    other tensor they are looked at once, before a kernel or a conversion reads them.
    """

    __slots__ = (
        "__weakref__",
        "_checked",
        "_converted",
        "_marshalled",
        "_wide",
        "dtype",
        "fill",
        "format",
        "levels",
        "shape",
        "vals",
    )

    def __init__(
        self,
        shape: tuple[int, ...],
        format: Format,
        dtype: str,
        levels: tuple[LevelArrays, ...],
        vals: Array,
        fill: int | float | bool = 0,
        *,
        checked: bool = False,
    ) -> None:
        self._checked = checked
        self.shape = shape
        self.format = format
        self.dtype = dtype
        self.levels = levels
        self.vals = vals
        self.fill = fill
        self._wide: bool | None = None
        self._marshalled: dict[Slots, tuple[Any, ...]] = {}
        self._converted: dict[Format, Tensor] = {}

    @property
    def order(self) -> int:
        return len(self.shape)

    @property
    def wide(self) -> bool:
        """Whether positions and coordinates have 64 bits."""
        if self._wide is None:
            self._wide = not self.format.is_dense and any(
                array is not None and array.dtype.itemsize == 8
                for level in self.levels
                for array in (level.pos, level.crd, *level.extra.values())
            )
        return self._wide

    @property
    def resident(self) -> bool:
        """Whether its values lie in the memory of a GPU, as a CuPy array."""
        return not isinstance(self.vals, np.ndarray)

    @property
    def stored(self) -> int:
        """Number of stored values, explicit zeros and the padding of dense levels included."""
        return int(self.vals.size)

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self.arrays().values())

    def arrays(self) -> dict[tuple[str, int], Array]:
        """Arrays by (role, 1-based level): ``("pos", 2)``, ``("crd", 2)``; ``("vals", 0)`` are the values."""
        found: dict[tuple[str, int], Array] = {}
        for number, level in enumerate(self.levels, start=1):
            if level.pos is not None:
                found["pos", number] = level.pos
            if level.crd is not None:
                found["crd", number] = level.crd
            found.update({(role, number): array for role, array in level.extra.items()})
        found["vals", 0] = self.vals
        return found

    def arguments(self, slots: Slots) -> tuple[Any, ...]:
        """C arguments for the parameters that kernels have of this tensor, marshalled once for each kind of kernel.

        A slot is the (role, level) of an array, ``("dimension", d)`` for a size, or ``("scalar", 0)`` for the value.
        """
        made = self._marshalled.get(slots)
        if made is None:
            arrays = self.arrays()
            made = self._marshalled[slots] = tuple(self._argument(slot, arrays) for slot in slots)
        return made

    def _argument(self, slot: tuple[str, int], arrays: dict[tuple[str, int], Array]) -> Any:
        match slot:
            case ("dimension", place):
                return library.dimension(self.shape[place])
            case ("scalar", _):
                return library.scalar(self.item(), self.dtype)
            case _:
                return library.pointer(arrays[slot])

    def validate(self, name: str = "tensor") -> None:
        """Looks at the arrays, once: do they fit the format and each other? They must not be changed afterwards.

        Raises:
            CompileError: ``runtime/malformed-tensor``.
        """
        if not self._checked:
            from compiler.runtime.packing.validate import validate

            validate(self, name)
            self._checked = True

    def stored_as(self, format: Format, name: str = "tensor") -> Tensor:
        """This tensor in ``format``, converted once and then kept beside it.

        Raises:
            CompileError: as :func:`compiler.runtime.packing.convert.convert`.
        """
        if format == self.format:
            return self
        made = self._converted.get(format)
        if made is None:
            from compiler.runtime.packing.convert import convert

            made = self._converted[format] = convert(self.on_host(), format, name)
        return made

    def is_kept(self, format: Format) -> bool:
        """Whether :meth:`stored_as` has nothing to convert."""
        return format == self.format or format in self._converted

    def to_coo(self) -> tuple[tuple[Array, ...], Array]:
        """Coordinates by dimension (int64) and values, in storage order, without the zeros that pad dense levels."""
        from compiler.runtime.packing.unpack import to_coordinates

        return to_coordinates(self.on_host())

    def to_numpy(self) -> Array:
        """A dense array of ``shape``; a view of the values when the format is dense.

        Raises:
            CompileError: ``runtime/too-large``.
        """
        if self.format.is_dense:
            sizes = [self.shape[dimension] for dimension in self.format.order]
            return self.on_host().vals.reshape(sizes).transpose(np.argsort(self.format.order))
        count = buffers.elements(self.shape)
        array = buffers.zeros(count, self.dtype).reshape(self.shape)
        if self.fill != 0:
            array[...] = self.fill
        coordinates, values = self.to_coo()
        array[coordinates] = values
        return array

    def to_scipy(self) -> scipy.sparse.sparray:
        """A SciPy sparse array: CSR or CSC on the same memory where the format is that, else COO."""
        from compiler.runtime.packing.unpack import to_scipy

        return to_scipy(self.on_host())

    def to_cupy(self) -> Any:
        """A CuPy array, or a matrix of ``cupyx.scipy.sparse``: on the same memory where this tensor lies on the GPU,
        as results of operands that do.

        Raises:
            CompileError: ``runtime/resident``, ``runtime/no-cuda``.
        """
        from compiler.runtime.tensors.device_operands import to_cupy

        return to_cupy(self)

    def on_host(self) -> Tensor:
        """This tensor, or a copy in the host's memory where it lies on a GPU."""
        if not self.resident:
            return self
        from compiler.runtime.tensors.device_operands import on_host

        return on_host(self)

    def on_gpu(self) -> Tensor:
        """This tensor, or a copy on the GPU, where any number of kernels for CUDA take it as it is.

        Raises:
            CompileError: ``runtime/malformed-tensor``, ``runtime/no-cuda``.
        """
        if self.resident:
            return self
        from compiler.runtime.tensors.device_operands import on_gpu

        return on_gpu(self)

    def item(self) -> int | float | complex | bool:
        """The value of a scalar (a tensor of order 0 or with one element)."""
        value: int | float | complex | bool = self.vals.item()
        return value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self.to_numpy(), dtype=dtype)

    def __repr__(self) -> str:
        kinds = ",".join(level.kind for level in self.format.levels)
        order = ",".join(map(str, self.format.order))
        return f"Tensor(shape={self.shape}, format={kinds}:{order}, dtype={self.dtype}, stored={self.stored})"
