"""Packing: NumPy, SciPy sparse, coordinates or another tensor -> the level arrays of a format.

Which way leads there is the table of ``packing/paths.py``. Everything is vectorised over the entries. Operands whose
memory already is in the format, and aligned where they are dense arrays, are taken over without a copy.
"""

from __future__ import annotations

import numpy as np

from compiler.diagnostics import Diagnostic, Location, OperandError, Part
from compiler.fills.dtypes import holds_fill
from compiler.fills.fill import Fill, plain, read_fill
from compiler.formats.format import Format
from compiler.formats.parser import parse_format
from compiler.runtime.packing.paths import stored_as_requested
from compiler.runtime.packing.request import Request
from compiler.runtime.storage.device_arrays import is_resident
from compiler.runtime.tensors.device_operands import taken
from compiler.runtime.tensors.operands import as_operand, dtype_name
from compiler.runtime.tensors.tensor import Tensor


def pack(
    operand: object,
    format: Format | str = "",
    dtype: str | None = None,
    name: str = "operand",
    fill: Fill | None = None,
    *,
    align: bool = True,
    validate: bool = True,
) -> Tensor:
    """Packs ``operand`` into ``format``.

    Args:
        operand: a NumPy array (or nested lists, or a number), a SciPy sparse matrix or array, a :class:`Tensor`, or the
            tuple ``(coordinates, values, shape)``: one integer array of coordinates per dimension, as many values, and
            the sizes by dimension. Duplicates are summed,
            explicit zeros of sparse operands are kept, zeros of dense ones are not stored in sparse formats. What lies
            on a GPU already (CuPy, cupyx.scipy.sparse) is taken where it is, and refused where its format differs.
        format: a :class:`Format` or its text (``"csr"``); the empty text means dense.
        dtype: the value type to store; None keeps the operand's. Only conversions that lose nothing are made.
        name: what messages call the operand.
        fill: the value of what is not stored, which dense operands leave out, any value of ``dtype`` (NaN equals NaN);
            None keeps a tensor's, else 0.
        align: whether a dense array that is not aligned to 64 bytes is copied to memory that is, which vector code is
            faster with (SpMM in cache: 1.6 times); without it the array itself is taken.
        validate: whether arrays of indices are checked before they are used: coordinates inside the shape, positions
            that ascend, and which rows are in order. With False the caller vouches for all that, and for rows in
            ascending order without duplicates; what is wrong then is read from memory that is not the operand's.

    Returns:
        A tensor of the operand's shape, with int32 positions and coordinates unless these do not fit.

    Raises:
        OperandError: ``runtime/unsupported-operand``, ``runtime/order-mismatch``, ``runtime/dtype-mismatch``,
            ``runtime/coordinate-out-of-range``, ``runtime/malformed-matrix``, ``runtime/malformed-tensor``,
            ``runtime/too-large``, ``runtime/fill``, ``runtime/resident``.
    """
    known = as_operand(operand, name, validate=validate)
    shape = known.shape
    layout = _format_of(format, len(shape), name)
    if layout.dimensions != len(shape):
        raise OperandError(
            Diagnostic(
                code="runtime/order-mismatch",
                message=f"{name} has {_count(len(shape), 'dimension')}, but its format stores "
                f"{_count(layout.dimensions, 'level')}.",
                location=Location(Part.INPUT, tensor=name),
                expected=_count(layout.dimensions, "dimension"),
                found=f"an operand of shape {shape}",
            )
        )
    stored = dtype or dtype_name(known.dtype)
    if fill is None:
        fill = known.fill if isinstance(known, Tensor) else 0
    else:
        fill = _fill_of(fill, stored, name)
    if is_resident(known):
        return taken(known, layout, dtype, name, fill)
    return stored_as_requested(Request(known, layout, stored, fill, name, align))


def _fill_of(fill: object, dtype: str, name: str) -> Fill:
    """The fill in its canonical form.

    Raises:
        CompileError: ``runtime/fill`` for what is no value of ``dtype``.
    """
    value = read_fill(plain(fill))
    if value is not None and holds_fill(dtype, value):
        return value
    raise OperandError(
        Diagnostic(
            code="runtime/fill",
            message=f"{name} is packed as {dtype}, which cannot hold the fill {_shown(fill)}.",
            location=Location(Part.INPUT, tensor=name),
            expected=f"a value of {dtype}",
            found=_shown(fill),
        )
    )


def _shown(fill: object) -> str:
    """A fill in a message: nothing long, whatever was passed."""
    text = str(fill) if isinstance(fill, int | float | complex | np.generic) else repr(fill)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _format_of(format: Format | str, order: int, name: str) -> Format:
    if isinstance(format, Format):
        return format
    return parse_format(format or ",".join(["dense"] * order), order, name)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
