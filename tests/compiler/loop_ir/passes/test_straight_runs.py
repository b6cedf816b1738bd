"""Fused loops over elements that lie one after the other count straight on; over all others they find their parts."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.loop_ir.passes.delinearization import straight_runs
from heddle.lowering.environment.same_sizes import same_sizes
from heddle.lowering.function import lower
from heddle.lowering.kernel_symbols import allocate_kernel_symbols

SUM = "C(i,j,k) = A(i,j,k) + B(i,j,k)"


def text(expression: str, schedule: str, formats: dict[str, str] | None = None, language: str = "notation") -> str:
    result = hd.lower(expression, formats or {}, schedule, language=language)
    result.raise_errors()
    assert result.source is not None
    return " ".join(result.source.text.split())


def test_all_loops_of_a_dense_sum_are_one_run() -> None:
    source = text(SUM, "fuse(i, j, x); fuse(x, k, y); parallelize(y, CPUVector, NoRaces)")
    assert "for (int64_t y = 0;" in source
    assert "C_vals[y] = A_vals[y] + B_vals[y];" in source or "int64_t kA = y;" in source
    assert "%" not in source
    assert " / " not in source


def test_only_rows_that_lie_together_are_one_run() -> None:
    """A transposed operand has its elements elsewhere: it needs both coordinates, the others count on."""
    source = text("C(i,j) = A(i,j) + B(j,i)", "fuse(i, j, f)")
    assert "int64_t jA = f;" in source
    assert "f % A2_dimension" in source


def test_a_row_in_the_middle_keeps_what_is_around_it() -> None:
    source = text("C(i,j,k) = A(i,j,k) * 2", "fuse(j, k, f)")
    assert "int64_t kA = i * A2_dimension * A3_dimension + f;" in source
    assert "int64_t kC = i * C2_dimension * C3_dimension + f;" in source


def test_an_operand_that_is_larger_than_the_loops_is_no_run() -> None:
    """Its rows have elements behind those that are read."""
    program = "def f(float(N,M) A, float(K) b) -> (O) { O(i,j) = A(i,j) * b(j) where j in 0:K }"
    source = text(program, "fuse(i, j, f)", language="comprehension")
    assert "f % b1_dimension" in source
    a, b = np.arange(12, dtype="float32").reshape(3, 4), np.array([2, 3], dtype="float32")
    kernel = hd.compile(program, language="comprehension", schedule="fuse(i, j, f)")
    np.testing.assert_array_equal(kernel(A=a, b=b).to_numpy(), a[:, :2] * b)


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_sizes_that_a_program_names_alike_are_the_same(target: str) -> None:
    program = "def f(float(N,M) A, float(N,M) B) -> (O) { O(i,j) = A(i,j) * B(i,j) }"
    kernel = hd.compile(program, language="comprehension", schedule="fuse(i, j, f)", target=target)
    assert target == "interpreter" or "%" not in str(kernel.source)
    for shape in ((3, 5), (1, 1), (0, 4), (4, 0)):
        a = np.arange(shape[0] * shape[1], dtype="float32").reshape(shape)
        np.testing.assert_array_equal(kernel(A=a, B=a + 1).to_numpy(), a * (a + 1))


def test_sizes_by_their_names() -> None:
    result = hd.lower("C(i,j) = A(i,k) * B(k,j)")
    assert result.lowered_graph is not None
    kernel = allocate_kernel_symbols(result.lowered_graph)
    same = same_sizes(kernel)
    assert same["C1_dimension"] == same["A1_dimension"]
    assert same["B1_dimension"] == same["A2_dimension"]
    assert same["C2_dimension"] != same["C1_dimension"]
    function = lower(kernel)
    assert straight_runs(function, same) is function  # nothing was fused
