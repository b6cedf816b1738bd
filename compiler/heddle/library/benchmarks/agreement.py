"""Whether contenders compute the same: what calls return, compared before anything is timed."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import CompileError, Diagnostic, OperandError
from heddle.library.arrays.entries import as_tensor
from heddle.measuring.schema import Verification
from heddle.measuring.verification.reference import Reference
from heddle.measuring.verification.verify import compare, tolerance_of
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum
from heddle.runtime.tensors.tensor import Tensor
from heddle.wrong_arguments import type_of

MOST_CELLS = 1 << 26
"""Elements of a result that are compared one by one; of larger results, which have to be sparse, the entries."""


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """What all contenders must return: the ``reference`` of a dense or small result, else the ``entries``."""

    shape: tuple[int, ...]
    dtype: str
    reference: Reference | None
    entries: Entries | None = None

    def check(self, result: Tensor | NDArray[Any]) -> Verification:
        """The largest error of ``result``, to the tolerance of the narrower of the two dtypes."""
        theirs = str(result.dtype)
        dtype = self.dtype if tolerance_of(theirs) <= tolerance_of(self.dtype) else theirs
        if self.reference is None:
            assert self.entries is not None
            return compare(*_aligned(_entries(result), self.entries), dtype)
        array = result.to_numpy() if isinstance(result, Tensor) else result
        return compare(array.reshape(self.shape), self.reference, dtype)


def expect_result(result: Tensor, reference: Reference | None) -> Expected:
    """What a kernel computed, for the others to be compared with; ``reference`` is what it was verified against."""
    if reference is None and not is_compared_densely(result):
        return Expected(result.shape, result.dtype, None, _entries(result))
    return Expected(result.shape, result.dtype, reference or _reference(result.to_numpy()))


def is_compared_densely(result: Tensor) -> bool:
    """Whether all elements of a result are compared."""
    return result.format.is_dense or prod(result.shape) <= MOST_CELLS


def returned_tensor(value: object, expected: Expected, label: str) -> Tensor:
    """What a call of a person returned, which has the shape of the result but for dimensions of size 1.

    Raises
    ------
    OperandError
        ``benchmark/no-result`` for nothing, ``benchmark/result`` for what is no array or of another shape.
    """
    if value is None:
        raise _refuse(
            "no-result",
            f"The baseline {label} returns nothing, so that its result cannot be compared with the kernel's.",
            "an array or a sparse matrix",
            "None",
            "Return the array that it writes into: lambda: (f(A, x, out=y), y)[1].",
        )
    shape = _shape_text(expected.shape)
    try:
        tensor = as_tensor(value, f"the result of {label}")
    except CompileError as error:
        message = f"The baseline {label} returns {type_of(value)}: {error.diagnostics[0].message}"
        raise _refuse("result", message, f"an array of shape {shape}", type_of(value)) from error
    if [size for size in tensor.shape if size != 1] != [size for size in expected.shape if size != 1]:
        actual = _shape_text(tensor.shape)
        raise _refuse("result", f"The baseline {label} returns an array of shape {actual}.", f"shape {shape}", actual)
    return tensor


def refuse_different(label: str, check: Verification) -> OperandError:
    """For a baseline that computes something else: comparing its time would mean nothing."""
    error, most = check["max_error"], check["tolerance"]
    return _refuse(
        "different-result",
        f"The baseline {label} computes something else: its result differs by {error:.2g} of the size of its terms.",
        f"at most {most:.2g}",
        f"{error:.2g}",
        "Compare both results with numpy.allclose, and mend the wrong one.",
    )


def entries_of(tensor: Tensor) -> Entries:
    """The coordinates and values that are stored, sorted."""
    columns, values = tensor.to_coo()
    return sort_and_sum(Entries(tensor.shape, columns, values), tuple(range(len(columns))))


def _entries(result: Tensor | NDArray[Any]) -> Entries:
    if isinstance(result, Tensor):
        return entries_of(result)
    columns = np.nonzero(result)
    return Entries(result.shape, columns, result[columns])


def _aligned(entries: Entries, expected: Entries) -> tuple[NDArray[Any], Reference]:
    """The values of both at the coordinates that either stores."""
    mine = np.ravel_multi_index(expected.columns, expected.shape)
    theirs = np.ravel_multi_index(entries.columns, expected.shape)
    positions = np.union1d(mine, theirs)
    wide = np.result_type(expected.dtype, entries.dtype, np.float64)
    ours, others = np.zeros(positions.size, wide), np.zeros(positions.size, wide)
    ours[np.searchsorted(positions, mine)] = expected.values
    others[np.searchsorted(positions, theirs)] = entries.values
    return others, _reference(ours)


def _reference(values: NDArray[Any]) -> Reference:
    """Errors are judged against the largest value."""
    wide = values.astype(np.result_type(values.dtype, np.float64) if values.dtype.kind in "fc" else np.int64)
    largest = np.abs(wide[np.isfinite(wide)]).max(initial=0)
    return Reference(wide, np.full(wide.shape, largest, np.float64), "the result of Heddle's kernel")


def _shape_text(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape)) or "of a number"


def _refuse(kind: str, message: str, expected: str, actual: str | None = None, hint: str | None = None) -> OperandError:
    return OperandError(Diagnostic(f"benchmark/{kind}", message, expected=expected, actual=actual, hint=hint))
