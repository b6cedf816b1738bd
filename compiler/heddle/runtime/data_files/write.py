"""Writing a tensor into a data file, by the ending of its name: what :func:`heddle.read` reads again."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import OperandError
from heddle.runtime.data_files.data_file import input_error, obstacle_at
from heddle.runtime.data_files.npz import write_npz
from heddle.runtime.data_files.tns import SHAPE
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.interop.compressed_matrix import CompressedMatrix
from heddle.runtime.tensors.operands import as_operand
from heddle.runtime.tensors.tensor import Tensor
from heddle.wrong_arguments import require_path

Array = NDArray[Any]
PACKED = ".gz"
_LINES = 1 << 16
"""Entries that are text at a time."""
_FIELDS = {"b": "integer", "i": "integer", "u": "integer", "f": "real", "c": "complex"}


def write(path: str | os.PathLike[str], tensor: object) -> None:
    """Writes a tensor into a data file: ``hd.write("C.mtx", C)``. The file appears as a whole or not at all.

    Parameters
    ----------
    path
        ``.mtx`` (Matrix Market), ``.tns`` (FROSTT), both also packed with gzip (``.mtx.gz``), or ``.npz`` (NumPy). An
        ``.npz`` keeps everything; one with a matrix in CSR, CSC or COO is also SciPy's (``scipy.sparse.load_npz``).
        Text keeps the values, exactly, but no type narrower than theirs and no fill.
    tensor
        whatever :func:`pack` takes, of any shape and dtype that the kind of file has: matrices in ``.mtx``, no complex
        values in ``.tns``.

    Raises
    ------
    OperandError
        ``input/unknown-kind``, ``input/no-folder``, ``input/not-written``; what :func:`pack` raises.
    """
    file = require_path(path, "the path").expanduser()
    packed = file.name.endswith(PACKED)
    kind = Path(file.name.removesuffix(PACKED)).suffix.removeprefix(".")
    if kind not in WRITERS or (packed and kind == "npz"):
        endings = ", ".join(f".{name}" for name in WRITERS)
        raise input_error(
            "unknown-kind",
            f"{file.name} is not a kind of data file that Heddle writes; it writes {endings}, text also packed as "
            f"{PACKED}.",
            expected=f"a name that ends in {endings}",
            actual=file.name,
            hint="Choose one of these endings; .npz keeps format, type and fill.",
        )
    obstacle = obstacle_at(file)
    if obstacle is not None:
        raise input_error(
            "no-folder",
            f"{file.name} cannot be written: {obstacle}.",
            expected="the path of a file in a folder that exists",
            actual=str(file),
            hint=f"Paths are relative to {Path.cwd()}.",
        )
    stored = (tensor if isinstance(tensor, Tensor) else _pack(tensor)).on_host()
    stored.validate()
    try:
        _write_whole(file, lambda target: _fill(target, stored, kind, file.name, packed))
    except OSError as error:
        raise input_error(
            "not-written",
            f"{file.name} cannot be written: {error.strerror or error}.",
            expected="a folder in which files can be written, and room for the file",
            actual=str(file),
            hint="Choose another folder.",
        ) from error


def _fill(target: IO[bytes], stored: Tensor, kind: str, name: str, packed: bool) -> None:
    if not packed:
        WRITERS[kind](target, stored, name)
        return
    with gzip.GzipFile(fileobj=target, mode="wb", mtime=0, filename="") as inner:
        WRITERS[kind](cast("IO[bytes]", inner), stored, name)


def _write_whole(file: Path, fill: Callable[[IO[bytes]], None]) -> None:
    """The file appears where it is filled, and what fails leaves nothing."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as target:
            fill(target)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _pack(tensor: object) -> Tensor:
    """What is no tensor yet: dense where it is dense, else by rows or by compressed coordinates."""
    known = as_operand(tensor, "the tensor")
    if isinstance(known, CompressedMatrix):
        return pack(known, "csr" if known.order == (0, 1) else "csc", name="the tensor")
    sparse = isinstance(known, Entries) and len(known.shape) > 0
    return pack(known, "coo" if sparse else "dense", name="the tensor")


def _write_mtx(file: IO[bytes], tensor: Tensor, name: str) -> None:
    if tensor.ndim != 2:
        raise _not_written(name, "a matrix", f"a tensor of {tensor.ndim} dimensions", ".tns and .npz hold any number.")
    _require_zero_fill(tensor, name)
    field = _FIELDS[np.dtype(tensor.dtype).kind]
    if tensor.format.is_dense:
        rows, columns = tensor.shape
        _text(file, f"%%MatrixMarket matrix array {field} general\n{rows} {columns}\n")
        values = tensor.to_numpy().reshape(-1, order="F")
        _lines(file, (), values)
        return
    coordinates, values = tensor.to_coo()
    sizes = " ".join(map(str, (*tensor.shape, values.size)))
    _text(file, f"%%MatrixMarket matrix coordinate {field} general\n{sizes}\n")
    _lines(file, coordinates, values)


def _write_tns(file: IO[bytes], tensor: Tensor, name: str) -> None:
    if not 1 <= tensor.ndim <= 9:
        raise _not_written(name, "1 to 9 dimensions", f"a tensor of {tensor.ndim} dimensions", ".npz holds any number.")
    if np.dtype(tensor.dtype).kind == "c":
        raise _not_written(name, "real values", f"{tensor.dtype} values", ".mtx and .npz hold complex values.")
    if 0 in tensor.shape:
        shape = " × ".join(map(str, tensor.shape))
        raise _not_written(name, "tensors with coordinates", f"one of the shape {shape}", ".mtx and .npz hold it.")
    _require_zero_fill(tensor, name)
    coordinates, values = tensor.to_coo()
    if tensor.format.is_dense:
        stored = values != 0
        coordinates, values = tuple(column[stored] for column in coordinates), values[stored]
    _text(file, f"{SHAPE} {' '.join(map(str, tensor.shape))}\n")
    _lines(file, coordinates, values)


def _lines(file: IO[bytes], coordinates: tuple[Array, ...], values: Array) -> None:
    """A line for each entry, with coordinates from 1; values so that they are read back exactly."""
    for start in range(0, values.size, _LINES):
        here = slice(start, start + _LINES)
        columns: list[Iterable[str]] = [map(str, (column[here] + 1).tolist()) for column in coordinates]
        _text(file, "\n".join(map(" ".join, zip(*columns, _texts(values[here]), strict=True))) + "\n")


def _texts(values: Array) -> Iterable[str]:
    match values.dtype.kind:
        case "b":
            return map(str, values.astype(np.int8).tolist())
        case "c":
            return map("{0.real!r} {0.imag!r}".format, values.tolist())
        case _:
            return map(repr, values.tolist())


def _text(file: IO[bytes], text: str) -> None:
    file.write(text.encode("ascii"))


def _require_zero_fill(tensor: Tensor, name: str) -> None:
    if tensor.fill != 0:
        raise _not_written(name, "the fill 0", f"a tensor with the fill {tensor.fill}", ".npz keeps the fill.")


def _not_written(name: str, expected: str, actual: str, hint: str) -> OperandError:
    return input_error(
        "not-written",
        f"{name} can hold {expected}, found {actual}.",
        expected=expected,
        actual=actual,
        hint=hint,
    )


WRITERS: Mapping[str, Callable[[IO[bytes], Tensor, str], None]] = {
    "mtx": _write_mtx,
    "tns": _write_tns,
    "npz": lambda file, tensor, name: write_npz(file, tensor),
}
