"""``tests/gpu`` itself, on a stand-in for a GPU: what it asks of CuPy and of Heddle is there, and its checks hold."""

from __future__ import annotations

import sys

import pytest

from tests.benchmarks.gpu.cusparse_stand_in import cusparse
from tests.benchmarks.gpu.gpu_machine import gpu_machine
from tests.compiler.codegen.gpu import gpu_cases
from tests.gpu import test_cusparse, test_mttkrp_on_a_gpu, test_resident_operands, test_schedules_on_a_gpu


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = gpu_machine(monkeypatch)
    monkeypatch.setitem(sys.modules, "cupy", gpu)  # type: ignore[arg-type]
    cusparse(monkeypatch, gpu)


@pytest.mark.combinations(2)
@pytest.mark.parametrize("dtype", gpu_cases.OPERATORS)
def test_reductions(dtype: str) -> None:
    test_schedules_on_a_gpu.test_every_reduction_in_every_way(dtype)


def test_warps() -> None:
    test_schedules_on_a_gpu.test_warps_of_one_block_go_different_ways()


@pytest.mark.parametrize("name", ["A.2 SpMV", "SpGEMM into CSR, lists in registers"])
def test_schedules(name: str) -> None:
    test_schedules_on_a_gpu.test_the_result_is_right(name)


def test_mttkrp() -> None:
    test_mttkrp_on_a_gpu.test_the_result_is_right(3, test_mttkrp_on_a_gpu.Form.C, 1)


@pytest.mark.parametrize("format", test_resident_operands.CASES)
def test_operands(format: str) -> None:
    test_resident_operands.test_spmv(format)


def test_sparse_results() -> None:
    test_resident_operands.test_a_sparse_result_is_a_matrix_of_cupyx()


def test_streams() -> None:
    test_resident_operands.test_a_stream_of_ones_own()


def test_products_by_cusparse() -> None:
    test_cusparse.test_products_are_right("C(j,k) = A(i,j) * B(i,k)", "float64")
