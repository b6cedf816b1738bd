"""Tensors stored in blocks: the interpreter and the compiled C give what NumPy gives, also where blocks are cut."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from tests.differential.check import check

BLOCKED = (
    "bcsr(4,4)",
    "bcsr(2,3)",
    "bcsr(1,1)",
    "bcsr(8)",
    "bcsr(3)",
    "dense, dense, dense(2), dense(2)",
    "dense, compressed, dense(2) : 0,1,0",
    "dense, compressed, dense(3) : 0,1,1",
    "compressed, compressed, dense(3), dense(2)",
    "compressed(nonunique), singleton, dense(2), dense(2)",
    "dense, compressed, dense(2), dense(3) : 1,0,0,1",
    "dense, padded, dense(2), dense(2)",
    "bitmap, hashed, dense(2), dense(2)",
)


@pytest.mark.combinations(4, "expression", "text")
@pytest.mark.parametrize("text", BLOCKED)
@pytest.mark.parametrize(
    "expression", ["y(i) = A(i,j) * x(j)", "y(j) = A(i,j) * x(i)", "C(i,j) = A(i,j)", "s = A(i,j)"]
)
def test_a_matrix_in_blocks(expression: str, text: str) -> None:
    check(expression, {"A": text})


@pytest.mark.combinations(8, "expression", "text", "other")
@pytest.mark.parametrize("text", BLOCKED)
@pytest.mark.parametrize("expression", ["C(i,j) = A(i,j) + B(i,j)", "C(i,j) = A(i,j) * B(i,j)"])
@pytest.mark.parametrize("other", ["dense", "csr", "the same"])
def test_elementwise(expression: str, text: str, other: str) -> None:
    check(expression, {"A": text, "B": text if other == "the same" else other})


@pytest.mark.parametrize("text", ["bcsr(4,4)", "bcsr(2,3)", "compressed, compressed, dense(3), dense(2)"])
def test_a_product_with_a_dense_matrix(text: str) -> None:
    check("C(i,k) = A(i,j) * B(j,k)", {"A": text})


def test_operands_that_meet_inside_the_blocks() -> None:
    check("y(i) = A(i,j) * x(j)", {"A": "bcsr(2,3)", "x": "sparse"})
    check("y(i) = A(i,i) * x(i)", {"A": "bcsr(2,2)"})
    check("C(i,k) = A(i,j) * B(j,k)", {"A": "bcsr(2,3)", "B": "bcsr(3,2)"})
    check("y(i,j) = B(i,j,k) * c(k)", {"B": "dense, compressed, dense, dense(2), dense(2) : 0,2,1,0,2"})
    check("a(i) = b(i) + c(i)", {"b": "compressed, dense(3) : 0,0", "c": "sparse"})


@pytest.mark.parametrize(
    "schedule",
    [
        "parallelize(i_block, CPUThread, NoRaces)",
        "reorder(i_block, i_inner, j_block, j_inner)",
        "reorder(j_inner, i_inner)\nparallelize(i_inner, CPUVector, NoRaces)",
        "unroll(j_inner, 4)",
        "split(i_block, o, p, 2)\nparallelize(o, CPUThread, NoRaces)",
        "pos(j_block, p, A)",
        "fuse(i_block, j_block, f)\npos(f, p, A)\nsplit(p, o, q, 3)\nparallelize(o, CPUThread, Atomics)",
        "parallelize(j_block, CPUThread, Atomics)",
    ],
)
def test_schedules_of_blocks(schedule: str) -> None:
    check("y(i) = A(i,j) * x(j)", {"A": "bcsr(4,4)"}, schedule)


def test_the_loop_inside_the_blocks_may_stand_outside() -> None:
    """The dense operand is reached only when both parts of its coordinate are known."""
    check("a(i) = b(i) * c(i) + d(i)", {"b": "compressed, dense(3) : 0,0", "c": "compressed, dense(3) : 0,0"},
          "reorder(i_inner, i_block)")  # fmt: skip


@pytest.mark.combinations(4, "expression", "other", "text", "schedule")
@pytest.mark.parametrize("schedule", ["", "parallelize(i_block, CPUThread, NoRaces)"])
@pytest.mark.parametrize("text", ["bcsr(2,3)", "compressed, compressed, dense(3), dense(2)"])
@pytest.mark.parametrize(
    ("expression", "other"),
    [
        ("C(i,j) = 2 * A(i,j)", ""),
        ("C(i,j) = A(i,j) * B(i,j)", "dense"),
        ("C(i,j) = A(i,j) + B(i,j)", "csr"),
        ("C(i,j) = A(i,j) * B(i,j)", "the same"),
    ],
)
def test_a_result_in_blocks_is_padded_with_zeros(expression: str, other: str, text: str, schedule: str) -> None:
    if schedule and text.startswith("compressed"):
        schedule = ""
    formats = {"A": text, "C": text, "B": text if other == "the same" else other}
    formats = {name: format for name, format in formats.items() if format}
    check(expression, formats, schedule)
    matrix = np.arange(1.0, 36.0).reshape(5, 7)
    kernel = hd.compile(expression, formats, schedule)
    result = kernel(**{name: matrix for name in formats if name != "C"})
    assert result.format == hd.pack(matrix, text).format
    assert result.vals.sum() == result.to_numpy().sum()


@pytest.mark.parametrize("text", BLOCKED)
@pytest.mark.parametrize("shape", [(7, 9), (8, 6), (1, 5), (0, 3), (4, 0)])
def test_packing_and_conversion(text: str, shape: tuple[int, int]) -> None:
    matrix = np.round(np.random.default_rng(3).random(shape) * 3)
    blocks = hd.pack(matrix, text)
    np.testing.assert_array_equal(blocks.to_numpy(), matrix)
    for other in ("csr", "csc", "coo", "bcsr(3,2)", "dense"):
        np.testing.assert_array_equal(hd.convert(blocks, other).to_numpy(), matrix)
        np.testing.assert_array_equal(hd.convert(hd.pack(matrix, other), text).to_numpy(), matrix)
    np.testing.assert_array_equal(blocks.to_scipy().toarray(), matrix)


def test_the_arrays_are_those_of_scipy() -> None:
    matrix = scipy.sparse.random_array((8, 12), density=0.2, rng=np.random.default_rng(5)).tocsr()
    blocks, theirs = hd.pack(matrix, "bcsr(2,3)"), scipy.sparse.bsr_array(matrix, blocksize=(2, 3))
    theirs.sort_indices()
    np.testing.assert_array_equal(blocks.levels[1].pos, theirs.indptr)
    np.testing.assert_array_equal(blocks.levels[1].crd, theirs.indices)
    np.testing.assert_array_equal(blocks.vals.reshape(-1, 2, 3), theirs.data)


@pytest.mark.parametrize("shape", [(8, 12), (7, 13), (1, 1), (0, 3), (4, 0)])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "complex128"])
def test_a_csr_matrix_is_packed_as_its_coordinates_are(shape: tuple[int, int], dtype: str) -> None:
    matrix = scipy.sparse.random_array(shape, density=0.3, rng=np.random.default_rng(5)).tocsr()
    matrix = (matrix * 9).astype(dtype)
    for operand in (matrix, hd.pack(matrix, "csr")):
        direct, general = hd.pack(operand, "bcsr(2,3)"), hd.pack(matrix.tocoo(), "bcsr(2,3)")
        direct_arrays = hd.Tensor(direct.shape, direct.format, direct.dtype, direct.levels, direct.vals)
        hd.validate(direct_arrays)
        for slot, array in general.arrays().items():
            np.testing.assert_array_equal(direct.arrays()[slot], array)
            assert direct.arrays()[slot].dtype == array.dtype


def test_a_csr_matrix_with_a_wrong_index_is_refused_for_blocks_too() -> None:
    arrays = np.array([1.0, 2.0]), np.array([0, 5], np.int32), np.array([0, 1, 2], np.int32)
    matrix = scipy.sparse.csr_array((2, 2))
    matrix.data, matrix.indices, matrix.indptr = arrays
    with pytest.raises(hd.CompileError, match=r"Entry 1 of .* has coordinate 5 in dimension 2, which has the size 2"):
        hd.pack(matrix, "bcsr(2,2)")


@pytest.mark.combinations(6)
@pytest.mark.parametrize("result", ["csr", "dcsr", "coo"])
@pytest.mark.parametrize("text", ["bcsr(4,4)", "bcsr(2,3)", "compressed, compressed, dense(3), dense(2)"])
@pytest.mark.parametrize(
    "expression",
    ["C(i,j) = A(i,j)", "C(i,j) = A(i,j) + B(i,j)", "C(i,j) = A(i,k) * B(k,j)", "C(i,j) = B(i,k) * A(k,j)"],
)
def test_sparse_results_without_blocks(expression: str, text: str, result: str) -> None:
    formats = {"A": text, "B": "csr", "C": result}
    check(expression, {name: formats[name] for name in formats if f"{name}(" in expression})


@pytest.mark.parametrize(
    ("expression", "formats", "schedule"),
    [
        (
            "C(i,j) = A(i,k) * B(k,j)",
            {"A": "bcsr(4,4)", "B": "csr", "C": "csr"},
            "precompute(A(i,k) * B(k,j), j, jw, w)\nparallelize(i_block, CPUThread, NoRaces)",
        ),
        ("C(i,j) = A(i,j)", {"A": "bcsr(2,3)", "C": "csr"}, "parallelize(i_block, CPUThread, NoRaces)"),
        ("y(i) = A(i,j) * x(j)", {"A": "bcsr(2,2)"}, "precompute(A(i,j) * x(j), i_inner, iw, w)"),
        ("y(i) = A(i,j) * x(j)", {"A": "bcsr(2,2)"}, "precompute(x(j), j_inner, jw, w)"),
        ("C(i,j) = A(i,k) * D(k,j)", {"A": "bcsr(4,4)"}, "precompute(A(i,k) * D(k,j), j, jw, w)"),
    ],
)
def test_workspaces_beside_blocks(expression: str, formats: dict[str, str], schedule: str) -> None:
    check(expression, formats, schedule)


def test_blocks_that_are_fused_across_rows_are_no_order_to_append_in() -> None:
    """A row would come once for each block of its columns."""
    formats = {"A": "dense, dense, dense(2), dense(2)", "C": "compressed, dense"}
    schedule = "reorder(j_block, i_inner)\nfuse(j_block, i_inner, f)"
    (refused,) = hd.lower("C(i,j) = A(i,j)", formats, schedule).diagnostics
    assert refused.code == "schedule/append-order"
    check("C(i,j) = A(i,j)", formats, "fuse(i_block, i_inner, f)")
