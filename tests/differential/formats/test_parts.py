"""Dimensions cut into a number of parts, sparse levels inside blocks and parts, and levels of the first coordinates."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import heddle as hd
from heddle.formats.parser import parse_format
from heddle.formats.printer import format_text
from heddle.runtime.tensors.tensor import LevelArrays
from tests.differential.check import check

CUT = (
    "parts(3), dense, compressed : 0,0,1",
    "parts(3,even), compressed, compressed : 0,0,1",
    "dense, parts(4), compressed : 0,1,1",
    "parts(4), parts(4), compressed(nonunique), padded(2) : 0,1,0,1",
    "parts(3,even), parts(2), compressed(nonunique), padded(2) : 0,1,0,1",
    "parts(2,even), parts(3,even), compressed, compressed : 0,1,0,1",
    "parts(50), compressed, parts(50), compressed : 0,0,1,1",
    "csb(2,3)",
    "csb(64,64)",
    "dense, compressed, dense(2), compressed(2) : 0,1,0,1",
    "dense, compressed, padded(4,4) : 0,1,1",
    "dense, ragged",
    "compressed, ragged",
)
RUNNING = np.array([[6.0, 0, 9, 0, 0, 0], [0] * 6, [5, 0, 0, 7, 0, 1], [0, 2, 0, 0, 8, 0]])


@pytest.mark.combinations(4, "format")
@pytest.mark.parametrize("format", CUT)
@pytest.mark.parametrize("expression", ["y(i) = A(i,j) * x(j)", "y(j) = A(i,j) * x(i)", "C(i,k) = A(i,j) * B(j,k)"])
def test_a_matrix_alone(expression: str, format: str) -> None:
    check(expression, {"A": format})


@pytest.mark.parametrize("format", ["csb(2,3)", CUT[0], CUT[1], "dense, ragged"])
def test_where_coordinates_without_an_entry_count(format: str) -> None:
    check("y(i) = max(j, A(i,j))", {"A": format})


@pytest.mark.parametrize("format", [CUT[0], CUT[2], "csb(2,3)"])
def test_an_operand_that_is_stored_everywhere(format: str) -> None:
    check("C(i,j) = A(i,j) + D(i,j)", {"A": format})


@pytest.mark.parametrize(
    ("first", "second"),
    [(CUT[2], CUT[2]), ("csb(2,3)", "csb(2,3)"), ("dense, ragged", "csr"), ("dense, ragged", "dense, ragged")],
)
def test_two_operands_that_are_cut_alike(first: str, second: str) -> None:
    check("C(i,j) = A(i,j) + D(i,j)", {"A": first, "D": second})
    check("y(i) = A(i,j) * D(i,j)", {"A": first, "D": second})


@pytest.mark.parametrize(
    "schedule",
    [
        "parallelize(i_part,CPUThread,NoRaces)",
        "reorder(i_part,i_in,j_part,j_in,k)\nparallelize(i_part,CPUThread,NoRaces)",
        "split(i_part,o,w,2)\nparallelize(o,CPUThread,NoRaces)\nsplit(k,k0,k1,4)\nparallelize(k1,CPUVector,NoRaces)",
        "pos(i_in,p,A)\nsplit(p,p0,p1,2)",
    ],
)
@pytest.mark.parametrize("rows", ["parts(3)", "parts(3,even)"])
def test_schedules(rows: str, schedule: str) -> None:
    columns = "compressed" if "reorder" in schedule else "compressed, compressed"
    text = f"{rows}, parts(2), {columns} : 0,1,0,1" if columns != "compressed" else None
    if text is None:
        text = f"{rows}, compressed, parts(2), compressed : 0,0,1,1"
    check("C(i,k) = A(i,j) * B(j,k)", {"A": text}, schedule)


def test_parts_own_their_rows() -> None:
    """Derived from the relation: a loop over parts of rows races nowhere, one over parts of columns does."""
    text = "parts(4,even), parts(2), compressed, compressed : 0,1,0,1"
    assert hd.lower("y(i) = A(i,j) * x(j)", {"A": text}, ["parallelize(i_part,CPUThread,NoRaces)"]).ok
    (diagnostic,) = hd.lower(
        "y(i) = A(i,j) * x(j)", {"A": text}, ["reorder(j_part,i_part)", "parallelize(j_part,CPUThread,NoRaces)"]
    ).diagnostics
    assert diagnostic.code == "schedule/race"


@pytest.mark.parametrize("format", CUT)
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (5, 7), (1, 40), (40, 1)])
def test_packing_and_back(format: str, shape: tuple[int, int]) -> None:
    if "padded(4,4)" in format and shape[1] > 4:
        matrix = np.eye(*shape)
    else:
        matrix = np.random.default_rng(1).integers(-1, 2, shape).astype(float)
    packed = hd.pack(matrix, format)
    hd.validate(packed)
    np.testing.assert_array_equal(packed.to_numpy(), matrix)
    np.testing.assert_array_equal(hd.convert(packed, "csr").to_numpy(), matrix)
    text = format_text(parse_format(format, 2, "A"))
    assert parse_format(text, 2, "A") == parse_format(format, 2, "A")


def test_even_parts_have_about_equally_many_entries() -> None:
    matrix = np.zeros((1000, 8))
    matrix[:100] = 1
    matrix[100:, 0] = 1
    packed = hd.pack(matrix, "parts(4,even), compressed, compressed : 0,0,1")
    (starts,) = packed.levels[0].extra.values()
    counts = [np.count_nonzero(matrix[first:last]) for first, last in pairwise(starts)]
    assert sum(counts) == np.count_nonzero(matrix)
    assert max(counts) - min(counts) <= 16


def test_coordinates_are_those_inside_the_block() -> None:
    packed = hd.pack(RUNNING, "csb(2,3)")
    rows, columns = packed.levels[2:]
    assert rows.crd is not None
    assert columns.crd is not None
    assert rows.crd.tolist() == [0, 0, 0, 1, 0, 0, 1]
    assert columns.crd.tolist() == [0, 2, 0, 1, 0, 2, 1]


def test_ragged_rows_store_no_coordinates() -> None:
    packed = hd.pack(RUNNING, "dense, ragged")
    assert packed.levels[1].pos is not None
    assert packed.levels[1].pos.tolist() == [0, 3, 3, 9, 14]
    assert packed.vals.tolist() == [6, 0, 9, 5, 0, 0, 7, 0, 1, 0, 2, 0, 0, 8]


@pytest.mark.combinations(4, "expression", "format")
@pytest.mark.parametrize(
    "format",
    [
        "ell3d(2,40)",
        "ell3d(2,3) where length <= 3 + csf",
        "coo where length <= 1 + dense, compressed, compressed : 1,0,2",
        "dense, ragged, compressed",
        "compressed, ragged, ragged",
    ],
)
@pytest.mark.parametrize("expression", ["Y(i,l) = T(r,i,j) * X(j,k) * W(r,k,l)", "y(r) = T(r,i,j) * x(j)"])
def test_relations(expression: str, format: str) -> None:
    check(expression, {"T": format})


@pytest.mark.parametrize("starts", [[1, 2, 4], [0, 3, 2], [0, 2, 5], [0, 4]])
def test_starts_that_do_not_cut_the_dimension_are_refused(starts: list[int]) -> None:
    format = parse_format("parts(2,even), compressed : 0,0", 1, "v")
    first = LevelArrays(extra={"starts": np.array(starts, np.int32)})
    rows = LevelArrays(np.array([0, 1, 1], np.int32), np.array([0], np.int32))
    tensor = hd.Tensor((4,), format, "float64", (first, rows), np.ones(1))
    with pytest.raises(hd.CompileError, match="starts of level 1"):
        tensor.validate("v")


def test_a_coordinate_behind_its_part_is_refused() -> None:
    format = parse_format("parts(2,even), compressed : 0,0", 1, "v")
    first = LevelArrays(extra={"starts": np.array([0, 1, 4], np.int32)})
    rows = LevelArrays(np.array([0, 1, 1], np.int32), np.array([1], np.int32))
    tensor = hd.Tensor((4,), format, "float64", (first, rows), np.ones(1))
    with pytest.raises(hd.CompileError) as caught:
        tensor.validate("v")
    assert (
        "position 0 has coordinate 1 of dimension 0, which is past the end of its part"
        in caught.value.diagnostics[0].message
    )


@pytest.mark.parametrize(
    ("expression", "formats", "code", "message"),
    [
        (
            "y(i) = A(i,j) * x(j)",
            {"A": "dense, parts(8)"},
            "format/misplaced-level",
            "level 2 of A cannot be parts(8): no level below it stores the coordinates inside the parts.",
        ),
        (
            "y(i) = A(i,j) * x(j)",
            {"A": "dense, compressed, parts(8) : 0,1,1"},
            "format/misplaced-level",
            "level 3 of A cannot be parts(8): it cuts dimension 1, and no level below it stores the coordinates inside "
            "the parts.",
        ),
        (
            "y(i) = A(i,j) * x(j)",
            {"A": "parts(4,even), dense, compressed : 0,0,1"},
            "format/misplaced-level",
            "level 1 of A cannot be parts(4,even): parts with equally many entries differ in length, so the "
            "coordinates inside have to be listed.",
        ),
        (
            "y(i) = A(i,j) * x(j)",
            {"A": "parts(4), hashed, compressed : 0,0,1"},
            "format/misplaced-level",
            "level 1 of A cannot be parts(4): the level below it that stores dimension 0 cannot store the coordinates "
            "inside parts.",
        ),
        (
            "y(i) = A(i,j) * x(j)",
            {"A": "parts, dense, compressed : 0,0,1"},
            "format/misplaced-level",
            "level 1 of A cannot be parts: the number of parts goes in parentheses.",
        ),
        (
            "y(i) = A(i,j) * x(j)",
            {"A": "parts(5000), dense, compressed : 0,0,1"},
            "format/block-size",
            "`5000` is not a valid number of parts (format of A)",
        ),
        (
            "y(i) = A(i,j) * x(j)",
            {"A": "dense, compressed(even)"},
            "format/unknown-property",
            "compressed levels have no property `even` (format of A)",
        ),
        (
            "y(i) = A(i,j) * x(j)",
            {"A": "csr", "y": "compressed, compressed(2) : 0,0"},
            "format/sparse-result",
            "level 2 of the result y is compressed(2), which cannot be assembled.",
        ),
        (
            "y(i) = A(i,j) * x(j)",
            {"A": "csr", "y": "parts(2), compressed : 0,0"},
            "format/sparse-result",
            "level 1 of the result y is parts(2), which cannot be assembled.",
        ),
        (
            "C(i,j) = A(i,j) + B(i,j)",
            {"A": "parts(2), dense, compressed : 0,0,1", "B": "parts(3), dense, compressed : 0,0,1"},
            "format/conflicting-blocks",
            "i is cut in different ways: by A (parts(2), dense, compressed : 0,0,1) into 2 parts and B (parts(3), "
            "dense, compressed : 0,0,1) into 3 parts. One loop cannot follow both. Cut i in one way, or one of them "
            "not at all.",
        ),
        (
            "C(i,j) = A(i,j) + B(i,j)",
            {
                "A": "parts(2,even), compressed, compressed : 0,0,1",
                "B": "parts(2,even), compressed, compressed : 0,0,1",
            },
            "format/conflicting-blocks",
            "One loop cannot follow both.",
        ),
    ],
)
def test_levels_that_cannot_be_are_refused(expression: str, formats: dict[str, str], code: str, message: str) -> None:
    (diagnostic, *_) = hd.lower(expression, formats).diagnostics
    assert diagnostic.code == code
    assert message in diagnostic.message


@pytest.mark.parametrize(
    "schedule",
    [
        "fuse(i_part,i_in,f)",
        "fuse(i_part,i_in,f)\npos(f,p,A)\nsplit(p,p0,p1,2)\nparallelize(p0,CPUThread,Atomics)",
        "fuse(i_part,i_in,f)\nfuse(f,j,g)\npos(g,p,A)\nsplit(p,p0,p1,2)",
        "split(i_in,i0,i1,2)",
        "precompute(A(i,j)*x(j),i_in,r,w)",
    ],
)
def test_loops_inside_parts_with_equally_many_entries(schedule: str) -> None:
    check("y(i) = A(i,j) * x(j)", {"A": "parts(4,even), compressed, compressed : 0,0,1"}, schedule)


@pytest.mark.parametrize(
    ("schedule", "code", "message"),
    [
        (
            "precompute(A(i,j)*x(j),i_part,q,w)",
            "schedule/precompute-parts",
            "i_in visits the coordinates of one part of A, and their number differs from one i_part to the next: a "
            "workspace over them has no size. Keep i_part outside.",
        ),
        (
            "bound(i_in,ib,2,MaxExact)",
            "schedule/bound-of-balanced",
            "i_in runs over the rows of a part that the format of A made, and parts have different numbers of rows",
        ),
    ],
)
def test_schedules_that_parts_with_equally_many_entries_refuse(schedule: str, code: str, message: str) -> None:
    text = "parts(4,even), compressed, compressed : 0,0,1"
    (diagnostic,) = hd.lower("y(i) = A(i,j) * x(j)", {"A": text}, [schedule]).diagnostics
    assert diagnostic.code == code
    assert message in diagnostic.message
