"""Tensors in NumPy's ``.npz``: the arrays of the levels and the values, beside a description.

A matrix in CSR, CSC or COO with the fill 0 is written as SciPy writes it. Read are also the files of SciPy and of
pydata/sparse, and files with a single array.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import repeat
from heddle.fills.fill import read_fill, spelled_fill
from heddle.formats.parser import parse_format
from heddle.formats.printer import format_text
from heddle.runtime.data_files.data_file import input_error
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.interop.foreign_arrays import CompressedLines
from heddle.runtime.tensors.tensor import LevelArrays, Tensor

Array = NDArray[Any]
_DESCRIPTION = "heddle"


def write_npz(file: IO[bytes], tensor: Tensor) -> None:
    """Writes ``tensor`` with all its arrays; one that is a sum of parts by coordinates."""
    layout = format_text(tensor.format)
    if isinstance(tensor, Composite):
        coordinates, values = tensor.to_coo()
        arrays = {f"column_{dimension}": column for dimension, column in enumerate(coordinates)}
        _save(file, _description(tensor, "coordinates"), arrays | {"vals": values})
    elif layout in ("csr", "csc") and tensor.fill == 0:
        last = tensor.levels[1]
        lines: dict[str, Any] = {"indices": last.crd, "indptr": last.pos, "data": tensor.vals}
        _save(file, _description(tensor, layout), {"format": np.array(layout.encode("ascii")), **lines}, tensor.shape)
    else:
        named = {f"{role}_{level}": array for (role, level), array in tensor.arrays().items() if role != "vals"}
        _save(file, _description(tensor, layout), named | {"vals": tensor.vals})


def _description(tensor: Tensor, layout: str) -> dict[str, object]:
    return {"format": layout, "shape": list(tensor.shape), "dtype": tensor.dtype, "fill": spelled_fill(tensor.fill)}


def _save(
    file: IO[bytes],
    description: Mapping[str, object],
    arrays: Mapping[str, Array],
    shape: tuple[int, ...] | None = None,
) -> None:
    named: dict[str, Any] = {_DESCRIPTION: np.array(json.dumps(description)), **arrays}
    if shape is not None:  # SciPy looks for it
        named["shape"] = np.array(shape)
    np.savez_compressed(file, **named)


def read_npz(path: Path) -> Tensor | Entries | CompressedLines | Array:
    """What an ``.npz`` file holds: an operand, whose arrays nobody has checked.

    Raises
    ------
    OperandError
        ``input/bad-npz`` for what is no such file.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise _bad(path, f"it cannot be read: {error}") from None
    try:
        return _operand(arrays, path)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, ValueError) and hasattr(error, "diagnostics"):
            raise
        raise _bad(path, f"its arrays do not fit: {error}") from None


def _operand(arrays: dict[str, Array], path: Path) -> Tensor | Entries | CompressedLines | Array:
    if _DESCRIPTION in arrays:
        return _store(json.loads(arrays.pop(_DESCRIPTION).item()), arrays)
    if "format" in arrays and "shape" in arrays:
        layout = arrays["format"].item()
        layout = layout.decode("ascii") if isinstance(layout, bytes) else str(layout)
        shape = tuple(map(int, arrays["shape"]))
        if layout in ("csr", "csc"):
            return CompressedLines(layout, shape, arrays["indptr"], arrays["indices"], arrays["data"])
        if layout == "coo":
            columns = tuple(arrays["coords"]) if "coords" in arrays else (arrays["row"], arrays["col"])
            return Entries(shape, columns, arrays["data"])
        if layout == "bsr":
            return _blocks(shape, arrays["indptr"], arrays["indices"], arrays["data"])
        if layout == "dia":
            return _diagonals(shape, arrays["offsets"], arrays["data"])
        raise _bad(path, f"it holds a matrix of SciPy in the format {layout}")
    if {"coords", "data", "shape"} <= arrays.keys():
        fill = read_fill(arrays["fill_value"].item()) if "fill_value" in arrays else 0
        return Entries(tuple(map(int, arrays["shape"])), tuple(arrays["coords"]), arrays["data"], fill)
    if len(arrays) == 1:
        return next(iter(arrays.values()))
    raise _bad(path, f"it holds the arrays {', '.join(sorted(arrays)) or 'none'}")


def _blocks(shape: tuple[int, ...], positions: Array, block_columns: Array, values: Array) -> Entries:
    """The entries of compressed rows of dense blocks, of the shape (blocks, rows, columns), as SciPy stores them."""
    _, height, width = values.shape
    block_rows = repeat(np.arange(positions.size - 1), np.diff(positions))
    rows = (block_rows * height)[:, None, None] + np.arange(height)[None, :, None]
    columns = (block_columns.astype(np.int64) * width)[:, None, None] + np.arange(width)[None, None, :]
    spread = [np.broadcast_to(axis, values.shape).reshape(-1) for axis in (rows, columns)]
    return Entries(shape, (spread[0], spread[1]), values.reshape(-1))


def _diagonals(shape: tuple[int, ...], offsets: Array, values: Array) -> Entries:
    """The entries of diagonals, one in each row of ``values`` by columns of the matrix, as SciPy stores them: what lies
    outside of the matrix is padding, as zeros are."""
    columns = np.broadcast_to(np.arange(values.shape[1]), values.shape)
    rows = columns - offsets.astype(np.int64)[:, None]
    held = (rows >= 0) & (rows < shape[0]) & (columns < shape[1]) & (values != 0)
    return Entries(shape, (rows[held], columns[held]), values[held])


def _store(description: Mapping[str, Any], arrays: dict[str, Array]) -> Tensor | Entries:
    shape = tuple(map(int, description["shape"]))
    fill, values = read_fill(description["fill"]), arrays.pop("data") if "indptr" in arrays else arrays.pop("vals")
    if description["format"] == "coordinates":
        return Entries(shape, tuple(arrays[f"column_{dimension}"] for dimension in range(len(shape))), values, fill)
    layout = parse_format(str(description["format"]), len(shape), "the file")
    if "indptr" in arrays:
        lines = (LevelArrays(), LevelArrays(arrays["indptr"], arrays["indices"]))
        return Tensor(shape, layout, str(description["dtype"]), lines, values, 0, ownership=Ownership.RESULT)
    roles: list[dict[str, Array]] = [{} for _ in layout.levels]
    for name, array in arrays.items():
        role, _, level = name.rpartition("_")
        roles[int(level) - 1][role] = array
    levels = tuple(
        LevelArrays(role_arrays.pop("pos", None), role_arrays.pop("crd", None), role_arrays) for role_arrays in roles
    )
    dtype = str(description["dtype"])
    return Tensor(shape, layout, dtype, levels, values, 0 if fill is None else fill, ownership=Ownership.RESULT)


def _bad(path: Path, reason: str) -> Exception:
    return input_error(
        "bad-npz",
        f"{path.name} is not an .npz file with a tensor: {reason}.",
        expected="a file of hd.write, scipy.sparse.save_npz or sparse.save_npz, or with a single array",
        actual=reason,
        hint="Load it with the library that wrote it, and pass what that gives to hd.pack.",
    )
