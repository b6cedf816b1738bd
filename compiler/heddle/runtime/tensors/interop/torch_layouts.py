"""PyTorch's sparse tensors, by the arrays of their layout; those on the CPU are read where they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from heddle.counts import repeat
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.interop.foreign_arrays import CompressedLines, explained

_PREFIX = "torch.sparse_"


def torch_arrays(operand: Any) -> CompressedLines | Entries | None:
    """Rows, columns or coordinates of a sparse tensor of PyTorch; None for what is none.

    Raises
    ------
    UnreadableArrayError
        it does not give its arrays, on another device or with a gradient.
    """
    layout = str(getattr(operand, "layout", ""))
    if not layout.startswith(_PREFIX):
        return None
    shape = tuple(int(size) for size in operand.shape)
    with explained(layout):
        match layout.removeprefix(_PREFIX):
            case "csr" | "csc" as kind if len(shape) == 2:
                rows = kind == "csr"
                pos = operand.crow_indices() if rows else operand.ccol_indices()
                crd = operand.col_indices() if rows else operand.row_indices()
                return CompressedLines(kind, shape, *(np.asarray(part) for part in (pos, crd, operand.values())))
            case "coo" if operand.dense_dim() == 0:
                entries = operand.coalesce()
                return Entries(shape, tuple(np.asarray(entries.indices())), np.asarray(entries.values()))
            case "bsr" | "bsc" as kind if len(shape) == 2:
                rows = kind == "bsr"
                pos = np.asarray(operand.crow_indices() if rows else operand.ccol_indices())
                crd = np.asarray(operand.col_indices() if rows else operand.row_indices())
                return _from_blocks(shape, pos, crd, np.asarray(operand.values()), rows)
            case _:
                raise ValueError(f"tensors of the layout {layout} and {len(shape)} dimensions are not read")


def _from_blocks(shape: tuple[int, ...], pos: Any, crd: Any, blocks: Any, rows: bool) -> Entries:
    """The entries of dense blocks, which stand in rows or in columns of blocks."""
    line = repeat(np.arange(pos.size - 1), np.diff(pos))
    first, second = (line, crd) if rows else (crd, line)
    _, height, width = blocks.shape
    down = first[:, None, None] * height + np.arange(height)[:, None]
    along = second[:, None, None] * width + np.arange(width)
    columns = tuple(np.broadcast_to(part, blocks.shape).reshape(-1) for part in (down, along))
    return Entries(shape, columns, blocks.reshape(-1))
