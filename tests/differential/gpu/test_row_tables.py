"""Rows that the threads of a block collect in hash tables: right for rows of every class, whatever their lengths, and
with memory that what they compute bounds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.lowering.gpu import row_tables
from heddle.plan import plan_from_arguments
from heddle.tuning.facts.statistics import Statistics
from heddle.tuning.search.fixed_order import suggest_in_fixed_order
from heddle.tuning.search.suggest import suggest
from tests.compiler.runtime.devices.executing_gpu import executing_gpu
from tests.differential.check import check
from tests.differential.gpu.gpu_schedule_parts import GATHERED, SPGEMM

FORMATS = dict.fromkeys("ABC", "csr")
TABLES = (
    *GATHERED.split("; "),
    "parallelize(i, GPUBlock, NoRaces)",
    "parallelize(k, GPUWarp, Atomics)",
    "parallelize(jw, GPUThread, Atomics)",
)


ADDED = "A(i,j) + B(i,j)"


def collected(expression: str) -> tuple[str, ...]:
    """The schedule by which threads collect the terms of a sum."""
    units = ("parallelize(i, GPUBlock, NoRaces)", "parallelize(jw, GPUThread, Atomics)")
    return (f"precompute({expression}, j, jw, w)", *units)


@pytest.fixture(scope="module")
def short_classes() -> Iterator[None]:
    """Rows are short with up to 2 coordinates, and among the longest with more than 8. No other tests have the programs
    of those that use it, which might be lowered for these classes, too."""
    with pytest.MonkeyPatch.context() as patch:
        memories = (row_class.memory for row_class in row_tables._CLASSES)
        classes = tuple(map(row_tables._RowClass, memories, (2, 8, None)))
        patch.setattr(row_tables, "_CLASSES", classes)
        yield


@pytest.fixture(scope="module")
def multiply(short_classes: None) -> hd.Kernel:
    schedule = [command.replace("A(", "E(").replace("B(", "F(") for command in TABLES]
    return hd.compile("D(i,j) = E(i,k) * F(k,j)", dict.fromkeys("DEF", "csr"), schedule, "interpreter")


@pytest.fixture(scope="module")
def add(short_classes: None) -> hd.Kernel:
    expression = "E(i,j) - 2 * F(i,j) + G(i,j)"
    formats = dict.fromkeys("DEFG", "csr")
    return hd.compile(f"D(i,j) = {expression}", formats, collected(expression), "interpreter")


def matrix(draw: st.DrawFn, height: int, width: int) -> sp.csr_array:
    """With empty rows, and rows of one or many entries."""
    counts = st.sampled_from(sorted({0, 1, 2, width // 2, width}))
    dense = np.zeros((height, width))
    for row in range(height):
        places = draw(st.permutations(range(width)))[: draw(counts)]
        dense[row, places] = [1 + place % 5 for place in places]
    return sp.csr_array(dense)


@st.composite
def matrices(draw: st.DrawFn) -> tuple[sp.csr_array, sp.csr_array]:
    """Two whose product has empty rows, and rows of one or many products, which meet or do not."""
    rows, inner, columns = (draw(st.integers(1, limit)) for limit in (6, 5, 40))
    return matrix(draw, rows, inner), matrix(draw, inner, columns)


@st.composite
def alike(draw: st.DrawFn) -> tuple[sp.csr_array, ...]:
    """Three of one shape."""
    rows, columns = (draw(st.integers(1, limit)) for limit in (5, 24))
    return tuple(matrix(draw, rows, columns) for _ in range(3))


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(operands=matrices())
def test_products_of_rows_of_any_length(multiply: hd.Kernel, operands: tuple[sp.csr_array, sp.csr_array]) -> None:
    a, b = operands
    product = multiply(E=a, F=b).to_scipy()
    expected = sp.csr_array(a @ b)
    expected.sort_indices()
    np.testing.assert_array_equal(product.indptr, expected.indptr)
    np.testing.assert_array_equal(product.indices, expected.indices)
    np.testing.assert_array_equal(product.data, expected.data)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(operands=alike())
def test_sums_of_rows_of_any_length(add: hd.Kernel, operands: tuple[sp.csr_array, ...]) -> None:
    """A place where any operand has an entry is stored, also where the terms cancel out."""
    e, f, g = operands
    total = add(E=e, F=f, G=g).to_scipy()
    stored = (e != 0).toarray() | (f != 0).toarray() | (g != 0).toarray()
    assert np.diff(total.indptr).tolist() == stored.sum(axis=1).tolist()
    assert total.indices.tolist() == np.nonzero(stored)[1].tolist()
    np.testing.assert_array_equal(total.toarray(), (e - 2 * f + g).toarray())


def test_rows_of_every_class_are_launched(multiply: hd.Kernel) -> None:
    """So that what is right above is right for each of them."""
    a = sp.csr_array(np.eye(3))
    b = sp.csr_array(np.arange(3)[:, None] * 8 + 1 > np.arange(20)[None, :], dtype=np.float64)
    assert np.diff(multiply(E=a, F=b).to_scipy().indptr).tolist() == [1, 9, 17]
    flat = multiply.result.flat
    assert flat is not None
    lines = {line.strip() for line in flat.text.splitlines()}
    assert {"w_keys = allocate(int32, 4, shared)", "w_keys = allocate(int32, 16, shared)"} <= lines


@pytest.mark.parametrize("dtype", ["float32", "int8", "int64", "bool"])
def test_values_of_other_types(dtype: str) -> None:
    a = sp.csr_array(np.array([[1, 0, 2], [0, 0, 0], [1, 1, 1]])).astype(dtype)
    b = sp.csr_array(np.array([[1, 0, 3, 0], [0, 4, 1, 0], [1, 0, 0, 2]])).astype(dtype)
    kernel = hd.compile(SPGEMM, FORMATS, TABLES, "interpreter", dict.fromkeys("ABC", dtype))
    expected = (a.toarray() @ b.toarray()).astype(dtype)
    np.testing.assert_array_equal(kernel(A=a, B=b).to_numpy(), expected)


@pytest.mark.parametrize("dtype", ["float32", "int8", "uint16", "bool"])
def test_sums_of_values_of_other_types(dtype: str) -> None:
    a = sp.csr_array(np.array([[1, 0, 100], [0, 0, 0], [1, 1, 1]]).astype(dtype))
    b = sp.csr_array(np.array([[1, 3, 100], [0, 0, 0], [0, 4, 1]]).astype(dtype))
    kernel = hd.compile(f"C(i,j) = {ADDED}", FORMATS, collected(ADDED), "interpreter", dict.fromkeys("ABC", dtype))
    np.testing.assert_array_equal(kernel(A=a, B=b).to_numpy(), a.toarray() + b.toarray())


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("A(i,j) * B(i,j) + D(i,j)", "schedule/merge"),
        ("A(i,j) + x(j)", "schedule/merge"),
        ("A(i,j) + 1", "schedule/gpu-assembly"),
    ],
)
def test_what_is_not_a_sum_of_entries_is_refused(expression: str, code: str) -> None:
    """A table has entries alone: in the last one, all places without an entry were left out of the result."""
    formats = {name: "csr" for name in "ABCD" if f"{name}(" in f"C(i,j) = {expression}"}
    with pytest.raises(CompileError) as caught:
        hd.compile(f"C(i,j) = {expression}", formats, collected(expression), "interpreter")
    assert caught.value.diagnostics[0].code == code


def test_terms_of_another_type_are_not_summed_apart() -> None:
    """Each term would be rounded to the type of the table by itself."""
    dtypes = {"A": "int8", "B": "int64"}
    with pytest.raises(CompileError, match="merges"):
        hd.compile(f"C(i,j) = {ADDED}", FORMATS, collected(ADDED), "interpreter", dtypes)


def test_sums_in_a_fixed_order_are_merged() -> None:
    """By one thread each: three terms that meet in a table would be added by atomic updates."""
    statistics = {name: Statistics((50, 500), 5000, 50, 400, 0, 50) for name in "AB"}
    plan = plan_from_arguments(f"C(i,j) = {ADDED}", FORMATS, target="cuda")
    assert any("precompute" in command for command in suggest(plan, statistics).schedule)
    assert not any("Atomics" in command for command in suggest_in_fixed_order(plan, statistics).schedule)


def test_memory_is_bounded_by_the_products(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five entries in twenty million columns took a workspace of a row for each of 2,048 threads, or were refused."""
    gpu = executing_gpu(monkeypatch)
    columns = [0, 5, 9_999, 65_536, 12_345_678]
    b = sp.csr_array((np.arange(1.0, 6.0), ([0, 3, 2, 1, 7], columns)), shape=(8, 20_000_000))
    sizes: list[int] = []
    empty = gpu.empty

    def measured(shape: int, dtype: str) -> object:
        sizes.append(shape * np.dtype(dtype).itemsize)
        return empty(shape, dtype)

    monkeypatch.setattr(gpu, "empty", measured)
    kernel = hd.compile(SPGEMM, FORMATS, "", "cuda")
    product = kernel(A=sp.eye_array(8, format="csr"), B=b).to_scipy()
    assert (product != b).nnz == 0
    assert 0 < sum(sizes) < 4096


UNITS = {
    "lanes on entries in tiles": ("pos(jw, p, B)", "split(p, t, l, 4)", "parallelize(l, GPUThread, Atomics)"),
    "threads on rows of the other operand": ("parallelize(k, GPUThread, Atomics)",),
    "lanes alone": ("parallelize(jw, GPUThread, Atomics)",),
}


@pytest.mark.parametrize("name", UNITS)
def test_other_loops_on_units(name: str) -> None:
    schedule = (*TABLES[:2], *UNITS[name])
    check(SPGEMM, FORMATS, "\n".join(schedule), targets=("interpreter",), sizes={"i": 5, "j": 9, "k": 6})


def test_rows_of_two_dimensions() -> None:
    schedule = (
        "precompute(A(i,j,k) * B(k,l), l, lw, w)",
        "fuse(i, j, f)",
        "parallelize(f, GPUBlock, NoRaces)",
        "parallelize(k, GPUWarp, Atomics)",
        "parallelize(lw, GPUThread, Atomics)",
    )
    formats = {"A": "dense, dense, compressed", "B": "csr", "C": "dense, dense, compressed"}
    sizes = {"i": 2, "j": 3, "k": 4, "l": 5}
    check("C(i,j,l) = A(i,j,k) * B(k,l)", formats, "\n".join(schedule), targets=("interpreter",), sizes=sizes)
