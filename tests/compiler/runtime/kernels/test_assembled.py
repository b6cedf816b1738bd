"""Sparse results: what a kernel obtained becomes a tensor, lives while it is viewed, and returns to the pool then."""

from __future__ import annotations

import gc

import numpy as np
import pytest
import scipy.sparse as sp

from heddle.diagnostics import CompileError
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.memory.buffers import POOL, Memory
from heddle.runtime.packing.pack import pack
from tests.compiler.loop_ir.assembly_kernels import KERNELS, by_list
from tests.compiler.loop_ir.sparse_sums import operands
from tests.compiler.runtime.sums import doubled, matrix_sum

TARGETS = ["c", "interpreter"]


@pytest.fixture
def freed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The addresses that were given back to the pool."""
    gc.collect()
    addresses: list[int] = []
    take_back = POOL.take_back

    def recorded(memory: Memory) -> None:
        addresses.append(memory.address)
        take_back(memory)

    monkeypatch.setattr(POOL, "take_back", recorded)
    return addresses


@pytest.mark.combinations(4, "name", "target")
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", KERNELS)
def test_sparse_results(name: str, target: str) -> None:
    kernel = Kernel(matrix_sum(KERNELS[name], target))
    for shape in ((7, 9), (0, 3), (3, 0), (1, 1)):
        matrices = operands(*shape)
        result = kernel(**matrices)
        expected = sp.csr_array(matrices["B"] + matrices["C"])
        assert result.shape == shape
        assert result.stored == expected.nnz
        np.testing.assert_array_equal(result.to_numpy(), expected.toarray())
        scipy_result = result.to_scipy()
        assert isinstance(scipy_result, sp.csr_array)
        assert scipy_result.has_canonical_format
        np.testing.assert_array_equal(scipy_result.toarray(), expected.toarray())


@pytest.mark.parametrize("target", TARGETS)
def test_a_bound_call_makes_a_new_result_each_time(target: str) -> None:
    matrices = operands(6, 8)
    call = Kernel(matrix_sum(by_list(), target)).bind(**matrices)
    assert (call.output.shape, call.output.stored) == ((6, 8), 0)
    np.testing.assert_array_equal(call.output.to_numpy(), np.zeros((6, 8)))
    call.run()
    first = call.output
    before = first.to_numpy()
    matrices["B"].data[:] = 0.5
    call.run()
    np.testing.assert_array_equal(first.to_numpy(), before)
    np.testing.assert_array_equal(call.output.to_numpy(), (matrices["B"] + matrices["C"]).toarray())
    assert not np.shares_memory(first.vals, call.output.vals)


def test_memory_returns_to_the_pool_with_the_last_view(freed: list[int]) -> None:
    call = Kernel(matrix_sum(by_list())).bind(**operands(6, 8))
    call.run()
    tensor = call.output
    owned = sorted(array.ctypes.data for array in tensor.arrays().values())
    assert all(address % 64 == 0 for address in owned)
    view = tensor.vals[2:4]
    call.run()
    assert freed == []
    del tensor
    gc.collect()
    assert sorted([*freed, view.ctypes.data - 16]) == owned
    del view
    gc.collect()
    assert sorted(freed) == owned


def test_a_failed_kernel_gives_back_what_it_obtained(freed: list[int]) -> None:
    matrices = {name: sp.csr_array(np.ones((2, 64))) for name in "BC"}
    call = Kernel(matrix_sum(by_list(pos_dtype="int8"))).bind(**matrices)
    with pytest.raises(CompileError):
        call.run()
    gc.collect()
    assert len(freed) == 1  # the positions; the rest was not allocated yet


def test_released_memory_is_used_again() -> None:
    kernel, matrices = Kernel(matrix_sum(by_list())), operands(60, 80)
    result = kernel(**matrices)
    owned = {array.ctypes.data for array in result.arrays().values()}
    del result
    gc.collect()
    assert owned & {array.ctypes.data for array in kernel(**matrices).arrays().values()}


@pytest.mark.parametrize("target", TARGETS)
def test_a_result_that_cannot_be_counted(target: str) -> None:
    matrices = {name: sp.csr_array(np.ones((2, 64))) for name in "BC"}
    with pytest.raises(CompileError) as caught:
        Kernel(matrix_sum(by_list(pos_dtype="int8"), target))(**matrices)
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.code == "runtime/index-overflow"
    assert diagnostic.message == "The result A has more entries than its positions, which are int8, can count."
    assert diagnostic.expected == "a result with at most 127 entries"
    assert diagnostic.hint == "Use smaller operands, or compute A in parts."


@pytest.mark.parametrize("target", TARGETS)
def test_the_pattern_of_a_packed_operand_is_not_copied(target: str) -> None:
    matrix = operands(5, 6)["B"]
    kernel = Kernel(doubled(target))
    call = kernel.bind(B=pack(matrix, "csr"))
    call.run()
    operand = call.operands["B"]
    assert call.output.levels[1].pos is operand.levels[1].pos
    assert call.output.levels[1].crd is operand.levels[1].crd
    np.testing.assert_array_equal(call.output.to_numpy(), 2 * matrix.toarray())
    address = call.output.vals.ctypes.data
    call.run()
    assert call.output.vals.ctypes.data == address
    assert kernel(B=sp.csr_array((0, 4))).stored == 0
