"""Reading a data file into what SciPy and kernels take, by the ending of its name: what notebooks start with."""

from __future__ import annotations

import gzip
import os
import shutil
import tempfile
import zlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np

from heddle.formats.format import Format
from heddle.runtime.data_files.data_file import ReadLimits, input_error
from heddle.runtime.data_files.npz import read_npz
from heddle.runtime.data_files.readers import READERS, read_data
from heddle.runtime.extras import Extra, require_scipy
from heddle.runtime.packing.pack import pack, require_dtype
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum
from heddle.runtime.tensors.interop.compressed_matrix import CompressedMatrix
from heddle.runtime.tensors.operands import as_operand
from heddle.runtime.tensors.tensor import Tensor
from heddle.runtime.tensors.value_types import as_asked
from heddle.wrong_arguments import require_path

if TYPE_CHECKING:
    import scipy.sparse

PACKED = ".gz"
NPZ = "npz"


@overload
def read(
    path: str | os.PathLike[str], format: None = None, dtype: str | None = None
) -> scipy.sparse.sparray | Tensor: ...
@overload
def read(path: str | os.PathLike[str], format: Format | str, dtype: str | None = None) -> Tensor: ...
def read(
    path: str | os.PathLike[str], format: Format | str | None = None, dtype: str | None = None
) -> scipy.sparse.sparray | Tensor:
    """The tensor in a data file, for SciPy and every kernel; or packed into a format, which saves packing on each call.

    Parameters
    ----------
    path
        a Matrix Market file (``.mtx``), a FROSTT tensor (``.tns``) or a matrix of the Deep Learning Matrix Collection
        (``.smtx``), each also packed with gzip (``.mtx.gz``); or an ``.npz`` file of :func:`write`, of SciPy, of
        pydata/sparse, or with a single array.
    format
        how to store it, as for :func:`pack`; None leaves it in coordinates.
    dtype
        the type of values; None keeps the file's: float64, int64 for ``integer`` and complex128 for ``complex`` Matrix
        Market files. Another one must have all values of the file: ``int8`` for integers up to 127.

    Returns
    -------
    scipy.sparse.sparray | Tensor
        A SciPy ``coo_array`` of as many dimensions as the file has, sorted; ``csr`` and ``csc`` of SciPy in an ``.npz``
        stay so; with a format a :class:`Tensor`. The shape is what the file states; a ``.tns`` that :func:`write` did
        not write states none, and gets the one that just holds its entries. What :func:`write` put into an ``.npz``
        comes back as the tensor that it was. Entries of equal coordinates are summed, the mirrored halves of symmetric
        matrices added.

    Raises
    ------
    CompileError
        ``input/no-file``, ``input/unknown-kind`` and, with the line, the other ``input/…`` for what a file holds;
        ``format/…`` and ``runtime/…`` for a format or a type that does not suit it; ``runtime/no-scipy`` where SciPy is
        not there and no format is named.

    Examples
    --------
    >>> import heddle as hd
    >>> hd.write("matrix.mtx", hd.pack([[0.0, 2.0], [1.0, 3.0]], "csr"))
    >>> hd.read("matrix.mtx", "csr").to_numpy()
    array([[0., 2.],
           [1., 3.]])
    """
    file = require_path(path, "the path").expanduser()
    dtype = None if dtype is None else require_dtype(dtype)
    npz = file.suffix == f".{NPZ}"
    if format is None and not npz:
        require_scipy("hd.read without a format", 'hd.read(path, "csr") gives a tensor of Heddle without it.')
    packed = file.name.endswith(PACKED)
    kind = Path(file.name.removesuffix(PACKED)).suffix.removeprefix(".")
    if kind not in READERS and not npz:
        endings = ", ".join(f".{name}" for name in READERS)
        raise input_error(
            "unknown-kind",
            f"{file.name} is not a kind of data file that Heddle reads; it reads {endings}, also packed as {PACKED}, "
            f"and .{NPZ}.",
            expected=f"a name that ends in {endings}, or in one of these and {PACKED}",
            actual=file.name,
            hint="Rename the file, or pass its entries to hd.pack as (coordinates, values, shape).",
        )
    if not file.is_file():
        what = "is a folder" if file.is_dir() else "does not exist"
        raise input_error(
            "no-file",
            f"{file} {what}.",
            expected="the path of a file",
            actual=str(file),
            hint=f"Paths are relative to {Path.cwd()}.",
        )
    if npz:
        return _from_npz(file, format, dtype)
    entries = _read_packed(file, kind) if packed else read_data(file)
    if format is not None:
        return pack(_as_asked(entries, dtype, file.name), format, dtype, file.name)
    return _as_scipy(entries, dtype, file.name)


def _as_scipy(entries: Entries, dtype: str | None, name: str) -> scipy.sparse.coo_array:
    entries = sort_and_sum(entries, tuple(range(len(entries.shape))))
    values = _as_asked(entries, dtype, name).values
    import scipy.sparse

    array_type: Any = scipy.sparse.coo_array  # whose types know matrices alone
    return cast("scipy.sparse.coo_array", array_type((values, entries.columns), shape=entries.shape))


def _as_lines(matrix: CompressedMatrix, dtype: str | None, name: str) -> scipy.sparse.sparray:
    """SciPy's matrix by rows or by columns, sorted and without duplicates, as the file has it."""
    import scipy.sparse

    kind: Any = scipy.sparse.csr_array if matrix.order == (0, 1) else scipy.sparse.csc_array
    values = matrix.values if dtype is None else as_asked(matrix.values, dtype, name)
    lines = kind((values, matrix.crd, matrix.pos), shape=matrix.shape)
    lines.sum_duplicates()
    return cast("scipy.sparse.sparray", lines)


def _as_asked(entries: Entries, dtype: str | None, name: str) -> Entries:
    return entries if dtype is None else replace(entries, values=as_asked(entries.values, dtype, name))


def _from_npz(file: Path, format: Format | str | None, dtype: str | None) -> scipy.sparse.sparray | Tensor:
    """What an ``.npz`` file holds, looked at before anything reads it."""
    known: Any = as_operand(read_npz(file), file.name)
    if isinstance(known, CompressedMatrix):
        if format is None and Extra.RUN.installed:
            return _as_lines(known, dtype, file.name)
        known = known.entries()
    if isinstance(known, Entries) and format is None and not known.fill:
        require_scipy("hd.read without a format", 'hd.read(path, "csr") gives a tensor of Heddle without it.')
        return _as_scipy(known, dtype, file.name)
    if isinstance(known, Tensor) and format is None and dtype in (None, known.dtype):
        return known
    layout = format or (known.format if isinstance(known, Tensor) else "coo" if isinstance(known, Entries) else "dense")
    if isinstance(known, Entries):
        known = _as_asked(known, dtype, file.name)
    elif dtype is not None and isinstance(known, np.ndarray):
        known = as_asked(known, dtype, file.name)
    return pack(known, layout, dtype, file.name)


def _read_packed(file: Path, kind: str) -> Entries:
    """The entries of a file packed with gzip: unpacked into a temporary one, for readers may go through it twice."""
    limit = ReadLimits().file_bytes
    with tempfile.TemporaryDirectory(prefix="heddle-read-") as folder:
        plain = Path(folder, f"data.{kind}")
        try:
            with gzip.open(file) as source, plain.open("wb") as target:
                shutil.copyfileobj(_Bounded(source, limit), target)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise input_error(
                "not-gzip",
                f"{file.name} is not a complete gzip file: {error}.",
                expected="a file packed with gzip",
                actual=f"a file from which {file.name.removesuffix(PACKED)} cannot be unpacked",
                hint=f"Fetch it again; if it is plain text, leave {PACKED} out of its name.",
            ) from None
        return read_data(plain)


class _Bounded:
    """A file that refuses to unpack to more than a limit."""

    def __init__(self, source: gzip.GzipFile, limit: int) -> None:
        self._source, self._left, self._limit = source, limit, limit

    def read(self, size: int = -1, /) -> bytes:
        piece = self._source.read(size)
        self._left -= len(piece)
        if self._left < 0:
            raise input_error(
                "too-large",
                f"The file unpacks to more than {self._limit:,} bytes, which is the limit.",
                expected=f"at most {self._limit:,} bytes",
                actual="more",
                hint="Use a smaller file.",
            )
        return piece
