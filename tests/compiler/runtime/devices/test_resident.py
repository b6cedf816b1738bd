"""Operands on a GPU are taken where they are, and the result stays there; wrong ones are refused with a reason."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.runtime.tensors.tensor import LevelArrays, Tensor
from heddle.tuning.search.automatic import AutomaticKernel
from tests.compiler.runtime.devices.recorded_gpu import DeviceArray, RecordedGpu, sparse

ROWS = "split(i, block, thread, 4)\nparallelize(block, GPUBlock, NoRaces)\nparallelize(thread, GPUThread, NoRaces)"
ENTRIES = (
    "fuse(i, j, f)\npos(f, p, A)\nsplit(p, block, thread, 4)\nparallelize(block, GPUBlock, IgnoreRaces)\n"
    "parallelize(thread, GPUThread, Atomics)"
)
SPMV = "y(i) = A(i,j) * x(j)"


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> RecordedGpu:
    made = RecordedGpu()
    made.use(monkeypatch)
    return made


def csr(gpu: RecordedGpu) -> Any:
    """[[1, 0, 2], [0, 0, 0], [0, 3, 0]]"""
    return sparse(gpu, "csr", (3, 3), [1.0, 2, 3], [0, 2, 2, 3], [0, 2, 1])


def test_nothing_is_copied_in_either_direction(gpu: RecordedGpu) -> None:
    kernel = hd.compile(SPMV, {"A": "csr"}, ROWS, "cuda")
    matrix, x = csr(gpu), gpu.array([1.0, 10, 100])
    call = kernel.bind(A=matrix, x=x)
    call.run()
    assert gpu.recorded.to_device == []
    assert gpu.recorded.to_host == []
    (launch,) = gpu.recorded.launches
    given = {array.address for array in launch.arguments if isinstance(array, DeviceArray)}
    assert given == {a.address for a in (matrix.indptr, matrix.indices, matrix.data, x, call.output.vals)}
    assert call.output.to_cupy().address == call.output.vals.address


def test_a_launch_tells_its_registers_and_how_full_they_leave_the_gpu(gpu: RecordedGpu) -> None:
    rows = ROWS.replace("thread, 4)", "thread, 256)")
    call = hd.compile(SPMV, {"A": "csr"}, rows, "cuda").bind(A=csr(gpu), x=gpu.array([1.0, 10, 100]))
    call.run()
    assert call.device is not None
    (launched,) = call.device.launched()
    # 64 registers for each of 65536 // 64 = 1024 threads at once, of the 2048 that fit on an H100.
    assert (launched.blocks, launched.threads, launched.registers, launched.occupancy) == (1, 256, 64, 0.5)


def test_the_host_reads_how_many_entries_there_are_once(gpu: RecordedGpu) -> None:
    call = hd.compile(SPMV, {"A": "csr"}, ENTRIES, "cuda").bind(A=csr(gpu), x=gpu.array([1.0, 10, 100]))
    call.run()
    call.run()
    assert gpu.recorded.to_host == [4]
    assert gpu.recorded.to_device == []


def test_new_values_on_the_host_are_copied_at_each_run(gpu: RecordedGpu) -> None:
    call = hd.compile(SPMV, {"A": "csr"}, ROWS, "cuda").bind(A=hd.pack(np.eye(3), "csr"), x=np.ones(3))
    assert sorted(gpu.recorded.to_device) == [12, 16, 24]  # crd, pos, vals
    for count in (1, 2):
        call.run()
        assert sorted(gpu.recorded.to_device) == [12, 16, *[24] * (1 + count)]


def test_packed_operands_are_copied_when_they_are_bound_and_results_when_it_runs(gpu: RecordedGpu) -> None:
    call = hd.compile(SPMV, {"A": "csr"}, ROWS, "cuda").bind(A=hd.pack(np.eye(3), "csr"), x=hd.pack(np.ones(3)))
    copied = sorted(gpu.recorded.to_device)
    assert copied == [12, 16, 24, 24]  # crd, pos, vals, x
    call.run()
    call.run()
    assert sorted(gpu.recorded.to_device) == copied
    assert gpu.recorded.to_host == [24, 24]
    assert not call.output.resident


@pytest.mark.parametrize("format", ["csr", "coo", "dcsr", "ell", "sell(2)"])
def test_a_tensor_goes_to_the_gpu_once_for_all_kernels(gpu: RecordedGpu, format: str) -> None:
    packed = hd.pack(scipy.sparse.csr_array(np.diag([1.0, 2, 3])), format)
    there, x = packed.on_gpu(), hd.pack(np.ones(3), "dense").on_gpu()
    assert sum(gpu.recorded.to_device) == packed.nbytes + 24
    assert (there.resident, there.on_gpu(), there.fill) == (True, there, 0)
    copied = list(gpu.recorded.to_device)
    for _ in range(2):
        hd.compile(SPMV, {"A": format}, target="cuda").bind(A=there, x=x).run()
    assert gpu.recorded.to_device == copied
    np.testing.assert_array_equal(there.to_numpy(), packed.to_numpy())


def test_a_tensor_is_looked_at_before_it_goes_to_the_gpu(gpu: RecordedGpu) -> None:
    pos, crd = np.array([0, 1], dtype="int32"), np.array([7], dtype="int32")
    levels = (LevelArrays(), LevelArrays(pos, crd))
    wrong = Tensor((1, 3), hd.pack(np.eye(3), "csr").format, "float64", levels, np.ones(1))
    with pytest.raises(CompileError, match="level 2"):
        wrong.on_gpu()
    assert gpu.recorded.to_device == []


def test_a_result_is_where_any_operand_is(gpu: RecordedGpu) -> None:
    call = hd.compile(SPMV, {"A": "csr"}, ROWS, "cuda").bind(A=hd.pack(np.eye(3), "csr"), x=gpu.array([1.0, 2, 3]))
    call.run()
    assert call.output.resident
    assert gpu.recorded.to_host == []
    assert isinstance(call.output.to_numpy(), np.ndarray)
    assert gpu.recorded.to_host == [24]


def test_coordinates_need_no_copy_either(gpu: RecordedGpu) -> None:
    matrix = sparse(gpu, "coo", (3, 3), [1.0, 2, 3], [0, 0, 2], [0, 2, 1])
    call = hd.compile(SPMV, {"A": "coo"}, ENTRIES, "cuda").bind(A=matrix, x=gpu.array([1.0, 10, 100]))
    call.run()
    assert gpu.recorded.to_device == [8]  # where the entries start and end


def test_a_sparse_result_shares_no_memory_with_its_operand(gpu: RecordedGpu, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    module = SimpleNamespace(csr_matrix=lambda arrays, shape: made.append(arrays) or "matrix")
    monkeypatch.setitem(sys.modules, "cupyx.scipy.sparse", module)
    kernel = hd.compile("C(i,j) = 2 * A(i,j)", {"A": "csr", "C": "csr"}, ROWS, "cuda")
    matrix = csr(gpu)
    result = kernel(A=matrix)
    assert result.to_cupy() == "matrix"
    ((values, columns, rows),) = made
    addresses = {array.address for array in (values, columns, rows, *(a for _, a in result.arrays().items()))}
    assert len(addresses) == 6
    assert not addresses & {matrix.indices.address, matrix.indptr.address, matrix.data.address}


def test_a_result_that_is_counted_stays_on_the_gpu(gpu: RecordedGpu) -> None:
    kernel = hd.compile("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr", "C": "csr"}, ROWS, "cuda")
    call = kernel.bind(A=csr(gpu), B=csr(gpu))
    call.run()
    assert call.output.resident
    assert gpu.recorded.to_device == []
    assert gpu.recorded.to_host == [4]  # how many entries there are
    count, fill = gpu.recorded.launches
    obtained = {array.address for array in fill.arguments if isinstance(array, DeviceArray)}
    assert {array.address for array in (call.output.vals, call.output.levels[1].pos)} <= obtained
    assert call.output.levels[1].pos.address in {a.address for a in count.arguments if isinstance(a, DeviceArray)}


def test_a_kernel_runs_on_the_current_stream_and_is_timed_by_events(gpu: RecordedGpu) -> None:
    call = hd.compile(SPMV, {"A": "csr"}, ENTRIES, "cuda").bind(A=csr(gpu), x=gpu.array([1.0, 10, 100]))
    gpu.stream = "mine"
    call.run()
    assert {launch.stream for launch in gpu.recorded.launches} == {"mine"}
    assert gpu.recorded.waited == ["mine"]
    assert call.device is not None
    assert call.device.seconds() == pytest.approx(1e-3)  # one pair around the zeros of the result and the launch
    assert call.device.seconds() == 0
    call.run()
    call.run()
    assert call.device.seconds() == pytest.approx(2e-3)


def test_a_run_waits_for_what_was_bound_on_another_stream(gpu: RecordedGpu) -> None:
    gpu.stream = "copies"
    call = hd.compile(SPMV, {"A": "csr"}, ROWS, "cuda").bind(A=hd.pack(np.eye(3), "csr"), x=hd.pack(np.ones(3)))
    gpu.stream = "kernels"
    call.run()
    assert gpu.recorded.ordered == [("copies", "kernels")]
    call.run()
    assert gpu.recorded.ordered == [("copies", "kernels")]


def test_a_run_waits_for_pytorch(gpu: RecordedGpu, monkeypatch: pytest.MonkeyPatch) -> None:
    """An operand of its may still be computed when it is bound, and again before each run."""
    current = SimpleNamespace(cuda_stream=4711)
    torch = SimpleNamespace(cuda=SimpleNamespace(is_initialized=lambda: True, current_stream=lambda: current))
    monkeypatch.setitem(sys.modules, "torch", torch)
    asked: list[str] = []

    class TorchTensor:
        """PyTorch has types of its own, its interface names no stream, and its DLPack lets ``stream`` wait for its."""

        __cuda_array_interface__: ClassVar[dict[str, object]] = {"version": 2, "typestr": "<f8"}
        dtype, shape, ndim = "torch.float64", (3,), 1

        def __dlpack__(self, stream: str) -> DeviceArray:
            asked.append(stream)
            return gpu.array([1.0, 10, 100])

    call = hd.compile(SPMV, {"A": "csr"}, ROWS, "cuda").bind(A=csr(gpu), x=TorchTensor())
    assert asked == ["default"]
    call.run()
    current.cuda_stream = 0  # CuPy's as well
    call.run()
    assert gpu.recorded.ordered == [("at 4711", "default")]


def test_a_kernel_is_loaded_on_each_gpu_that_it_runs_on(gpu: RecordedGpu) -> None:
    call = hd.compile(SPMV, {"A": "csr"}, ROWS, "cuda").bind(A=csr(gpu), x=gpu.array([1.0, 10, 100]))
    loaded: list[str] = []
    kernel = gpu.kernel
    gpu.kernel = lambda text, name: loaded.append(name) or kernel(text, name)  # type: ignore[method-assign]
    call.run()
    assert loaded == []
    gpu.cuda.Device = lambda: SimpleNamespace(id=1, compute_capability="80")
    call.run()
    call.run()
    assert loaded == [launch.kernel for launch in gpu.recorded.launches[-1:]]


def test_a_kernel_that_accumulates_starts_from_the_values_on_the_gpu(gpu: RecordedGpu) -> None:
    kernel = hd.compile("y(i) += A(i,j) * x(j)", {"A": "csr"}, ROWS, "cuda")
    call = kernel.bind(A=csr(gpu), x=gpu.array([1.0, 10, 100]), y=gpu.array([1.0, 2, 3]))
    call.run()
    assert gpu.recorded.to_device == []
    assert call.output.to_numpy().tolist() == [1, 2, 3]  # no kernel has run here


REFUSED = {
    "A is on the GPU as csc, but the kernel was compiled for csr": {"format": "csc"},
    "A is on the GPU as float32 values, but the kernel was compiled for float64 values": {"dtype": "float32"},
    "A is on the GPU with coordinates outside its shape": {"indices": [0, 3, 1]},
    "A is on the GPU with coordinates that are not in ascending order in their rows": {"indices": [2, 0, 1]},
    "A is on the GPU with positions that decrease": {"indptr": [0, 2, 1, 3]},
    "A is on the GPU with positions that do not span its entries": {"indptr": [0, 2, 2, 2]},
    "A is on the GPU with arrays whose lengths do not match its shape": {"indptr": [0, 3]},
}


@pytest.mark.parametrize("message", REFUSED)
def test_a_matrix_that_cannot_be_taken_is_refused(message: str, gpu: RecordedGpu) -> None:
    matrix = csr(gpu)
    for name, value in REFUSED[message].items():
        if name == "dtype":
            matrix.data, matrix.dtype = gpu.array([1, 2, 3], "float32"), np.dtype("float32")
        else:
            setattr(matrix, name, value if name == "format" else gpu.array(value, "int32"))
    with pytest.raises(CompileError) as caught:
        hd.compile(SPMV, {"A": "csr"}, ROWS, "cuda").bind(A=matrix, x=gpu.array([1.0, 2, 3]))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message.startswith(message)
    assert diagnostic.hint


def test_entries_out_of_order_are_refused(gpu: RecordedGpu) -> None:
    matrix = sparse(gpu, "coo", (3, 3), [1.0, 2, 3], [2, 0, 0], [1, 2, 0])
    with pytest.raises(CompileError, match="entries that are not sorted by row and column, each once"):
        hd.pack(matrix, "coo")


def test_strided_and_dense_arrays_are_refused_where_they_do_not_fit(gpu: RecordedGpu) -> None:
    with pytest.raises(CompileError, match="as strided memory, but the kernel was compiled for contiguous memory"):
        hd.pack(DeviceArray(gpu, np.ones((3, 6))[:, ::2]), "")
    with pytest.raises(CompileError, match="as dense, but the kernel was compiled for csr"):
        hd.pack(gpu.array(np.eye(3)), "csr")


def test_another_target_does_not_take_them(gpu: RecordedGpu) -> None:
    with pytest.raises(CompileError, match="x is on the GPU, but the kernel runs on the target c"):
        hd.compile(SPMV, {"A": "csr"})(A=np.eye(3), x=gpu.array([1.0, 2, 3]))


def test_a_format_that_cupy_lacks_is_refused(gpu: RecordedGpu) -> None:
    with pytest.raises(CompileError, match="CuPy has no array for a tensor that is stored as dcsr"):
        hd.pack(np.eye(3), "dcsr").to_cupy()


def test_a_schedule_for_a_matrix_on_the_gpu_is_chosen_by_its_positions_alone(gpu: RecordedGpu) -> None:
    kernel = hd.compile(SPMV, {"A": "csr"}, target="cuda", options={"schedule": "auto"})
    assert isinstance(kernel, AutomaticKernel)
    kernel.bind(A=csr(gpu), x=gpu.array([1.0, 10, 100]))
    assert gpu.recorded.to_host == [16]  # four positions
    assert kernel.suggestion.reasons[0].startswith("There are 3 rows of A, too few to keep a GPU busy")
