"""``options={"schedule": "auto"}``: the schedule follows the operands, and says why."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.plan import plan_from_arguments
from heddle.runtime.devices.opencl_devices import devices
from heddle.runtime.packing.pack import pack
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.statistics import statistics_of
from heddle.tuning.search.automatic import AutomaticKernel
from tests.errors.expect import refusal

SPMV = "y(i) = A(i,j) * x(j)"
MACHINE = Machine(threads=2, vector_bytes=64, registers=32, cache_bytes=None)


def automatic(expression: str, formats: dict[str, str], target: str = "c") -> AutomaticKernel:
    return AutomaticKernel(plan_from_arguments(expression, formats, target=target), MACHINE)


def even(rows: int, length: int) -> scipy.sparse.csr_array:
    columns = (np.arange(rows)[:, None] + np.arange(length)).ravel() % rows
    values = np.arange(columns.size) % 7 + 1.0
    return scipy.sparse.csr_array((values, columns, np.arange(0, columns.size + 1, length)), shape=(rows, rows))


def skewed(rows: int, longest: int) -> scipy.sparse.csr_array:
    matrix = even(rows, 4).tolil()
    matrix[3, :longest] = 2.0
    return matrix.tocsr()


@pytest.mark.parametrize(
    ("matrix", "schedule", "reason"),
    [
        (
            even(40, 3),
            (),
            "About 120 operations: too few to be worth a second thread (a parallel region takes 8.0 µs).",
        ),
        (
            even(8000, 5),
            ("unroll(j, 4)", "balance(i, i0, i1, A, 2)", "parallelize(i0, CPUThread, NoRaces)"),
            "About 40,000 operations: one stretch of rows for each thread.",
        ),
        (
            even(80_000, 5),
            ("unroll(j, 4)", "parallelize(i, CPUThread, NoRaces)"),
            "Rows of A have similar lengths (the fullest has 1.0 times the mean): threads take whole rows.",
        ),
        (
            skewed(8000, 400),
            ("unroll(j, 4)", "balance(i, i0, i1, A, 2)", "parallelize(i0, CPUThread, NoRaces)"),
            "About 32,396 operations: one stretch of rows for each thread.",
        ),
        (
            skewed(20_000, 400),
            ("unroll(j, 4)", "balance(i, i0, i1, A, 16)", "parallelize(i0, CPUThread, NoRaces)"),
            "Rows of A differ 100-fold: balanced by nonzeros.",
        ),
    ],
)
def test_spmv_by_its_rows(matrix: scipy.sparse.csr_array, schedule: tuple[str, ...], reason: str) -> None:
    kernel = automatic(SPMV, {"A": "csr"})
    x = np.arange(matrix.shape[1]) % 5 - 2.0
    np.testing.assert_array_equal(kernel(A=matrix, x=x).to_numpy(), matrix @ x)
    assert kernel.suggestion.schedule == schedule
    assert reason in kernel.suggestion.reasons


def test_a_row_that_outweighs_a_thread_is_cut() -> None:
    rows = 4000
    matrix = scipy.sparse.lil_array((rows, 200_000))
    matrix[7, :] = 1.0
    kernel = automatic(SPMV, {"A": "csr"})
    x = np.arange(200_000) % 3 - 1.0
    np.testing.assert_array_equal(kernel(A=matrix.tocsr(), x=x).to_numpy(), matrix @ x)
    assert kernel.suggestion.schedule[:2] == ("fuse(i, j, f)", "pos(f, fpos, A)")
    assert kernel.suggestion.reasons == (
        "One row of A holds 100% of the nonzeros: tiles of 12,500 are cut inside rows.",
    )


@pytest.mark.parametrize(
    ("columns", "commands"),
    [
        (128, ("bound(k, kb, 128, MaxExact)", "split(kb, k0, k1, 32)")),
        (32, ("bound(k, k1, 32, MaxExact)", "reorder(i, j, k1)")),
        (48, ("bound(k, kb, 48, MaxExact)", "split(kb, k0, k1, 16)")),
        (16, ("bound(k, k1, 16, MaxExact)", "reorder(i, j, k1)")),
        (8, ("bound(k, k1, 8, MaxExact)", "reorder(i, j, k1)")),
        (40, ("bound(k, kb, 40, MaxExact)", "split(kb, k0, k1, 8)")),
        (33, ("split(k, k0, k1, 32)", "reorder(i, k0, j, k1)")),
        (512, ("split(k, k0, k1, 32)", "reorder(i, k0, j, k1)")),
    ],
)
def test_tiles_divide_the_columns_where_they_can(columns: int, commands: tuple[str, ...]) -> None:
    kernel = automatic("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}, "interpreter")
    matrix, other = even(6, 2), np.arange(6.0 * columns).reshape(6, columns)
    np.testing.assert_array_equal(kernel(A=matrix, B=other).to_numpy(), matrix @ other)
    assert kernel.suggestion.schedule[:2] == commands


def test_few_columns_are_not_tiled() -> None:
    kernel = automatic("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}, "interpreter")
    matrix, other = even(6, 2), np.arange(18.0).reshape(6, 3)
    np.testing.assert_array_equal(kernel(A=matrix, B=other).to_numpy(), matrix @ other)
    assert kernel.suggestion.rule == "driven-threads"


def test_the_same_operands_are_looked_at_once() -> None:
    kernel = automatic(SPMV, {"A": "csr"}, "interpreter")
    packed = pack(even(6, 2), "csr")
    kernel(A=packed, x=np.ones(6))
    first = kernel.suggestion
    kernel(A=packed, x=np.ones(6))
    assert kernel.suggestion is first


def test_the_option_makes_such_a_kernel() -> None:
    kernel = hd.compile(SPMV, {"A": "csr"}, options={"schedule": "auto"})
    assert isinstance(kernel, AutomaticKernel)
    np.testing.assert_array_equal(kernel(A=even(5, 2), x=np.ones(5)).to_numpy(), even(5, 2).sum(axis=1))


@pytest.mark.parametrize(
    ("options", "schedule", "code", "message"),
    [
        (
            {"shedule": "auto"},
            "",
            "plan/unknown-option",
            "There is no option shedule. The options are schedule, convert, deterministic.",
        ),
        ({"schedule": "best"}, "", "plan/option-value", "The option schedule must be 'auto', found 'best'."),
        (
            {"schedule": "auto"},
            "split(i, i0, i1, 4)",
            "plan/two-schedules",
            'A schedule is given, and options={"schedule": "auto"} asks for another. Leave one of them out.',
        ),
    ],
)
def test_options_that_are_refused(options: dict[str, object], schedule: str, code: str, message: str) -> None:
    diagnostic = refusal(lambda: hd.compile(SPMV, {"A": "csr"}, schedule, options=options))
    assert (diagnostic.code, diagnostic.message) == (code, message)


@pytest.mark.skipif(not devices(), reason="there is no OpenCL device: no wheel of a runtime for this machine")
def test_gpu_kernels_follow_their_operands() -> None:
    kernel = automatic(SPMV, {"A": "csr"}, "opencl")
    for matrix, reason in (
        (even(2000, 3), "are short and of similar length"),
        (skewed(2000, 300), "-fold: nonzeros in equal parts"),
    ):
        x = np.arange(matrix.shape[1]) % 5 - 2.0
        np.testing.assert_array_equal(kernel(A=matrix, x=x).to_numpy(), matrix @ x)
        assert reason in kernel.suggestion.reasons[0]


def test_the_same_matrix_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call of a kernel with SciPy's matrix took ten times as long as the kernel: it was counted again."""
    looks = []
    monkeypatch.setattr(
        "heddle.tuning.search.automatic.statistics_of", lambda tensor: looks.append(tensor) or statistics_of(tensor)
    )
    matrix = scipy.sparse.random_array((40, 30), density=0.2, format="csr", rng=np.random.default_rng(0))
    x, kernel = np.ones(30), hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"}, schedule="auto")
    for _ in range(3):
        np.testing.assert_allclose(kernel(A=matrix, x=x).to_numpy(), matrix @ x)
    assert len(looks) == 1
    matrix.data[:] = 2
    matrix.indices[matrix.indptr[0] : matrix.indptr[1]] = np.arange(matrix.indptr[1])
    np.testing.assert_allclose(kernel(A=matrix, x=x).to_numpy(), matrix @ x)
    other = scipy.sparse.csr_array(np.eye(40, 30))
    np.testing.assert_allclose(kernel(A=other, x=x).to_numpy(), other @ x)
    assert len(looks) == 2


def test_the_choice_of_the_call_before_is_made_again_for_what_differs() -> None:
    kernel = automatic(SPMV, {"A": "csr"}, "interpreter")
    matrices: list[Any] = [even(40, 3), skewed(8000, 400)]
    packed = [pack(matrix, "csr") for matrix in matrices]
    schedules = []
    for tensor, matrix in [*zip(packed, matrices, strict=True)] * 2:
        x = np.arange(matrix.shape[1]) % 5 + 1.0
        np.testing.assert_allclose(kernel(A=tensor, x=x).to_numpy(), matrix @ x)
        schedules.append(kernel.suggestion.schedule)
    assert schedules[0] == schedules[2] == ()
    assert schedules[1] == schedules[3] != ()
