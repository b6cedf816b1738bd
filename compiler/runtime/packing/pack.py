"""Packing: NumPy, SciPy sparse, coordinates or another tensor -> the level arrays of a format.

Which way leads there is the table of ``packing/paths.py``. Everything is vectorised over the entries. Operands whose
memory already is in the format, and aligned where they are dense arrays, are taken over without a copy.
"""

from __future__ import annotations

from compiler.diagnostics import Diagnostic, Location, OperandError, Part
from compiler.formats.format import Format
from compiler.formats.parser import parse_format
from compiler.runtime.packing.paths import stored_as_requested
from compiler.runtime.packing.request import Fill, Request
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
        fill: the value of what is not stored, which dense operands leave out; None keeps a tensor's, else 0.
        align: whether a dense array that is not aligned to 64 bytes is copied to memory that is, which vector code is
            faster with (SpMM in cache: 1.6 times); without it the array itself is taken.

    Returns:
        A tensor of the operand's shape, with int32 positions and coordinates unless these do not fit.

    Raises:
        CompileError: ``runtime/unsupported-operand``, ``runtime/order-mismatch``, ``runtime/dtype-mismatch``,
            ``runtime/coordinate-out-of-range``, ``runtime/too-large``, ``runtime/resident``.
    """
    known = as_operand(operand, name)
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
    if fill is None:
        fill = known.fill if isinstance(known, Tensor) else 0
    if is_resident(known):
        return taken(known, layout, dtype, name, fill)
    return stored_as_requested(Request(known, layout, dtype or dtype_name(known.dtype), fill, name, align))


def _format_of(format: Format | str, order: int, name: str) -> Format:
    if isinstance(format, Format):
        return format
    return parse_format(format or ",".join(["dense"] * order), order, name)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
