"""Packing: NumPy, SciPy sparse, coordinates or another tensor -> the level arrays of a format.

Which way leads there is the table of ``packing/paths.py``. Everything is vectorised over the entries. A packed tensor
owns its memory (``packing/snapshot.py``), unless it was asked to borrow that of its operand.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from heddle.diagnostics import CompileError, Diagnostic, Location, OperandError, Part
from heddle.fills.dtypes import holds_fill
from heddle.fills.fill import Fill, plain, read_fill
from heddle.formats.format import Format, Level
from heddle.formats.level_problems import level_problems
from heddle.formats.parser import parse_format
from heddle.plan import DTYPES
from heddle.runtime.packing.paths import stored_as_requested
from heddle.runtime.packing.request import Request
from heddle.runtime.packing.snapshot import borrowing, snapshot, with_protected_coordinates
from heddle.runtime.storage.device_arrays import is_resident
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.declared_types import suggest_declaration
from heddle.runtime.tensors.interop.device_operands import view_resident
from heddle.runtime.tensors.operands import Operand, as_operand
from heddle.runtime.tensors.tensor import Tensor
from heddle.runtime.tensors.value_types import dtype_name
from heddle.signature import Signature
from heddle.wrong_arguments import require_kind, require_text, type_of, wrong_argument


def pack(
    operand: object,
    format: Format | str = "",
    dtype: str | None = None,
    name: str = "operand",
    fill: Fill | None = None,
    *,
    copy: bool = True,
    validate: bool = True,
) -> Tensor:
    """Packs ``operand`` into ``format``.

    Parameters
    ----------
    operand
        a NumPy array (or nested lists, or a number), a SciPy sparse matrix or array, a :class:`Tensor`, or the tuple
        ``(coordinates, values, shape)``: one integer array of coordinates per dimension, as many values, and the sizes
        by dimension. Duplicates are summed, explicit zeros of sparse operands are kept, zeros of dense ones are not
        stored in sparse formats. What lies on a GPU already (CuPy, cupyx.scipy.sparse) is taken where it is, and
        refused where its format differs.
    format
        a :class:`Format` or its text (``"csr"``); the empty text means dense.
    dtype
        the value type to store; None keeps the operand's. Only conversions that lose nothing are made.
    name
        what messages call the operand.
    fill
        the value of what is not stored, which dense operands leave out, any value of ``dtype`` (NaN equals NaN); None
        keeps a tensor's, else 0.
    validate
        whether arrays of indices are checked before they are used: coordinates inside the shape, positions that ascend,
        and which rows are in order. With False the caller vouches for all that, and for rows in ascending order without
        duplicates; what is wrong then is read from memory that is not the operand's.
    copy
        the default makes a snapshot: the tensor does not change when the operand does, its arrays are read-only, and
        dense ones are aligned to 64 bytes, which vector code is faster with. Without it the tensor is on the operand's
        own memory where that already is in the format, so that kernels see new values there; the coordinates must not
        change. ``borrowed`` of the tensor says whether it is.

    Returns
    -------
    Tensor
        A tensor of the operand's shape, with int32 positions and coordinates unless these do not fit. A snapshot that
        already is in the format is returned itself.

    Raises
    ------
    OperandError
        ``runtime/unsupported-operand``, ``runtime/order-mismatch``, ``runtime/dtype-mismatch``,
        ``runtime/coordinate-out-of-range``, ``runtime/malformed-matrix``, ``runtime/malformed-tensor``,
        ``runtime/too-large``, ``runtime/fill``, ``runtime/resident``.

    References
    ----------
    Formats as lists of levels are those of Chou et al. 2018, in docs/references.bib.

    Examples
    --------
    >>> import heddle as hd
    >>> A = hd.pack([[0.0, 2.0], [1.0, 3.0]], "csr")
    >>> A.levels[1].pos, A.levels[1].crd, A.vals
    (array([0, 1, 3], dtype=int32), array([1, 0, 1], dtype=int32), array([2., 1., 3.]))
    """
    name, dtype = require_text(name, "the name"), None if dtype is None else require_dtype(dtype)
    known = as_operand(operand, name, dtype, validate=validate)
    layout = _format_of(format, len(known.shape), name)
    problems = level_problems(name, layout)
    if problems:
        raise CompileError(*problems)
    if fill is None:
        stored_fill = _find_fill(known)
    else:
        stored_fill = _fill_of(fill, dtype or dtype_name(known.dtype), name)
    tensor = _store(known, layout, dtype, name, stored_fill)
    return snapshot(tensor, known) if copy else with_protected_coordinates(borrowing(tensor, known, operand))


def pack_operands(operands: Mapping[str, object], signature: Signature) -> dict[str, object]:
    """Snapshots of the ``operands`` that ``signature`` names, in its formats and types; others as they are.

    Raises
    ------
    OperandError
        as :func:`pack`.
    """
    inputs = {tensor.name: tensor for tensor in signature.inputs}
    packed = dict(operands)
    for name in operands.keys() & inputs.keys():
        tensor = inputs[name]
        with suggest_declaration(tensor, signature.program is not None):
            packed[name] = pack(operands[name], tensor.format, tensor.dtype, name, tensor.fill)
    return packed


def pack_for_call(known: Operand, format: Format, dtype: str, name: str, fill: Fill) -> Tensor:
    """What an operand is ``known`` as, packed for a kernel that reads it in place where its memory is in the
    ``format``; none of it is taken to belong to the tensor.

    Raises
    ------
    CompileError
        as :func:`pack`.
    """
    return _store(known, format, dtype, name, fill)


def _store(known: Operand, layout: Format, dtype: str | None, name: str, fill: Fill) -> Tensor:
    """``known`` in the format, in its own memory or elsewhere."""
    shape = known.shape
    if layout.dimensions != len(shape):
        raise OperandError(
            Diagnostic(
                code="runtime/order-mismatch",
                message=f"{name} has {_count(len(shape), 'dimension')}, but its format stores "
                f"{_count(layout.dimensions, 'level')}.",
                location=Location(Part.INPUT, tensor=name),
                expected=_count(layout.dimensions, "dimension"),
                actual=f"an operand of shape {shape}",
            )
        )
    if is_resident(known):
        return view_resident(known, layout, dtype, name, fill)
    return stored_as_requested(Request(known, layout, dtype or dtype_name(known.dtype), fill, name))


def _find_fill(operand: Operand) -> Fill:
    """What a packed tensor, or a sparse array of another library, says of what it does not store."""
    fill = operand.fill if isinstance(operand, Tensor | Entries) else None
    return 0 if fill is None else fill


def _fill_of(fill: object, dtype: str, name: str) -> Fill:
    """The fill in its canonical form.

    Raises
    ------
    CompileError
        ``runtime/fill`` for what is no value of ``dtype``.
    """
    value = read_fill(plain(fill))
    if value is not None and holds_fill(dtype, value):
        return value
    raise OperandError(
        Diagnostic(
            code="runtime/fill",
            message=f"{name} is packed as {dtype}, which cannot hold the fill {_show(fill)}.",
            location=Location(Part.INPUT, tensor=name),
            expected=f"a value of {dtype}",
            actual=_show(fill),
        )
    )


def _show(fill: object) -> str:
    """A fill in a message: nothing long, whatever was passed."""
    if isinstance(fill, int) and abs(fill) >= 10**30:
        return f"an integer of {fill.bit_length()} bits"
    return str(fill) if isinstance(fill, int | float | complex | np.generic) else type_of(fill)


def _format_of(format: Format | str, order: int, name: str) -> Format:
    if isinstance(format, Format):
        return format
    require_kind(format, str, "the format", "a text or a Format")
    return parse_format(format, order, name) if format else Format((Level("dense"),) * order, tuple(range(order)))


def require_dtype(dtype: object) -> str:
    """The name of what NumPy takes for a dtype."""
    try:
        name = dtype_name(np.dtype(dtype))  # type: ignore[call-overload]
    except (TypeError, ValueError, SyntaxError, RuntimeError):  # NumPy evaluates texts, and asks objects for theirs
        name = ""
    if name in DTYPES:
        return name
    raise wrong_argument("the dtype", f"one of {', '.join(DTYPES)}", dtype)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
