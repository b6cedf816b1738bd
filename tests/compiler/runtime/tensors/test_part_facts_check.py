"""Parts that were made elsewhere keep what races are decided by: listed rows have entries, single pieces are single,
and ranges of rows are the same in all parts."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.formats.parser import parse_format
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.tensor import LevelArrays, Tensor

MATRIX = np.array([[6.0, 0, 9, 0, 0, 0], [0] * 6, [5, 0, 0, 7, 0, 1], [0, 2, 0, 0, 8, 0]])
TWO = "pieces(2) where length <= 2 + dcsr"


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


def pieces(rows: np.ndarray, columns: np.ndarray, values: list[float]) -> Tensor:
    levels = (LevelArrays(ints(0, len(rows)), rows), LevelArrays(None, columns, {"width": ints(2)}))
    return Tensor((4, 6), parse_format("pieces(2)", 2, "A"), "float64", levels, np.array(values))


def foreign(first: Tensor, rest: Tensor, text: str = TWO) -> Composite:
    return Composite((4, 6), parse_format(text, 2, "A"), "float64", (first, rest))


def rest(*rows: int) -> Tensor:
    kept = np.zeros_like(MATRIX)
    kept[list(rows)] = MATRIX[list(rows)]
    return hd.pack(kept, "dcsr")


RIGHT = (ints(0, 3), ints(0, 2, 1, 4), [6.0, 9, 2, 8])


def test_what_keeps_to_it_passes() -> None:
    made = foreign(pieces(*RIGHT), rest(2))
    hd.validate(made, "A")
    schedule = "concat(t, A[*])\nparallelize(t, CPUThread, NoRaces)"
    kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": TWO}, schedule, target="interpreter")
    np.testing.assert_array_equal(kernel(A=made, x=np.arange(6.0)).to_numpy(), MATRIX @ np.arange(6.0))


@pytest.mark.parametrize(
    ("first", "message"),
    [
        (
            (ints(0, 2, 3), ints(0, 2, 6, 6, 1, 4), [6.0, 9, 0, 0, 2, 8]),
            "A in its part pieces2 are not those of its format: position 1 of level 1 has no entry, expected an entry",
        ),
        (
            (ints(0, 3, 3), ints(0, 2, 1, 6, 4, 6), [6.0, 9, 2, 0, 8, 0]),
            "A in its part pieces2 are not those of its format: a row has two pieces, expected one piece for each row",
        ),
    ],
)
def test_what_would_let_workers_meet_is_refused(
    first: tuple[np.ndarray, np.ndarray, list[float]], message: str
) -> None:
    made = foreign(pieces(*first), rest(2))
    with pytest.raises(hd.CompileError) as caught:
        hd.compile("y(i) = A(i,j) * x(j)", {"A": TWO})(A=made, x=np.arange(6.0))
    assert message in caught.value.diagnostics[0].message


def test_a_row_that_is_listed_without_an_entry() -> None:
    levels = (LevelArrays(ints(0, 2), ints(0, 2)), LevelArrays(ints(0, 0, 3), ints(0, 3, 5)))
    empty = Tensor((4, 6), parse_format("dcsr", 2, "A"), "float64", levels, np.array([5.0, 7, 1]))
    with pytest.raises(hd.CompileError, match="position 0 of level 1 has no entry"):
        hd.validate(foreign(pieces(*RIGHT), empty), "A")


def test_ranges_of_rows_that_differ() -> None:
    packed = hd.pack(np.triu(np.ones((6, 6)))[::-1][[0, 0, 0, 0, 1, 1]], "hyb(1,1,2)")
    first, last = packed.parts
    other = hd.pack(last.to_numpy(), last.format)
    made = Composite(packed.shape, packed.format, packed.dtype, (first, other))
    starts = [part.levels[0].extra["starts"].tolist() for part in made.parts]
    assert starts[0] != starts[1]
    with pytest.raises(hd.CompileError, match="its parts are cut at different places of dimension 1"):
        hd.validate(made, "A")
