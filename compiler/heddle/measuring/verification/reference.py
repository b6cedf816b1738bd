"""The reference that every timed kernel is verified against: joins of coordinate lists in NumPy.

It shares no code with the compiler's lowering. Besides the result it gives the scale of each element, the sum of the
magnitudes of all its terms: rounding errors are judged against that, so that cancellation does not look like a defect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import repeat
from heddle.measuring.verification.terms import Product, products
from heddle.notation.nodes import Access, Assignment, Binary, Expression, Literal, Unary, accesses
from heddle.runtime.tensors.coordinates import Entries

Array = NDArray[Any]
Operand = Entries | Array

# Rows of one joined table: bounds the memory to some hundred MiB.
_TABLE_ROWS = 4 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """``values`` and ``scale`` (both of the result's shape), and how they were computed."""

    values: Array
    scale: Array
    method: str


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """One row for each combination of coordinates so far: a column for each variable, and the product's value."""

    columns: dict[str, Array]
    values: Array

    def take(self, rows: Array | slice) -> _Table:
        return _Table({name: column[rows] for name, column in self.columns.items()}, self.values[rows])


def evaluate(
    assignment: Assignment, operands: Mapping[str, Operand], sizes: Mapping[str, int], dtype: str
) -> Reference:
    """The result of ``assignment`` on ``operands`` (entries without duplicates, or dense arrays by dimension)."""
    wide = np.result_type(dtype, np.float64) if np.dtype(dtype).kind in "fc" else np.dtype(np.int64)
    shape = tuple(sizes[variable] for variable in assignment.target.indices)
    result = np.zeros(shape, dtype=wide)
    if assignment.operator == "+=":
        initial = operands[assignment.target.tensor]
        assert isinstance(initial, np.ndarray)
        result += initial
    scale = np.array(np.abs(result), dtype=np.float64)
    for product in products(assignment):
        _add_product(product, assignment.target, operands, sizes, result, scale)
    if np.dtype(dtype).kind in "iu":
        # Sums and products of integers wrap as those of the result's type do, whatever they are computed in.
        result = result.astype(dtype).astype(wide)
    return Reference(result, scale, "NumPy, joining coordinate lists")


def _add_product(
    product: Product,
    target: Access,
    operands: Mapping[str, Operand],
    sizes: Mapping[str, int],
    result: Array,
    scale: Array,
) -> None:
    factors = sorted(product.factors, key=lambda access: _cost(operands[access.tensor]))
    kind = result.dtype if isinstance(product.coefficient, complex) else None
    start = _Table({}, np.full(1, product.coefficient, dtype=kind))
    _join(start, factors, product.divisors, target, operands, sizes, result, scale)


def _cost(operand: Operand) -> tuple[bool, int]:
    """Sparse operands first, small ones before large ones."""
    return isinstance(operand, np.ndarray), operand.values.size if isinstance(operand, Entries) else operand.size


def _join(
    table: _Table,
    factors: list[Access],
    divisors: tuple[Expression, ...],
    target: Access,
    operands: Mapping[str, Operand],
    sizes: Mapping[str, int],
    result: Array,
    scale: Array,
) -> None:
    """Joins the next factor; a table that would become too long is joined in pieces."""
    if not factors:
        for divisor in divisors:
            for access in accesses(divisor):
                table = _with_variables(table, access.indices, sizes)
            with np.errstate(divide="ignore", invalid="ignore"):
                table = _Table(table.columns, table.values / _divisor(divisor, table, operands))
        _accumulate(table, target, result, scale)
        return
    access = factors[0]
    operand = operands[access.tensor]
    step = max(1, int(_TABLE_ROWS / max(_growth(table, access, operand, sizes), 1)))
    for start in range(0, table.values.size, step):
        piece = table.take(slice(start, start + step))
        join = _with_dense if isinstance(operand, np.ndarray) else _with_entries
        joined = join(piece, access, operand, sizes)  # type: ignore[arg-type]
        for lower in range(0, joined.values.size, _TABLE_ROWS):
            part = joined.take(slice(lower, lower + _TABLE_ROWS))
            _join(part, factors[1:], divisors, target, operands, sizes, result, scale)


def _divisor(expression: Expression, table: _Table, operands: Mapping[str, Operand]) -> Any:
    """The value of a divisor in each row; the compiler takes only dense tensors there."""
    match expression:
        case Access(tensor=tensor, indices=indices):
            array = operands[tensor]
            assert isinstance(array, np.ndarray)
            return array[tuple(table.columns[index] for index in indices)]
        case Literal(value=value):
            return value
        case Unary(operand=operand):
            return -_divisor(operand, table, operands)
        case Binary(operator=operator, left=left, right=right):
            combine = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}[operator]
            return combine(_divisor(left, table, operands), _divisor(right, table, operands))
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def _growth(table: _Table, access: Access, operand: Operand, sizes: Mapping[str, int]) -> float:
    """About how many rows one row becomes."""
    new = [index for index in access.indices if index not in table.columns]
    if isinstance(operand, np.ndarray):
        return float(np.prod([sizes[index] for index in new], dtype=float))
    shared = float(np.prod([sizes[index] for index in access.indices if index in table.columns], dtype=float))
    return operand.values.size / max(shared, 1.0)


def _with_variables(table: _Table, indices: tuple[str, ...], sizes: Mapping[str, int]) -> _Table:
    """Each row once for every value of the variables that have no column yet."""
    columns, values = table.columns, table.values
    for index in indices:
        if index not in columns:
            size, length = sizes[index], values.size
            columns = {name: repeat(column, size) for name, column in columns.items()}
            values = repeat(values, size)
            columns[index] = np.tile(np.arange(size), length)
    return _Table(columns, values)


def _with_dense(table: _Table, access: Access, array: Array, sizes: Mapping[str, int]) -> _Table:
    wide = _with_variables(table, access.indices, sizes)
    cells = array[tuple(wide.columns[index] for index in access.indices)]
    return _Table(wide.columns, _multiply(wide.values, cells))


def _with_entries(table: _Table, access: Access, entries: Entries, sizes: Mapping[str, int]) -> _Table:
    """Rows of both that agree in their common variables; entries that are not stored are zero and drop out."""
    shared = [index for index in access.indices if index in table.columns]
    place = {index: number for number, index in enumerate(access.indices)}
    extents = [sizes[index] for index in shared]
    ours = _key([table.columns[index] for index in shared], extents, table.values.size)
    theirs = _key([entries.columns[place[index]] for index in shared], extents, entries.values.size)
    order = np.argsort(theirs, kind="stable")
    theirs = theirs[order]
    lower, upper = np.searchsorted(theirs, ours, "left"), np.searchsorted(theirs, ours, "right")
    counts = upper - lower
    row = repeat(np.arange(ours.size), counts)
    first = np.cumsum(counts) - counts
    match = order[np.arange(row.size) - repeat(first - lower, counts)]
    joined = table.take(row)
    new = {index: entries.columns[place[index]][match] for index in access.indices if index not in table.columns}
    return _Table({**joined.columns, **new}, _multiply(joined.values, entries.values[match]))


def _multiply(values: Array, cells: Array) -> Array:
    """In double precision, whatever the operands have."""
    kinds = {values.dtype.kind, cells.dtype.kind}  # NumPy would multiply int64 and uint64 as floating-point numbers
    wide = np.complex128 if "c" in kinds else np.float64 if "f" in kinds else np.int64
    product: Array = values.astype(wide) * cells.astype(wide)
    return product


def _key(columns: list[Array], sizes: list[int], length: int) -> Array:
    key = np.zeros(length, dtype=np.int64)
    for column, size in zip(columns, sizes, strict=True):
        key = key * size + column
    return key


def _accumulate(table: _Table, target: Access, result: Array, scale: Array) -> None:
    """Adds every row into the result; along result variables without a column the value is repeated."""
    known = [axis for axis, index in enumerate(target.indices) if index in table.columns]
    shape = [result.shape[axis] for axis in known]
    cells = _key([table.columns[target.indices[axis]] for axis in known], shape, table.values.size)
    for total, values in ((result, table.values), (scale, np.abs(table.values))):
        added = values.astype(total.dtype, copy=False)
        if len(known) == total.ndim:
            np.add.at(total.reshape(-1), cells, added)
            continue
        partial = np.zeros(int(np.prod(shape)), dtype=total.dtype)
        np.add.at(partial, cells, added)
        spread = tuple(slice(None) if axis in known else np.newaxis for axis in range(total.ndim))
        total += partial.reshape(shape)[spread]
