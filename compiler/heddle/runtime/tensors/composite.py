"""A tensor that is stored as a sum of parts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from heddle.counts import repeat
from heddle.fills.fill import Fill
from heddle.formats.format import Format
from heddle.formats.printer import format_text
from heddle.runtime.memory import buffers
from heddle.runtime.storage import interop
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.storage.padded_rows import Rows, compressed_rows
from heddle.runtime.storage.validate import validate as validate_levels
from heddle.runtime.tensors.operands import as_operand
from heddle.runtime.tensors.part_check import validate_parts
from heddle.runtime.tensors.tensor import Array, Tensor

if TYPE_CHECKING:
    import scipy.sparse


class Composite(Tensor):
    """A :class:`Tensor` whose entries lie in ``parts``, a tensor of the whole shape for each part of its format, in
    their order: no coordinate is in two of them. It has no ``levels`` of its own, and ``values`` only where those of
    all parts lie in one array."""

    __slots__ = ("parts",)

    def __init__(
        self,
        shape: tuple[int, ...],
        format: Format,
        dtype: str,
        parts: tuple[Tensor, ...],
        fill: Fill = 0,
        values: Array | None = None,
        *,
        checked: bool = False,
        ownership: Ownership = Ownership.BORROWED,
    ) -> None:
        known = buffers.zeros(0, dtype) if values is None else values
        super().__init__(shape, format, dtype, (), known, fill, checked=checked, ownership=ownership)
        self.parts = parts

    def _parts_to_travel(self) -> tuple[Any, ...]:
        return self.shape, self.format, self.dtype, self.parts, self.fill, self.vals if self.vals.size else None

    def validate(self, name: str = "tensor") -> None:
        """Looks at the arrays of all parts, once, and at which entries lie in them.

        Raises
        ------
        CompileError
            ``runtime/malformed-tensor``.
        """
        if not self._checked:
            validate_parts(self, self.parts, name)
            self._checked = True

    @property
    def stored(self) -> int:
        """Places for values in all parts, padding included."""
        return sum(part.stored for part in self.parts)

    @property
    def entries(self) -> int:
        """Values that are no padding."""
        return sum(int(part.to_coo()[1].size) for part in self.parts)

    @property
    def padding(self) -> float:
        """Places for each entry: 1 where nothing is padded, and where nothing is stored."""
        entries = self.entries
        return self.stored / entries if entries else 1.0

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays of all parts."""
        return sum(part.nbytes for part in self.parts)

    @property
    def wide(self) -> bool:
        """Whether positions or coordinates of a part have 64 bits."""
        return any(part.wide for part in self.parts)

    def to_coo(self) -> tuple[tuple[Array, ...], Array]:
        """Coordinates, one int64 array by dimension, and as many values, sorted by coordinates."""
        rows = self._rows()
        if rows is not None:
            row = repeat(np.arange(self.shape[0]), np.diff(rows.pos))
            return (row, rows.crd.astype(np.int64)), rows.values
        part_entries = [part.to_coo() for part in self.parts]
        columns = tuple(
            np.concatenate([coordinates[dimension] for coordinates, _ in part_entries])
            for dimension in range(self.order)
        )
        values = np.concatenate([values for _, values in part_entries])
        if math.prod(self.shape) < 2**63:  # as numbers, of which the parts, mostly in order themselves, are merged
            order = np.argsort(self._keys(columns), kind="stable")
        else:
            order = np.lexsort(columns[::-1])
        return tuple(column[order] for column in columns), values[order]

    def _rows(self) -> Rows | None:
        """The compressed rows of all parts together, where they are stored by rows."""
        host = [part.on_host() for part in self.parts]
        return compressed_rows(host) if host and host[0].format.order[:2] == (0, 1) else None

    def _keys(self, columns: tuple[Array, ...]) -> Array:
        """A number for each entry, which orders them as their coordinates do."""
        keys = np.zeros(columns[0].size if columns else 0, np.int64)
        for column, size in zip(columns, self.shape, strict=True):
            keys = keys * size + column
        return keys

    def to_scipy(self, copy: bool = True) -> scipy.sparse.sparray:
        """A SciPy array in COO of the tensor's shape and dtype, always a ``copy``.

        Raises
        ------
        CompileError
            ``runtime/fill`` where what is not stored is not zero.
        """
        rows = self._rows()
        return interop.entries_to_scipy(self, *self.to_coo()) if rows is None else interop.rows_to_scipy(self, rows)

    def on_gpu(self) -> Tensor:
        """The same with all parts in the GPU's memory."""
        self.validate()
        parts = tuple(part.on_gpu() for part in self.parts)
        ownership = parts[0].ownership if parts else self.ownership
        return Composite(self.shape, self.format, self.dtype, parts, self.fill, checked=True, ownership=ownership)

    def __repr__(self) -> str:
        text = format_text(self.format)
        return f"Composite(shape={self.shape}, format={text}, dtype={self.dtype}, stored={self.stored})"


def validate(tensor: object, name: str = "tensor") -> None:
    """Checks every array of a tensor, or what a kernel would check of another operand.

    Of a sum of parts, the parts have its shape and dtype, and each entry lies in the part that its format says. Time
    and memory are linear in the tensor (parts and hashed levels sort).

    Parameters
    ----------
    tensor
        packed, or anything that a kernel takes: the arrays of a SciPy matrix, which SciPy does not look at.
    name
        what messages call it.

    Raises
    ------
    OperandError
        ``runtime/malformed-tensor``, which says the level, the array and what is wrong with it;
        ``runtime/malformed-matrix``, ``runtime/coordinate-out-of-range``, ``runtime/unsupported-operand``.
    """
    if isinstance(tensor, Composite):
        validate_parts(tensor, tensor.parts, name)
    elif isinstance(tensor, Tensor):
        validate_levels(tensor, name)
    else:
        as_operand(tensor, name)


def parts_of(tensor: Tensor) -> tuple[Tensor, ...]:
    """The summands of one that is stored as a sum."""
    assert isinstance(tensor, Composite)
    return tensor.parts
