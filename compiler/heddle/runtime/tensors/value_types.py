"""Values of operands in the dtype that a kernel computes with: only conversions that change no value are made.

Arrays go by their dtypes, as NumPy's safe casts do, and besides by their values where such a cast loses digits. Numbers
go by their values. Python's floats have no precision of their own: they are rounded to the kernel's, as in NumPy.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.advice import ComputeIn
from heddle.diagnostics import Diagnostic, Location, OperandError, Part

Array = NDArray[Any]

_EXACT_INTEGERS = 1 << 53
"""All integers up to this one are doubles."""


@functools.cache
def dtype_name(dtype: Any) -> str:
    """``"float64"``: NumPy makes its names again each time, which takes 2 microseconds."""
    return str(np.dtype(dtype).name)


def as_dtype(values: Array, dtype: str, name: str) -> Array:
    """``values`` as ``dtype`` when no value can be lost by it.

    Raises
    ------
    OperandError
        ``runtime/dtype-mismatch``.
    """
    if not np.can_cast(values.dtype, dtype, casting="safe"):
        raise _lossy(values.dtype.name, dtype, name)
    converted = values.astype(dtype, copy=False)
    # A safe cast for NumPy, though doubles do not have all integers of 64 bits.
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8 and converted.dtype.kind in "fc":
        _require_exact(values, converted, name)
    return converted


def as_asked(values: Array, dtype: str, name: str) -> Array:
    """``values`` as the ``dtype`` that their reader asks for, which has all of them.

    Raises
    ------
    OperandError
        ``runtime/dtype-mismatch``.
    """
    target = np.dtype(dtype)
    if values.dtype == target:
        return values
    held = values.dtype.kind in "biufc" and (values.dtype.kind != "c" or target.kind == "c")
    if held:
        with np.errstate(over="ignore", invalid="ignore"):
            converted = values.astype(target)
        exact = exact_values(values, converted if values.dtype.kind == "c" else converted.real)
        if exact.all():
            return converted
    value = values[~exact][0] if held else values.reshape(-1)[0]
    raise OperandError(
        Diagnostic(
            code="runtime/dtype-mismatch",
            message=f"{name} holds {value} of type {value.dtype.name}, which {target.name} has not.",
            location=Location(Part.INPUT, tensor=name),
            expected=f"values that {target.name} has",
            actual=f"{value} of type {value.dtype.name}",
            hint=f"Leave dtype out, and round or cut the tensor yourself with .astype('{target.name}').",
        )
    )


def numbers_as_dtype(values: Array, dtype: str, name: str, *, rounds: bool) -> Array:
    """Numbers, or nested lists of them, as ``dtype`` when it has them all. With ``rounds`` they are Python's, whose
    floats are rounded to ``dtype``; what is too large for it is refused all the same.

    Raises
    ------
    OperandError
        ``runtime/dtype-mismatch``.
    """
    target = np.dtype(dtype)
    if values.dtype == target:
        return values
    if values.dtype.kind not in "biufc" or (values.dtype.kind == "c" and target.kind != "c"):
        raise _lossy(values.dtype.name, dtype, name)
    with np.errstate(over="ignore", invalid="ignore"):
        converted = values.astype(target)
    if rounds and values.dtype.kind in "fc" and target.kind in "fc":
        overflown = np.isfinite(values) & ~np.isfinite(converted)
        if overflown.any():
            raise _not_held(values[overflown][0], dtype, name)
        return converted
    _require_exact(values, converted, name)
    return converted


def _require_exact(values: Array, converted: Array, name: str) -> None:
    exact = exact_values(values, converted)
    if not exact.all():
        raise _not_held(values[~exact][0], converted.dtype.name, name)


def exact_values(values: Array, converted: Array) -> NDArray[np.bool_]:
    """Which values are the same in another dtype."""
    source, target = values.dtype.kind, converted.dtype.kind
    if source in "biu" and target in "fc":
        return _exact_doubles(values, converted)
    if source in "iu" and target in "biu":
        least, most = (0, 1) if target == "b" else (np.iinfo(converted.dtype).min, np.iinfo(converted.dtype).max)
        return (values >= least) & (values <= most)
    with np.errstate(over="ignore", invalid="ignore"):
        back = converted.astype(values.dtype)
    same: NDArray[np.bool_] = (back == values) | ((values != values) & (back != back))  # NaN is the same in all floats
    return same


def _exact_doubles(values: Array, converted: Array) -> NDArray[np.bool_]:
    """Which integers are the same as floats. Those of 64 bits may be rounded up to a power of two that they lack."""
    if values.dtype.kind == "b":
        return np.ones(values.shape, dtype=bool)
    real = converted.real if converted.dtype.kind == "c" else converted
    doubles = real.dtype.itemsize == 8 and values.size
    if doubles and int(values.min()) >= -_EXACT_INTEGERS and int(values.max()) <= _EXACT_INTEGERS:
        return np.ones(values.shape, dtype=bool)
    limit = float(np.iinfo(values.dtype).max)
    below = real < limit if limit > np.iinfo(values.dtype).max else real <= limit
    with np.errstate(invalid="ignore"):
        exact: NDArray[np.bool_] = below & (np.where(below, real, 0).astype(values.dtype) == values)
    return exact


def _lossy(actual: str, dtype: str, name: str) -> OperandError:
    return OperandError(
        Diagnostic(
            code="runtime/dtype-mismatch",
            message=f"{name} holds {actual} values, but the kernel computes with {dtype}; "
            "that conversion would lose digits.",
            location=Location(Part.INPUT, tensor=name),
            expected=dtype,
            actual=actual,
            hint=f"Convert it yourself with .astype('{dtype}'), or compile the kernel with "
            f'dtypes={{"{name}": "{actual}"}}.',
            advice=(ComputeIn(name, actual, dtype),),
        )
    )


def _not_held(value: Any, dtype: str, name: str) -> OperandError:
    """A value, which is a NumPy scalar, that ``dtype`` has not."""
    actual = f"{value} of type {value.dtype.name}"
    return OperandError(
        Diagnostic(
            code="runtime/dtype-mismatch",
            message=f"{name} holds {actual}, but the kernel computes with {dtype}, which has no such value; "
            "that conversion would lose digits.",
            location=Location(Part.INPUT, tensor=name),
            expected=f"values that {dtype} has",
            actual=actual,
            hint=f"Round it yourself with .astype('{dtype}'), or compile the kernel with "
            f'dtypes={{"{name}": "{value.dtype.name}"}}.',
            advice=(ComputeIn(name, value.dtype.name, dtype),),
        )
    )
