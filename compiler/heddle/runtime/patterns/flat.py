"""Arguments as they are given to flat arrays, and the sizes that their shapes tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import CompileError
from heddle.patterns.lowering.parameters import Buffer
from heddle.patterns.typing.layout import fields, record_of
from heddle.patterns.typing.types import ArrayType, Pair, Type, to_text
from heddle.runtime.patterns.refused import refusal
from heddle.runtime.tensors.interop.foreign_arrays import UnreadableArrayError, leaves, plain_array, to_dense
from heddle.runtime.tensors.value_types import exact_values
from heddle.symbolic.nodes import Length


@dataclass(frozen=True, slots=True)
class Told:
    """The argument ``name`` tells that ``length`` is ``number``: its size in a dimension, or all of its records."""

    length: Length
    number: int
    name: str
    what: str


@dataclass(frozen=True, slots=True)
class Flat:
    """The array of the kernel for each field, its records one after the other; ``told`` are sizes. ``rows`` are the
    lengths of rows that were given one by one."""

    arrays: dict[str, NDArray[Any]]
    told: tuple[Told, ...]
    rows: NDArray[Any] | None = None
    scalar: int | float | bool | None = None


def flatten(buffer: Buffer, value: object) -> Flat:
    """``value`` as the arrays of ``buffer``.

    Raises
    ------
    CompileError
        ``runtime/argument``, ``runtime/field-dtype`` or ``runtime/dtype``.
    """
    name = buffer.parameter
    if not isinstance(buffer.type, ArrayType | Pair):
        ((field, field_name),) = buffer.fields
        array = _convert(_array(value, name), field.dtype, name, rounds=isinstance(value, float))
        if array.ndim:
            raise refusal("argument", f"{name} is a number.", name, expected=to_text(buffer.type), actual="an array")
        return Flat({}, (), scalar=array.item())
    rows = None
    columns = isinstance(value, tuple) and len(buffer.fields) > 1
    if isinstance(value, list | tuple) and not columns and _is_rows(buffer.type, value):
        rows = np.array([len(row) for row in value], np.int64)
        value = np.concatenate([_array(row, name) for row in value]) if len(value) else np.empty(0)
    if len(buffer.fields) == 1:
        ((field, field_name),) = buffer.fields
        array = _array(value, name)
        told = _describe_sizes(buffer, array.shape, name)
        converted = _convert(array, field.dtype, name, rounds=isinstance(value, list))
        return Flat({field_name: np.ascontiguousarray(converted).reshape(-1)}, told, rows)
    return _pack(buffer, value, rows)


def from_zero(offsets: NDArray[Any]) -> NDArray[Any]:
    """Offsets less the first one: the very same array where that is 0."""
    return offsets - offsets[0] if len(offsets) and offsets[0] else offsets


def _is_rows(type: Type, value: Sequence[object]) -> bool:
    return isinstance(type, ArrayType) and type.ragged and all(np.ndim(row) >= 1 for row in value)  # type: ignore[arg-type]


def _pack(buffer: Buffer, value: object, rows: NDArray[Any] | None) -> Flat:
    """Pairs that lie together: a structured array, or one array for each field, which are put together."""
    name = buffer.parameter
    flat = fields(record_of(buffer.type))
    if isinstance(value, tuple | list) and len(value) == len(flat):
        columns = [_array(column, name) for column in value]
    elif isinstance(value, np.ndarray) and value.dtype.names is not None and len(value.dtype.names) == len(flat):
        columns = [value[field] for field in value.dtype.names]
    else:
        raise refusal(
            "argument",
            f"{name} is an array of pairs.",
            name,
            expected="a structured array, or a tuple of one array for each field",
            actual=type(value).__name__,
        )
    kinds = [np.dtype(field.dtype).kind for field in flat]
    if [column.dtype.kind for column in columns] != kinds and all(column.size for column in columns):
        expected = ", ".join(field.dtype for field in flat)
        actual = ", ".join(str(column.dtype) for column in columns)
        raise refusal(
            "field-dtype",
            f"The fields of {name} are {expected}, found {actual}.",
            name,
            expected=expected,
            actual=actual,
            hint="Are the fields in the other order?",
        )
    if len({column.shape for column in columns}) != 1:
        actual = " and ".join(str(column.size) for column in columns)
        raise refusal(
            "argument", f"The fields of {name} have different sizes.", name, expected="one size", actual=actual
        )
    told = _describe_sizes(buffer, columns[0].shape, name)
    count = columns[0].size
    record = np.dtype(
        {
            "names": [f"f{number}" for number in range(len(flat))],
            "formats": [field.dtype for field in flat],
            "offsets": [field.offset * np.dtype(field.dtype).itemsize for field in flat],
            "itemsize": flat[0].stride * np.dtype(flat[0].dtype).itemsize,
        }
    )
    whole = np.zeros(count, record)
    for number, (flat_field, column) in enumerate(zip(flat, columns, strict=True)):
        whole[f"f{number}"] = _convert(column.reshape(-1), flat_field.dtype, name)
    memory = whole.view(np.uint8)
    return Flat({field_name: memory.view(field.dtype) for field, field_name in buffer.fields}, told, rows)


def _describe_sizes(buffer: Buffer, shape: tuple[int, ...], name: str) -> tuple[Told, ...]:
    """Sizes by dimension where the levels are rectangular; else the number of records, and what is rectangular inside
    of them."""
    levels: list[ArrayType] = []
    type: Type = buffer.type
    while isinstance(type, ArrayType):
        levels.append(type)
        type = type.element
    ragged = [place for place, level in enumerate(levels) if level.ragged]
    if not ragged:
        if len(shape) != len(levels):
            raise _dimensions(buffer, shape, name, f"{len(levels)} dimensions")
        return tuple(
            Told(level.size, extent, name, f"dimension {place}")
            for place, (level, extent) in enumerate(zip(levels, shape, strict=True))
        )
    inner = levels[ragged[-1] + 2 :]
    if len(shape) not in (1, 1 + len(inner)):
        raise _dimensions(buffer, shape, name, "one dimension, one row after another")
    sizes = tuple(
        Told(level.size, extent, name, f"dimension {place}")
        for place, (level, extent) in enumerate(zip(inner, shape[1:], strict=False), start=1)
    )
    total = int(np.prod(shape, dtype=np.int64))
    return (*sizes, Told(buffer.records, total, name, "records"))


def _dimensions(buffer: Buffer, shape: tuple[int, ...], name: str, expected: str) -> CompileError:
    actual = f"{len(shape)} dimensions" if len(shape) != 1 else "one dimension"
    return refusal(
        "argument", f"{name} is {to_text(buffer.type)}, found {actual}.", name, expected=expected, actual=actual
    )


def _array(value: object, name: str) -> NDArray[Any]:
    """An argument as an array: what NumPy makes one of, or one of another library."""
    if type(value) is np.ndarray:
        return value
    try:
        if isinstance(value, list | tuple):
            for leaf in leaves(value):
                plain_array(leaf)  # NumPy would forget what is masked
            return np.asarray(value)
        array = plain_array(value) if isinstance(value, np.ndarray) else to_dense(value)
    except (UnreadableArrayError, ValueError, TypeError) as error:
        hint = error.hint if isinstance(error, UnreadableArrayError) else None
        raise refusal("argument", f"{name} is no array: {error}.", name, actual=str(error), hint=hint) from None
    return np.asarray(value) if array is None else array


def _convert(array: NDArray[Any], dtype: str, name: str, *, rounds: bool = False) -> NDArray[Any]:
    """``array`` with the type that the program has for it, where no value changes. With ``rounds`` its floats are
    Python's, which are rounded to the type."""
    wanted = np.dtype(dtype)
    if array.dtype == wanted or not array.size:
        return array.astype(wanted, copy=False)
    if array.dtype.kind not in {"f": "iubf", "b": "b"}.get(wanted.kind, "iub"):
        raise _not_held(f"elements of type {array.dtype}", dtype, name)
    with np.errstate(over="ignore", invalid="ignore"):
        converted = array.astype(wanted)
    if rounds and array.dtype.kind == "f":
        wrong = np.isfinite(array) & ~np.isfinite(converted)
    else:
        wrong = ~exact_values(array, converted)
    if wrong.any():
        raise _not_held(f"the value {array[wrong][0]} of type {array.dtype}", dtype, name)
    return converted


def _not_held(actual: str, dtype: str, name: str) -> CompileError:
    return refusal("dtype", f"{name} has {actual}, which {dtype} does not hold.", name, expected=dtype, actual=actual)
