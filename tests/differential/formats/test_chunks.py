"""Levels in chunks: kernels give what NumPy gives, and arrays that are not in chunks are refused."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.formats.parser import parse_format
from heddle.runtime.tensors.tensor import LevelArrays
from tests.differential.check import check

MATRICES = (
    "dense, chunks(4)",
    "dense, chunks(1)",
    "dense, chunks(3) : 1,0",
    "chunks(2), chunks(2)",
    "chunks(4), compressed",
    "compressed, chunks(8)",
    "dense, chunks(4), dense(2) : 0,1,0",
)
FUSED = "fuse(i,j,f)\npos(f,p,A)"


@pytest.mark.combinations(4, "expression", "text")
@pytest.mark.parametrize("text", MATRICES)
@pytest.mark.parametrize(
    "expression", ["y(i) = A(i,j) * x(j)", "y(j) = A(i,j) * x(i)", "C(i,k) = A(i,j) * B(j,k)", "y(i) = max(j, A(i,j))"]
)
def test_a_matrix_alone(expression: str, text: str) -> None:
    check(expression, {"A": text})


@pytest.mark.combinations(4, "expression", "text")
@pytest.mark.parametrize("text", MATRICES[:-1])
@pytest.mark.parametrize("expression", ["C(i,j) = A(i,j) + B(i,j)", "C(i,j) = A(i,j) * B(i,j)"])
def test_two_matrices(expression: str, text: str) -> None:
    order = ":".join(text.split(":")[1:])
    check(expression, {"A": text, "B": f"dense, compressed{' : ' if order else ''}{order}"})


@pytest.mark.parametrize("schedule", ["split(i,i0,i1,2)", FUSED, f"{FUSED}\nsplit(p,p0,p1,4)"])
def test_schedules(schedule: str) -> None:
    check("y(i) = A(i,j) * x(j)", {"A": "dense, chunks(4)"}, schedule)


@pytest.mark.parametrize("text", ["dense, chunks(4), compressed", "chunks(2), dense, chunks(3)"])
def test_a_tensor_of_order_three(text: str) -> None:
    check("C(i,j) = T(i,j,k) * x(k)", {"T": text})


@pytest.mark.parametrize("format", MATRICES)
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (5, 7), (1, 40)])
def test_packing_and_back(format: str, shape: tuple[int, int]) -> None:
    matrix = np.random.default_rng(1).integers(-1, 2, shape).astype(float)
    for fill in (0, 1):
        packed = hd.pack(matrix, format, fill=fill)
        hd.validate(packed)
        np.testing.assert_array_equal(packed.to_numpy(), matrix)
        np.testing.assert_array_equal(hd.convert(packed, "csr").to_numpy(), matrix)


def test_each_segment_has_whole_chunks() -> None:
    packed = hd.pack([[0, 1, 2, 3, 4], [0, 0, 0, 0, 0], [5, 0, 0, 0, 0]], "dense, chunks(3)")
    level = packed.levels[1]
    assert level.pos is not None
    assert level.crd is not None
    assert level.pos.tolist() == [0, 6, 6, 9]
    assert level.crd.tolist() == [1, 2, 3, 4, 5, 5, 0, 5, 5]
    assert packed.vals.tolist() == [1, 2, 3, 4, 0, 0, 5, 0, 0]


@pytest.mark.parametrize(
    ("pos", "crd", "reason"),
    [
        ([0, 3, 4], [0, 1, 2, 3], "parent 0 of level 2 has 3 positions, expected whole chunks of 2"),
        ([0, 2, 4], [1, 0, 2, 3], "the coordinates of a parent in crd of level 2 are not in ascending order"),
        ([0, 2, 4], [4, 1, 2, 3], "are not in ascending order, expected them in order, then only 4"),
        ([0, 2, 4], [0, 5, 2, 3], "crd of level 2 holds 5, expected coordinates from 0 to 4"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(pos: list[int], crd: list[int], reason: str) -> None:
    levels = (LevelArrays(), LevelArrays(np.array(pos, np.int32), np.array(crd, np.int32)))
    tensor = hd.Tensor((2, 4), parse_format("dense, chunks(2)", 2, "A"), "float64", levels, np.ones(4))
    with pytest.raises(hd.CompileError, match=reason):
        tensor.validate("A")


@pytest.mark.parametrize(
    ("format", "message"),
    [
        ("dense, chunks", "level 2 of A cannot be chunks: the number of positions in a chunk goes in parentheses."),
        ("dense, chunks(0)", "`0` is not a valid size of a chunk (format of A)"),
        (
            "dense, chunks(unordered,2)",
            "level 2 of A cannot be chunks(2,unordered): only compressed and singleton levels can be unordered or "
            "nonunique.",
        ),
    ],
)
def test_levels_that_cannot_be_are_refused(format: str, message: str) -> None:
    result = hd.lower("y(i) = A(i,j) * x(j)", {"A": format})
    assert message in [diagnostic.message for diagnostic in result.diagnostics]


def test_no_kernel_makes_one() -> None:
    (diagnostic,) = hd.lower("C(i,j) = A(i,j)", {"A": "csr", "C": "dense, chunks(4)"}).diagnostics
    assert diagnostic.code == "format/sparse-result"
