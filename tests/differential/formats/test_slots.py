"""Matrices in slots of blocks of rows (sliced ELL, DIA by blocks): the interpreter and the compiled C give what NumPy
gives, also where the last block is cut, rows are empty, and diagonals leave the matrix."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.origin import Role
from heddle.runtime.tensors.tensor import LevelArrays
from tests.differential.check import check

SPMV = "y(i) = A(i,j) * x(j)"
SLOTTED = (
    "sell(8)",
    "sell(3)",
    "sell(4,8)",
    "dia(8)",
    "dia(2)",
    "dense, slots, dense(4), optional : 1,0,1,0",
    "sorted(6), slots, dense(3), optional : 1,0,1,0",
    "sell-runs(4)",
    "sorted(4), slots, dense(2), runs : 1,0,1,0",
    "dense, diagonals, dense(3), shifted : 1,0,1,0",
)
LANES = (
    "precompute(A(i,j) * x(j), i_inner, iw, w)",
    "parallelize(iw, CPUVector, NoRaces)",
    "parallelize(i_inner, CPUVector, NoRaces)",
)


@pytest.mark.combinations(6, "expression", "text")
@pytest.mark.parametrize("text", SLOTTED)
@pytest.mark.parametrize(
    "expression",
    [
        SPMV,
        "y(j) = A(i,j) * x(i)",
        "C(i,j) = A(i,j)",
        "s = A(i,j)",
        "C(i,k) = A(i,j) * B(j,k)",
        "C(i,j) = A(i,j) * D(i,k) * E(k,j)",
    ],
)
def test_a_matrix_in_slots(expression: str, text: str) -> None:
    check(expression, {"A": text})


@pytest.mark.combinations(2)
@pytest.mark.parametrize("text", SLOTTED[:5])
def test_beside_other_operands(text: str) -> None:
    check("y(i) = b(i) - 2 * A(i,j) * x(j)", {"A": text})
    check("y(i) = sum(j, A(i,j) * x(j)) / 4", {"A": text})
    check(SPMV, {"A": text, "x": "sparse"})
    check("C(i,j) = A(i,j) * B(i,j)", {"A": text, "B": "csr"})
    check("C(i,k) = A(i,j) * B(j,k)", {"A": text, "B": "csr"})


@pytest.mark.combinations(2)
@pytest.mark.parametrize(
    "schedule",
    [
        "parallelize(i_block, CPUThread, NoRaces)",
        "reorder(i_inner, j_slot)",
        "split(j_slot, s0, s1, 2)",
        "split(i_block, b0, b1, 2)\nparallelize(b0, CPUThread, NoRaces)",
        "balance(i_block, b0, b1, A, 3)\nparallelize(b0, CPUThread, NoRaces)",
        "reorder(i_inner, j_slot)\nparallelize(j_slot, CPUVector, ParallelReduction)",
        "unroll(j_slot, 2)",
        "split(j, j0, j1, 2)",
    ],
)
def test_schedules(schedule: str) -> None:
    check(SPMV, {"A": "sell(4)"}, schedule)
    if "reorder(i_inner" not in schedule:
        check(SPMV, {"A": "sell(4,8)"}, schedule)


@pytest.mark.combinations(8, "text", "height", "rows")
@pytest.mark.parametrize("text", ["sell({0})", "sell({0},{1})", "sell-runs({0})", "dia({0})"])
@pytest.mark.parametrize("height", [2, 3, 4, 8, 16, 32])
@pytest.mark.parametrize("rows", [7, 16, 35])
def test_rows_of_a_block_in_vector_lanes(text: str, height: int, rows: int) -> None:
    schedule, format = "\n".join((*LANES, "parallelize(i_block, CPUThread, NoRaces)")), text.format(height, 2 * height)
    check(SPMV, {"A": format}, schedule, sizes={"i": rows, "j": 19})
    check(SPMV, {"A": format}, f"{LANES[0]}\nunroll(j_slot, 3)\n" + "\n".join(LANES[1:]), sizes={"i": rows, "j": 19})
    check(SPMV, {"A": format}, schedule, sizes={"i": rows, "j": 5})


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_lanes_are_scattered_to_the_rows_of_their_places(dtype: str) -> None:
    rng = np.random.default_rng(5)
    dense = (rng.integers(-3, 4, (45, 23)) * (rng.random((45, 23)) < 0.3)).astype(dtype)
    x, b, y = (rng.integers(-3, 4, size).astype(dtype) for size in (23, 45, 45))
    scaled = hd.compile(f"{SPMV} * b(i)", {"A": "sell(8,32)"}, "\n".join(LANES), dtypes=dict.fromkeys("Axb", dtype))
    assert "(y_vals, i, w[r] * gather_" in scaled.source
    np.testing.assert_array_equal(scaled(A=dense, x=x, b=b).to_numpy(), dense @ x * b)
    added = hd.compile(
        "y(i) += A(i,j) * x(j)", {"A": "sell(8,32)"}, "\n".join(LANES), dtypes=dict.fromkeys("Axy", dtype)
    )
    assert "scatter_sum_" in added.source
    np.testing.assert_array_equal(added(A=dense, x=x, y=y).to_numpy(), y + dense @ x)


def test_rows_are_sorted_within_their_windows_and_rows_of_one_length_stay_in_order() -> None:
    lengths = [1, 3, 0, 3, 2, 2, 0]
    packed = hd.pack(np.array([[float(j < length) for j in range(3)] for length in lengths]), "sell(2,4)")
    assert packed.levels[0].extra["rows"].tolist() == [1, 3, 0, 2, 4, 5, 6]
    assert packed.levels[1].pos is not None
    assert packed.levels[1].pos.tolist() == [0, 3, 4, 6, 6]
    places = hd.pack(packed.to_numpy(), "sell(2)").vals.size, packed.vals.size
    assert places == (16, 12)


@pytest.mark.combinations(4, "dtype", "text")
@pytest.mark.parametrize("text", ["sell(8)", "sell(16)", "dia(8)"])
@pytest.mark.parametrize("dtype", ["float32", "int32", "float64"])
def test_lanes_of_every_type(text: str, dtype: str) -> None:
    rng = np.random.default_rng(3)
    dense = (rng.integers(-3, 4, (45, 23)) * (rng.random((45, 23)) < 0.3)).astype(dtype)
    vector = rng.integers(-3, 4, 23).astype(dtype)
    kernel = hd.compile(SPMV, {"A": text}, "\n".join(LANES), dtypes={"A": dtype, "x": dtype})
    assert f"{dtype[0]}{dtype[-2:]}v" in kernel.source
    assert kernel.result.flat is not None
    assert f"var w: {dtype}x{text[-3:-1].strip('(')} = 0" in kernel.result.flat.text
    np.testing.assert_array_equal(kernel(A=dense, x=vector).to_numpy(), dense @ vector)


@pytest.mark.parametrize("text", ["sell(8)", "dia(8)"])
def test_what_is_not_stored_is_not_multiplied(text: str) -> None:
    """An infinite element of x next to an empty place does not make the row a NaN."""
    dense = np.zeros((16, 16))
    dense[:, 0] = dense[3, 5] = 1
    vector = np.ones(16)
    vector[-1] = np.inf
    kernel = hd.compile(SPMV, {"A": text}, "\n".join(LANES))
    expected = np.where(np.arange(16) == 3, 2.0, 1.0)
    if text == "sell(8)":
        np.testing.assert_array_equal(kernel(A=dense, x=vector).to_numpy(), expected)
    np.testing.assert_array_equal(kernel(A=dense, x=np.ones(16)).to_numpy(), expected)


def test_gathered_and_shifted_elements_are_loaded_as_vectors() -> None:
    sliced = hd.lower(SPMV, {"A": "sell(8)"}, "\n".join(LANES)).flat
    shifted = hd.lower(SPMV, {"A": "dia(8)"}, "\n".join(LANES)).flat
    assert sliced is not None
    assert shifted is not None
    assert "kept: boolx8 = j < int32(A2_dimension)" in sliced.text
    assert "w += keep(A_vals[iwA:+8], kept) * x_vals[j if kept]" in sliced.text
    assert "if j + 7 < A2_dimension and j >= 0:" in shifted.text
    assert "w += A_vals[iwA:+8] * x_vals[j:+8]" in shifted.text
    assert "elif j < A2_dimension and j + 7 >= 0:" in shifted.text
    assert "kept: boolx8 = lanes_between(0 - j, A2_dimension - j)" in shifted.text
    assert "w += A_vals[iwA:+8 if kept] * x_vals[j:+8 if kept]" in shifted.text


def banded(rows: int, columns: int, holes: float) -> np.ndarray:
    """Diagonals of small whole numbers, a few of them left out."""
    rng = np.random.default_rng(6)
    distance = np.arange(columns) - np.arange(rows)[:, None]
    held = np.isin(distance, (-3, -1, 0, 1, 2, 5)) & (rng.random((rows, columns)) >= holes)
    return np.where(held, rng.integers(1, 5, (rows, columns)), 0).astype(float)


@pytest.mark.combinations(4)
@pytest.mark.parametrize("text", ["sell-runs(4)", "sell-runs(8)", "sorted(16), slots, dense(8), runs"])
@pytest.mark.parametrize("holes", [0.0, 0.02])
@pytest.mark.parametrize("shape", [(41, 41), (32, 20), (24, 60)])
def test_runs_of_columns(text: str, holes: float, shape: tuple[int, int]) -> None:
    dense = banded(*shape, holes)
    rng = np.random.default_rng(7)
    x, other, right = rng.integers(-3, 4, shape[1]), rng.integers(-3, 4, shape), rng.integers(-3, 4, (shape[1], 3))
    packed = hd.pack(dense, text)
    hd.validate(packed)
    if holes == 0 or "sorted" not in text:  # sorted rows are neighbours only where they are alike
        assert (packed.levels[3].extra["first"] >= 0).mean() > 0.3
    for target in ("c", "interpreter"):
        for schedule in ("", "\n".join(LANES)):
            product = hd.compile(SPMV, {"A": text}, schedule, target)
            np.testing.assert_array_equal(product(A=packed, x=x * 1.0).to_numpy(), dense @ x)
        masked = hd.compile("C(i,j) = A(i,j) * B(i,j)", {"A": text, "B": "csr"}, "", target)
        np.testing.assert_array_equal(masked(A=packed, B=other * 1.0).to_numpy(), dense * other)
        wide = hd.compile("C(i,k) = A(i,j) * B(j,k)", {"A": text}, "", target)
        np.testing.assert_array_equal(wide(A=packed, B=right * 1.0).to_numpy(), dense @ right)


@pytest.mark.combinations(6)
@pytest.mark.parametrize("text", SLOTTED)
@pytest.mark.parametrize("columns", [3, 16, 35])
def test_several_columns_by_the_rules(text: str, columns: int) -> None:
    dense = banded(41, 30, 0.1)
    right = np.random.default_rng(8).integers(-3, 4, (30, columns)) * 1.0
    product = hd.compile("C(i,k) = A(i,j) * B(j,k)", {"A": text}, options={"schedule": "auto"})
    np.testing.assert_array_equal(product(A=dense, B=right).to_numpy(), dense @ right)


@pytest.mark.parametrize("text", ["sell(4,8)", "sell-runs(4)"])
def test_blocks_of_rows_on_the_threads_of_a_gpu(text: str) -> None:
    schedule = (
        "reorder(i_inner, j_slot)\nparallelize(i_block, GPUBlock, NoRaces)\nparallelize(i_inner, GPUThread, NoRaces)"
    )
    check(SPMV, {"A": text}, schedule, targets=("interpreter",))


def test_a_run_is_completed_unless_it_leaves_the_matrix() -> None:
    dense = np.zeros((8, 12))
    for row in range(8):
        dense[row, [row, row + 2]] = 1
    dense[2, 4] = dense[5, 5] = 0
    dense[6, 0] = 2
    packed = hd.pack(dense, "sell-runs(4)")
    assert packed.levels[1].pos is not None
    assert packed.levels[1].pos.tolist() == [0, 2, 5]
    assert packed.levels[3].extra["first"].tolist() == [0, 2, -1, 4, 6]
    assert packed.levels[3].crd is not None
    assert packed.levels[3].crd[8:12].tolist() == [12, 12, 0, 12]
    np.testing.assert_array_equal(packed.to_numpy(), dense)
    assert packed.to_scipy().nnz == np.count_nonzero(dense)


def test_a_run_is_loaded_and_the_rest_is_gathered() -> None:
    result = hd.lower(SPMV, {"A": "sell-runs(8)"}, "\n".join(LANES))
    assert result.flat is not None
    source = result.source
    assert source is not None
    whole, gathered = result.flat.text.split("if A4_first[j_slotA] >= 0:")[1].split("else:")[:2]
    assert "w += A_vals[iwA:+8] * x_vals[j:+8]" in whole
    assert "x_vals[j if kept]" in gathered
    (line,) = [number for number, text in enumerate(source.text.splitlines(), 1) if "A4_first[j_slotA] >= 0) {" in text]
    assert {span.origin.role for span in source.spans if span.line == line} == {Role.GUARD}


def test_indices_of_64_bits_are_right_without_gathers() -> None:
    rng = np.random.default_rng(4)
    dense = rng.integers(-3, 4, (21, 13)) * (rng.random((21, 13)) < 0.4) * 1.0
    packed = hd.pack(dense, "sell(8)")
    wide = [
        LevelArrays(
            None if level.pos is None else level.pos.astype(np.int64),
            None if level.crd is None else level.crd.astype(np.int64),
        )
        for level in packed.levels
    ]
    tensor = hd.Tensor(packed.shape, packed.format, packed.dtype, tuple(wide), packed.vals)
    vector = np.arange(13.0)
    kernel = hd.compile(SPMV, {"A": "sell(8)"}, "\n".join(LANES))
    np.testing.assert_array_equal(kernel(A=tensor, x=vector).to_numpy(), dense @ vector)
