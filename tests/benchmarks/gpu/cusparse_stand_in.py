"""A stand-in for cuSPARSE and for what CuPy has of it: addresses lead back to the arrays of a :class:`GpuMachine`,
SciPy computes, and every call is checked against what ``cusparse.h`` declares."""

from __future__ import annotations

import sys
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from heddle.measuring.baselines import cusparse_library
from tests.benchmarks.gpu.gpu_machine import HANDLE, GpuMachine
from tests.compiler.runtime.devices.recorded_gpu import DeviceArray

FLOAT64 = 1
BUFFER_BYTES = 24
NOT_SUPPORTED = 10


class CuSparseError(RuntimeError):
    pass


class Matrix(SimpleNamespace):
    """``cupyx.scipy.sparse.csr_matrix``, which cuSPARSE's descriptors insist on."""

    def __init__(self, arrays: tuple[DeviceArray, DeviceArray, DeviceArray], shape: tuple[int, int]) -> None:
        data, indices, indptr = arrays
        assert (indices.dtype, indptr.dtype) == (np.int32, np.int32), "as our kernels have them"
        super().__init__(format="csr", shape=shape, dtype=data.dtype, data=data, indices=indices, indptr=indptr)

    def get(self) -> scipy.sparse.csr_array:
        arrays = (one._memory for one in (self.data, self.indices, self.indptr))
        return scipy.sparse.csr_array(tuple(arrays), shape=self.shape)

    def sort_indices(self) -> None:
        """In place, as cuSPARSE's products come in any order."""
        host = self.get()
        host.sort_indices()
        self.data._memory[...], self.indices._memory[...] = host.data, host.indices


class Coordinates(SimpleNamespace):
    """``cupyx.scipy.sparse.coo_matrix`` of SciPy's."""

    def __init__(self, gpu: GpuMachine, host: Any) -> None:
        row, col, data = (gpu.asarray(array) for array in (*host.coords, host.data))
        super().__init__(format="coo", shape=host.shape, dtype=data.dtype, data=data, row=row, col=col)


class CuSparse:
    """The library. ``refuses`` has the numbers of algorithms that it does not take, ``analysed`` collects the names of
    operations that it was asked to analyse, ``wrong`` is added to each result."""

    CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_ORDER_ROW = 0, 2
    CuSparseError = CuSparseError

    def __init__(self, gpu: GpuMachine) -> None:
        self.gpu, self._numbers = gpu, count(1)
        self.descriptors: dict[int, Any] = {}
        self.refuses: set[int] = set()
        self.analysed: list[str] = []
        self.wrong = 0.0

    def matrix(self, given: Any, shape: tuple[int, int] | None = None) -> Matrix:
        """Of arrays on the GPU, or of SciPy's matrix, which is copied there."""
        if shape is None:
            given, shape = (given.data, given.indices, given.indptr), given.shape
        data, indices, indptr = (self.gpu.asarray(array) for array in given)
        return Matrix((data, indices, indptr), shape)

    def described(self, what: Any) -> Any:
        number = next(self._numbers)
        self.descriptors[number] = what
        return SimpleNamespace(desc=number)

    # What CuPy's module has.

    def createDnMat(self, rows: int, columns: int, leading: int, address: int, dtype: int, order: int) -> int:  # noqa: N802
        assert (leading, dtype, order) == (columns, FLOAT64, self.CUSPARSE_ORDER_ROW)
        found: int = self.described(self.gpu.at(address).reshape((rows, columns))).desc
        return found

    def dnMatGet(self, descriptor: int) -> None: ...  # noqa: N802

    def destroyDnMat(self, descriptor: int) -> None: ...  # noqa: N802

    def getVersion(self, handle: int) -> int:  # noqa: N802
        assert handle == HANDLE
        return 12500

    def setStream(self, handle: int, stream: int) -> None:  # noqa: N802
        assert (handle, stream) == (HANDLE, 0)

    def check_status(self, status: int) -> None:
        if status:
            raise CuSparseError("CUSPARSE_STATUS_NOT_SUPPORTED")

    def spgemm(self, left: Matrix, right: Matrix) -> Matrix:
        """Rows with their coordinates backwards."""
        product = scipy.sparse.csr_array(left.get() @ right.get())
        product.sort_indices()
        row = np.repeat(np.arange(product.shape[0]), np.diff(product.indptr))
        order = np.lexsort((-product.indices, row))
        arrays = (product.data[order] + self.wrong, product.indices[order], product.indptr)
        return self.matrix(arrays, product.shape)

    # What the library itself has.

    def __getattr__(self, name: str) -> Any:
        for operation in (cusparse_library.SPMV, cusparse_library.SPMM, cusparse_library.SDDMM):
            function = name.removeprefix(f"cusparse{operation.name}")
            if function in ("", "_bufferSize", "_preprocess"):
                return lambda *given: self._called(operation, function, given)
        raise AttributeError(name)

    def _called(self, operation: cusparse_library.Operation, function: str, given: tuple[Any, ...]) -> int:
        assert len(given) == len(operation.arguments)
        numbers = [one.value for one in given[:-1]]
        assert numbers[0] == HANDLE
        *_, alpha, first, second, beta, target, dtype, algorithm = numbers
        assert all((alpha, beta))
        assert dtype == FLOAT64
        if algorithm in self.refuses:
            return NOT_SUPPORTED
        if function == "_bufferSize":
            given[-1]._obj.value = BUFFER_BYTES
            return 0
        assert self.gpu.at(given[-1].value).nbytes == BUFFER_BYTES
        if function == "_preprocess":
            self.analysed.append(operation.name)
            return 0
        left, right, result = (self.descriptors[one] for one in (first, second, target))
        if operation is cusparse_library.SDDMM:
            rows, columns = result.get().tocoo().coords
            result.data._memory[...] = (left._memory @ right._memory)[rows, columns] + self.wrong
        else:
            result._memory[...] = left.get() @ right._memory + self.wrong
        return 0


def cusparse(monkeypatch: pytest.MonkeyPatch, gpu: GpuMachine) -> CuSparse:
    """The cuSPARSE of this machine, as long as the test runs."""
    library = CuSparse(gpu)
    created = SimpleNamespace(create=library.described)
    sparse = SimpleNamespace(csr_matrix=library.matrix, coo_matrix=lambda host: Coordinates(gpu, host))
    modules = {
        "cupy_backends.cuda.libs": SimpleNamespace(cusparse=library),
        "cupyx.cusparse": SimpleNamespace(
            SpMatDescriptor=created,
            DnVecDescriptor=created,
            spgemm=library.spgemm,
            DnMatDescriptor=lambda number, get, destroy: SimpleNamespace(desc=number),
        ),
        "cupyx.scipy": SimpleNamespace(sparse=sparse),
        "cupyx.scipy.sparse": sparse,
        "cupy._core": SimpleNamespace(_dtype=SimpleNamespace(to_cuda_dtype={np.dtype("float64"): FLOAT64}.get)),
    }
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)  # type: ignore[arg-type]
    monkeypatch.setattr(cusparse_library, "native", lambda: library)
    gpu.cuda.cusparse = library
    return library
