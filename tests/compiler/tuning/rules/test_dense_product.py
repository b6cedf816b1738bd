"""Dense products: which tiles are chosen, that every spelling of a matrix product has them, and what has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

import heddle as hd
from heddle.plan import Plan, TensorSpec, plan_from_arguments
from heddle.tuning.facts.machine import Machine
from heddle.tuning.search.suggest import proposals, suggest

pytestmark = pytest.mark.takes_turns(4)

MACHINE = Machine(threads=2, vector_bytes=32, registers=16, cache_bytes=32 << 20)
TMM = "def tmm(float(M,K) A, float(N,K) B) -> (C) { C(m,n) +=! A(m,kk) * B(n,kk) }"
SPELLINGS = [
    ("C(i,j) = A(i,k) * B(k,j)", "ik,kj->ij", {}),
    ("C(i,j) = B(j,k) * A(i,k)", "ik,jk->ij", {}),
    ("C(i,j) = A(k,i) * B(k,j)", "ki,kj->ij", {}),
    ("C(i,j) = A(i,k) * B(k,j)", "ik,kj->ij", {"C": "dense, dense : 1,0"}),
    ("C(b,i,j) = A(b,i,k) * B(b,j,k)", "bik,bjk->bij", {}),
    ("C(b,i,j) = A(b,i,k) * B(k,j)", "bik,kj->bij", {}),
    ("C(i,b,j) = A(i,b,k) * B(b,k,j)", "ibk,bkj->ibj", {}),
]
SIZES = {"b": 3, "i": 121, "j": 101, "k": 9}


@pytest.mark.combinations(2, "formats")
@pytest.mark.parametrize(("text", "einsum", "formats"), SPELLINGS)
def test_every_spelling_of_a_product_has_tiles_and_is_right(text: str, einsum: str, formats: Mapping[str, str]) -> None:
    """Neither dimension is a multiple of a tile."""
    subscripts = dict(zip(("A", "B"), einsum.split("->")[0].split(","), strict=True))
    rng = np.random.default_rng(0)
    operands = {name: rng.random([SIZES[one] for one in own]) for name, own in subscripts.items()}
    shapes = {name: one.shape for name, one in operands.items()}
    found = suggest(plan_from_arguments(text, formats, shapes=shapes), None, MACHINE)
    assert found.rule == "dense-product"
    for target in ("c", "interpreter") if einsum == "ik,jk->ij" else ("c",):
        kernel = hd.compile(text, formats=formats, schedule="; ".join(found.schedule), target=target)
        expected = np.einsum(einsum, *operands.values())
        np.testing.assert_allclose(kernel(**operands).to_numpy(), expected, rtol=1e-12)


def test_a_long_sum_goes_over_parts_whose_columns_stay_in_the_first_cache() -> None:
    """128 × 16384 × 4096 reached 0.59 of MKL: each tile read 256 KB of columns for each six rows."""
    rng = np.random.default_rng(0)
    a, b = rng.random((20, 1100), dtype="float32"), rng.random((17, 1100), dtype="float32")
    plan = Plan(TMM, language="comprehension", tensors={n: TensorSpec(shape=v.shape) for n, v in (("A", a), ("B", b))})
    found = suggest(plan, {}, MACHINE)
    assert found.schedule[:3] == (
        "split(n, n0, n1, 16)",
        "split(kk, kk0, kk1, 367)",
        "reorder(n0, kk0, kk1, n1, m)",
    )
    assert "The sum goes over 367 at a time: so many rows of the copy stay in the first cache." in found.reasons
    kernel = hd.compile(TMM, language="comprehension", schedule="; ".join(found.schedule))
    np.testing.assert_allclose(kernel(A=a, B=b).to_numpy(), a @ b.T, rtol=1e-5)


def test_a_comprehension_has_them_before_its_statements() -> None:
    shapes = {"A": (128, 512), "B": (1024, 512)}
    plan = Plan(TMM, language="comprehension", tensors={name: TensorSpec(shape=one) for name, one in shapes.items()})
    found = list(proposals(plan, {}, MACHINE))
    assert [one.rule for one in found][:2] == ["dense-product", "statements"]
    assert found[0].schedule == (
        "split(n, n0, n1, 16)",
        "reorder(n0, kk, n1, m)",
        "precompute(B(n,kk), {kk, n1}, {kkp, n1p}, P)",
        "split(m, m0, m1, 6)",
        "reorder(m0, kk, m1, n1)",
        "precompute(A(m,kk) * P(kk,n1), {m1, n1}, {m1w, n1w}, w)",
        "unroll(m1w, 6)",
        "unroll(m1, 6)",
        "parallelize(n1w, CPUVector, NoRaces)",
        "parallelize(n1, CPUVector, NoRaces)",
        "parallelize(n0, CPUThread, NoRaces)",
    )
    assert found[0].reasons == (
        "6 rows times 16 columns of C stay in registers across the sum over kk.",
        "The 16 columns of B are copied side by side, once for all 128 rows.",
        "Threads share the iterations of n0.",
    )
    rng = np.random.default_rng(1)
    operands = {name: rng.random((one[0], 64), dtype="float32") for name, one in shapes.items()}
    kernel = hd.compile(TMM, language="comprehension", schedule="; ".join(found[0].schedule))
    np.testing.assert_allclose(kernel(**operands).to_numpy(), operands["A"] @ operands["B"].T, rtol=1e-5)


@pytest.mark.parametrize(
    ("text", "formats", "a", "b"),
    [
        ("C(i,j) = A(i,k) * B(k,j)", {}, (120, 64), None),  # unknown columns
        ("C(i,j) = A(i,k) * B(k,j)", {}, (120, 64), (64, 1)),  # one column
        ("C(i,j) = A(i,k) * B(k,j)", {}, (6, 64), (64, 64)),  # too few rows for a copy
        ("C(i,j) = A(i,k) * B(k,j)", {}, (120, 2), (2, 64)),  # too short a sum
        ("C(i,j) = A(i,k) * B(k,j)", {"A": "csr"}, (120, 64), (64, 64)),
        ("C(i,j) = A(i,k) * B(k,j)", {"C": "csr"}, (120, 64), (64, 64)),
        ("C(i,j) = A(i,k) + B(k,j)", {}, (120, 64), (64, 64)),
        ("C(i,j) = A(i,j) * B(i,j)", {}, (64, 64), (64, 64)),
        ("C(j) = A(k) * B(k,j)", {}, (64,), (64, 64)),
        ("C(i,j) = A(i,i) * B(i,j)", {}, (64, 64), (64, 64)),
    ],
)
def test_what_is_no_product_of_dense_matrices_or_gains_nothing_has_other_schedules(
    text: str, formats: Mapping[str, str], a: tuple[int, ...], b: tuple[int, ...] | None
) -> None:
    plan = plan_from_arguments(text, formats, shapes={"A": a} | ({} if b is None else {"B": b}))
    assert all(one.rule != "dense-product" for one in proposals(plan, {}, MACHINE))


@pytest.mark.combinations(2)
@pytest.mark.parametrize(("rows", "columns"), [(26, 26), (13, 31), (50, 19), (9, 2), (10, 3)])
def test_columns_that_fill_no_tile_are_computed_with_zeros_beside_them(rows: int, columns: int) -> None:
    """Dot products, which these were until then, take 1.3 to 4.6 times as long."""
    shapes = {"A": (rows, 40), "B": (40, columns)}
    found = suggest(plan_from_arguments("C(i,j) = A(i,k) * B(k,j)", {}, shapes=shapes), None, MACHINE)
    assert found.rule == "dense-product"
    kernel = hd.compile("C(i,j) = A(i,k) * B(k,j)", schedule="; ".join(found.schedule))
    rng = np.random.default_rng(2)
    operands = {name: rng.random(shape) for name, shape in shapes.items()}
    np.testing.assert_allclose(kernel(**operands).to_numpy(), operands["A"] @ operands["B"], rtol=1e-12)


@pytest.mark.parametrize(
    ("threads", "sizes", "said"),
    [
        (1, (1200, 64, 64), "One thread: the loops stay sequential."),
        (2, (48, 16, 48), "About 36,864 operations: too few to be worth a second thread"),
        (8, (1200, 512, 32), "4 iterations of j0 are too few for 8 threads."),
    ],
)
def test_threads_share_tiles_where_it_pays(threads: int, sizes: tuple[int, int, int], said: str) -> None:
    rows, summed, columns = sizes
    plan = plan_from_arguments(SPELLINGS[0][0], {}, shapes={"A": (rows, summed), "B": (summed, columns)})
    found = suggest(plan, None, replace(MACHINE, threads=threads))
    assert found.rule == "dense-product"
    assert found.reasons[-1].startswith(said)
    assert not any("CPUThread" in command for command in found.schedule)


@pytest.mark.parametrize(
    ("vector_bytes", "registers", "columns", "rows", "tile"),
    [
        (64, 32, 96, 128, (8, 16)),
        (32, 16, 96, 128, (6, 8)),
        (16, 16, 96, 128, (6, 4)),
        (32, 16, 44, 96, (6, 8)),  # the 4 columns left over are computed beside zeros
    ],
)
def test_tiles_fill_the_registers_of_the_class(
    vector_bytes: int, registers: int, columns: int, rows: int, tile: tuple[int, int]
) -> None:
    plan = plan_from_arguments(SPELLINGS[0][0], {}, shapes={"A": (rows, 64), "B": (64, columns)})
    found = suggest(plan, None, Machine(1, vector_bytes, registers, 32 << 20))
    height, width = tile
    assert f"{height} rows times {width} columns of C stay in registers across the sum over k." in found.reasons


def test_vectors_of_64_bytes_leave_fewer_columns_over() -> None:
    """Two vectors of 16 columns each for 33 columns computed 31 more; eight sums hide the time that one takes."""
    shapes = {"A": (40, 64), "B": (64, 33)}
    dtypes = dict.fromkeys(shapes, "float32")
    plan = plan_from_arguments("C(i,j) = A(i,k) * B(k,j)", {}, dtypes=dtypes, shapes=shapes)
    schedule = suggest(plan, None, replace(MACHINE, vector_bytes=64, registers=32)).schedule
    assert {"split(j, j0, j1, 16)", "split(i, i0, i1, 8)"} <= {*schedule}


@pytest.mark.parametrize(
    ("text", "rows", "said"),
    [
        ("Z(b,n,k) = X(b,n,m) * Y(b,k,m)", 26, True),
        ("Z(b,n,k) = X(b,n,m) * Y(b,m,k)", 26, False),
        ("Z(b,n,k) = X(b,n,m) * Y(b,k,m)", 128, False),
    ],
)
def test_a_copy_that_few_rows_repay_is_said_to_be_dear(text: str, rows: int, said: bool) -> None:
    """Batches of 26 × 26 × 72, transposed, take up to twice as long as NumPy's."""
    right = (50, 26, 72) if "Y(b,k,m)" in text else (50, 72, 26)
    suggestion = suggest(plan_from_arguments(text, {}, shapes={"X": (50, rows, 72), "Y": right}), None, MACHINE)
    sentence = (
        "Y is stored along m, and k fills no tile: for 26 rows its copy takes about as long as the sums, so that a "
        "library may be ahead."
    )
    assert suggestion.rule == "dense-product"
    assert (sentence in suggestion.reasons) is said


GCONV = (
    "def gconv(float(N,G,C,H,W) I, float(G,F,C,KH,KW) K) -> (O) "
    "{ O(n,g,o,h,w) +=! I(n,g,i,h+kh,w+kw) * K(g,o,i,kh,kw) }"
)
COPY_IN_LANES = "parallelize(w1p, CPUVector, NoRaces)"


@pytest.mark.combinations(2)
@pytest.mark.parametrize(
    ("channels", "side", "columns", "rows"),
    [
        (16, 14, 16, 5),  # 12 columns
        (4, 56, 16, 4),  # too few rows for columns that are copied along rows
        (9, 12, 8, 8),  # 10 columns, and a row that is left over
    ],
)
def test_windows_are_copied_in_lanes(channels: int, side: int, columns: int, rows: int) -> None:
    shapes = {"I": (2, 3, channels, side, side), "K": (3, channels, channels, 3, 3)}
    found = suggest(plan_from_arguments(GCONV, language="comprehension", shapes=shapes), {}, MACHINE)
    assert found.rule == "dense-product"
    assert f"split(w, w0, w1, {columns})" in found.schedule
    assert f"split(o, o0, o1, {rows})" in found.schedule
    assert COPY_IN_LANES in found.schedule
    rng = np.random.default_rng(channels)
    image, filters = (rng.integers(-4, 4, shape).astype("float32") for shape in shapes.values())
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), (3, 4))
    expected = np.einsum("ngihwyx,goiyx->ngohw", windows, filters, optimize=True)
    kernel = hd.compile(GCONV, language="comprehension", schedule="; ".join(found.schedule))
    np.testing.assert_array_equal(kernel(I=image, K=filters).to_numpy(), expected)


def test_windows_with_few_columns_have_tiles_of_half_a_vector() -> None:
    """5 of 16 lanes of AVX-512, and 5 of 8 of AVX2, which has no half that pays."""
    wide = replace(MACHINE, vector_bytes=64, registers=32)
    shapes = {"I": (2, 3, 8, 7, 7), "K": (3, 8, 8, 3, 3)}
    for machine in (wide, MACHINE):
        plan = plan_from_arguments(GCONV, language="comprehension", shapes=shapes)
        assert "split(w, w0, w1, 8)" in suggest(plan, {}, machine).schedule


def test_three_rows_of_windows_and_turned_copies_stay_as_they_were() -> None:
    shapes = {"I": (2, 3, 4, 56, 56), "K": (3, 3, 4, 3, 3)}
    assert (
        suggest(plan_from_arguments(GCONV, language="comprehension", shapes=shapes), {}, MACHINE).rule == "statements"
    )
    turned = {"A": (128, 512), "B": (1024, 512)}
    assert not any(
        command.startswith("parallelize(n1p")
        for command in suggest(plan_from_arguments(TMM, language="comprehension", shapes=turned), {}, MACHINE).schedule
    )
