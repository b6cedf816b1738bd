"""Padded levels with a number of slots of their own, and rows cut into pieces of so many entries."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.formats.parser import parse_format
from heddle.runtime.tensors.tensor import LevelArrays
from tests.differential.check import check

MATRICES = (
    "pieces(4)",
    "pieces(1)",
    "pieces(2) : 1,0",
    "dense, padded(40)",
    "compressed, padded(40)",
    "dbsr(2,3)",
    "srbcrs(4,2)",
    "compressed(nonunique), padded(2), dense(2) : 0,1,0",
)
ROWS = "pos(i,p,A)\nsplit(p,p0,p1,2)\nparallelize(p0,CPUThread,Atomics)"


@pytest.mark.combinations(4, "expression", "text")
@pytest.mark.parametrize("text", MATRICES)
@pytest.mark.parametrize("expression", ["y(i) = A(i,j) * x(j)", "y(j) = A(i,j) * x(i)", "C(i,k) = A(i,j) * B(j,k)"])
def test_a_matrix_alone(expression: str, text: str) -> None:
    check(expression, {"A": text})


@pytest.mark.parametrize("text", ["dense, padded(40)", "compressed, padded(40)", "dbsr(2,3)", "srbcrs(4,2)"])
def test_where_coordinates_without_an_entry_count(text: str) -> None:
    check("y(i) = max(j, A(i,j))", {"A": text})


@pytest.mark.parametrize("text", ["pieces(2)", "pieces(3)", "compressed(nonunique), padded(1)"])
@pytest.mark.parametrize(
    "schedule", [ROWS, "fuse(i,j,f)\npos(f,p,A)\nsplit(p,p0,p1,3)", "pos(j,q,A)\nsplit(q,q0,q1,4)"]
)
def test_schedules(schedule: str, text: str) -> None:
    check("y(i) = A(i,j) * x(j)", {"A": text}, schedule)


@pytest.mark.parametrize("format", ["pieces(3)", "pieces(1)", "dense, padded(40)", "dbsr(2,2)", "srbcrs(2,3)"])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (5, 7), (1, 40)])
def test_packing_and_back(format: str, shape: tuple[int, int]) -> None:
    matrix = np.random.default_rng(1).integers(-1, 2, shape).astype(float)
    for fill in (0, 1):
        packed = hd.pack(matrix, format, fill=fill)
        hd.validate(packed)
        np.testing.assert_array_equal(packed.to_numpy(), matrix)
        np.testing.assert_array_equal(hd.convert(packed, "csr").to_numpy(), matrix)


def test_a_tensor_of_order_three() -> None:
    check("C(i,j) = T(i,j,k) * x(k)", {"T": "dense, compressed(nonunique), padded(2)"})
    check("C(i,j) = T(i,j,k) * x(k)", {"T": "compressed(nonunique), padded(2), compressed"})


def test_each_row_is_cut_into_pieces() -> None:
    packed = hd.pack([[0, 1, 2, 3, 4], [0, 0, 0, 0, 0], [5, 0, 0, 0, 0]], "pieces(3)")
    rows, columns = packed.levels
    assert rows.crd is not None
    assert columns.crd is not None
    assert rows.crd.tolist() == [0, 0, 2]
    assert columns.crd.tolist() == [1, 2, 3, 4, 5, 5, 0, 5, 5]
    assert packed.vals.tolist() == [1, 2, 3, 4, 0, 0, 5, 0, 0]


def test_padding_multiplies_nothing_between_two_pieces_of_a_row() -> None:
    """A padded slot is skipped, and the loop goes on behind it: with the next piece of the row."""
    format = parse_format("pieces(2)", 2, "A")
    rows = LevelArrays(np.array([0, 2], np.int32), np.array([0, 0], np.int32))
    columns = LevelArrays(None, np.array([1, 3, 0, 3], np.int32), {"width": np.array([2], np.int32)})
    tensor = hd.Tensor((1, 3), format, "float64", (rows, columns), np.array([2.0, 0.0, 3.0, 0.0]))
    tensor.validate("A")
    for target in ("interpreter", "c"):
        kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": "pieces(2)"}, target=target)
        assert kernel(A=tensor, x=np.array([5.0, 7.0, np.inf])).to_numpy().tolist() == [29.0]


def test_loops_over_slots_have_a_known_length() -> None:
    schedule = ["pos(i,p,A)", "pos(j,q,A)"]
    source = hd.compile("y(i) = A(i,j) * x(j)", {"A": "pieces(4)"}, schedule[:1]).source
    assert "A2_width" not in source
    assert "* 4" in source


def test_a_row_that_is_too_long_is_refused() -> None:
    with pytest.raises(hd.CompileError) as caught:
        hd.pack([[0, 1, 0], [1, 2, 3]], "ell(2)")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/too-narrow"
    assert diagnostic.message == (
        "Level 2 of operand has 2 slots for each coordinate above it, but below position 1 of level 1 there are 3 "
        "coordinates. Allow for 3, or store operand in pieces."
    )


@pytest.mark.parametrize(
    ("width", "reason"),
    [(3, "the width of level 2 is 3, expected 2, as its format says"), (2, "are not in ascending order")],
)
def test_arrays_that_do_not_fit_are_refused(width: int, reason: str) -> None:
    columns = LevelArrays(None, np.array([1, 0], np.int32), {"width": np.array([width], np.int32)})
    tensor = hd.Tensor((1, 3), parse_format("ell(2)", 2, "A"), "float64", (LevelArrays(), columns), np.ones(2))
    with pytest.raises(hd.CompileError, match=reason):
        tensor.validate("A")


def test_pieces_are_walked_alone() -> None:
    (diagnostic,) = hd.lower("C(i,j) = A(i,j) + B(i,j)", {"A": "pieces(4)", "B": "csr"}).diagnostics
    assert diagnostic.message == (
        "level 2 of A is in pieces, which may overlap, so it cannot be merged with B at j: it can only be visited "
        "alone, from one end to the other. Sort A by storing it as dcsr."
    )


@pytest.mark.parametrize(
    ("format", "message"),
    [
        (
            "compressed(nonunique), padded",
            "level 2 of A cannot be padded: how many slots each piece of the repeated coordinates above has stands in "
            "parentheses.",
        ),
        ("ell(0)", "`0` is not a valid number of slots (format of A)"),
        ("pieces(5000)", "`5000` is not a valid number of slots (format of A)"),
    ],
)
def test_levels_that_cannot_be_are_refused(format: str, message: str) -> None:
    result = hd.lower("y(i) = A(i,j) * x(j)", {"A": format})
    assert message in [diagnostic.message for diagnostic in result.diagnostics]
