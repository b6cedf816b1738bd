"""A tensor in a notebook: what it is, its arrays with their bytes, and where its entries lie.

There are no scripts, and no colours but those of the page, so that it reads in light and in dark.
"""

from __future__ import annotations

from typing import Any, Protocol, Self

import numpy as np

from heddle.fills.fill import Fill
from heddle.formats.format import Format
from heddle.formats.printer import format_text
from heddle.plan.html_table import table

_CELLS = 32
"""The picture has at most so many rows and columns."""
_SHADES = "·░▒▓█"
_MOST_ARRAYS = 24
_MOST_ENTRIES = 1 << 22
"""Of more entries no picture is made, which would take longer than reading it."""


class Shown(Protocol):
    """What is read of a tensor, see :class:`heddle.runtime.tensors.tensor.Tensor`."""

    shape: tuple[int, ...]
    format: Format
    dtype: str
    fill: Fill

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        ...

    @property
    def nnz(self) -> int:
        """The number of entries, explicit zeros included and padding not."""
        ...

    @property
    def size(self) -> int:
        """How many elements the shape has."""
        ...

    @property
    def stored(self) -> int:
        """How many values its arrays hold, padding included."""
        ...

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        ...

    def on_host(self) -> Self:
        """The same with its arrays in the memory of the host."""
        ...

    def arrays(self) -> dict[tuple[str, int], Any]:
        """The arrays by name and level."""
        ...

    def to_coo(self) -> tuple[tuple[Any, ...], Any]:
        """The coordinates by dimension, and the values."""
        ...


def tensor_html(tensor: Shown) -> str:
    """Shape, dtype, format, stored values, padding, the bytes of each array, and a picture of a matrix's entries."""
    host = tensor.on_host()
    entries = tensor.nnz
    facts = [
        ("shape", " × ".join(map(str, tensor.shape)) or "a number"),
        ("dtype", tensor.dtype),
        ("format", format_text(tensor.format)),
        ("fill", str(tensor.fill)),
        ("stored", f"{tensor.stored:,} values" + (f", {tensor.size:,} elements" if tensor.size else "")),
    ]
    if not tensor.format.is_dense:
        facts.append(("padding", f"{tensor.stored - entries:,} values"))
    arrays = list(host.arrays().items())
    rows = [
        (f"{role} of level {level}" if level else role, f"{array.dtype} × {array.size:,}", f"{array.nbytes:,} bytes")
        for (role, level), array in arrays[:_MOST_ARRAYS]
    ]
    rows.append(("all arrays", "", f"{tensor.nbytes:,} bytes"))
    parts = ["<div><strong>Tensor</strong>", table(facts), table(rows)]
    if tensor.ndim == 2 and not tensor.format.is_dense and 0 < entries <= _MOST_ENTRIES:
        parts.append(f"<pre style='line-height:1'>{_picture(host)}</pre>")
    return "".join([*parts, "</div>"])


def _picture(tensor: Shown) -> str:
    """The matrix as characters: the darker, the fuller its part of the rows and columns."""
    (rows, columns), _ = tensor.to_coo()
    height, width = (min(size, _CELLS) for size in tensor.shape)
    down = rows.astype(np.int64) * height // tensor.shape[0]
    along = columns.astype(np.int64) * width // tensor.shape[1]
    counts = np.zeros((height, width), np.int64)
    np.add.at(counts, (down, along), 1)
    shades = np.ceil(counts / counts.max() * (len(_SHADES) - 1)).astype(np.int64)
    return "\n".join("".join(_SHADES[shade] for shade in line) for line in shades)
