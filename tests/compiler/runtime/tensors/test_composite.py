"""Sums of parts that come from elsewhere: each entry lies in the part that the format says, or the mistake is found."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import heddle as hd
from heddle.formats.parser import parse_format
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.tensor import Tensor

MATRIX = np.array([[6.0, 0, 9, 0, 0, 0], [0] * 6, [5, 0, 0, 7, 0, 1], [0, 2, 0, 0, 8, 0]])
LENGTHS = "ell(2) where length <= 2 + csr"


def foreign(text: str, *shares: np.ndarray, dtype: str = "float64", fill: float = 0) -> Composite:
    """A sum whose parts hold these dense matrices, whatever the tests of the format ``text`` say."""
    format = parse_format(text, 2, "A")
    assert format.composition is not None
    parts = tuple(hd.pack(share, part.format) for share, part in zip(shares, format.composition.parts, strict=False))
    return Composite(MATRIX.shape, format, dtype, parts, fill)


def only(*rows: int) -> np.ndarray:
    """The matrix with these rows alone."""
    return np.where(np.isin(np.arange(4), rows)[:, None], MATRIX, 0)


def refused(tensor: Tensor) -> str:
    with pytest.raises(hd.CompileError) as caught:
        hd.validate(tensor, "A")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/malformed-tensor"
    return diagnostic.message.removeprefix("The arrays of A are not those of its format: ")


def test_parts_that_are_right_pass() -> None:
    right = foreign(LENGTHS, only(0, 3), only(2))
    hd.validate(right)
    kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": LENGTHS})
    x = np.arange(6.0)
    np.testing.assert_array_equal(kernel(A=right, x=x).to_numpy(), MATRIX @ x)


CASES: dict[str, tuple[Callable[[], Tensor], str]] = {
    "an entry in two parts": (
        lambda: foreign(LENGTHS, only(0, 3), only(2, 3)),
        "entry (3, 1) lies in parts 0 and 1, ell2 and csr, expected each entry in one part.",
    ),
    "an entry in another part": (
        lambda: foreign(LENGTHS, only(0), only(2, 3)),
        "entry (3, 1) lies in part 1, csr, expected it in part 0, ell2, whose tests it passes.",
    ),
    "an entry of no part": (
        lambda: foreign("csr where row < 2 + csr where row == 3", only(0), only(2, 3)),
        "entry (2, 0) lies in part 1, csr_2, and passes the tests of none, expected a part for every entry.",
    ),
    "an entry that fails a test of its place, in parts that pad with zeros": (
        lambda: foreign("bcsr(2,2) where row < 2 + csr", only(0, 2), only(3)),
        "entry (2, 0) lies in part 0, bcsr2x2, and fails its test of row, expected entries that pass the tests.",
    ),
    "too few parts": (
        lambda: foreign(LENGTHS, only(0, 3)),
        "the number of its parts is 1, expected 2, as its format says.",
    ),
    "another type": (
        lambda: foreign(LENGTHS, only(0, 3), only(2), dtype="float32"),
        "the type of its part ell2 is float64, expected float32.",
    ),
    "another fill": (
        lambda: foreign(LENGTHS, only(0, 3), only(2), fill=1),
        "the fill of its part ell2 is 0, expected 1.",
    ),
    "another shape": (
        lambda: foreign(LENGTHS, only(0, 3), only(2)[:3]),
        "the shape of its part csr is (3, 6), expected (4, 6).",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_mistake_is_found(case: str) -> None:
    made, message = CASES[case]
    assert refused(made()) == message


def test_another_format_of_a_part() -> None:
    right = foreign(LENGTHS, only(0, 3), only(2))
    wrong = Composite(right.shape, right.format, right.dtype, right.parts[::-1])
    assert refused(wrong) == "the format of its part ell2 is csr, expected ell(2)."


def test_arrays_of_parts_are_looked_at() -> None:
    right = foreign(LENGTHS, only(0, 3), only(2))
    crd = right.parts[1].levels[1].crd
    assert crd is not None
    crd.setflags(write=True)
    crd[0] = 77
    with pytest.raises(hd.CompileError, match="The arrays of A in its part csr are not those of its format"):
        hd.validate(right, "A")


def test_kernels_and_conversions_look_first() -> None:
    wrong = foreign(LENGTHS, only(0, 3), only(2, 3))
    kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": LENGTHS})
    with pytest.raises(hd.CompileError, match=r"entry \(3, 1\) lies in parts 0 and 1, ell2 and csr"):
        kernel(A=wrong, x=np.arange(6.0))
    with pytest.raises(hd.CompileError, match=r"entry \(3, 1\) lies in parts 0 and 1, ell2 and csr"):
        hd.convert(wrong, "csr")


def test_slots_that_are_too_few_for_a_row() -> None:
    with pytest.raises(hd.CompileError) as caught:
        hd.pack(MATRIX, "dense, padded(2)", name="A")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/too-narrow"
    assert diagnostic.message == (
        "Level 2 of A has 2 slots for each coordinate above it, but below position 2 of level 1 there are 3 "
        "coordinates. Allow for 3, or store A in pieces."
    )
