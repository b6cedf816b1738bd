"""What a person reads where something that Heddle can use is not installed, and what works without it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.runtime import extras
from heddle.runtime.devices import cuda, opencl_devices
from heddle.runtime.extras import Extra

RNG = np.random.default_rng(40)


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "_is_there", lambda module: False)


@pytest.mark.parametrize(
    ("extra", "sentence"),
    [
        (Extra.RUN, "SciPy is not installed: pip install heddle-sparse[run]"),
        (Extra.CC, "A C compiler is not installed: pip install heddle-sparse[cc]"),
        (Extra.MKL, "MKL is not installed: pip install heddle-sparse[mkl]"),
        (Extra.GPU12, "CuPy for CUDA 12 is not installed: pip install heddle-sparse[gpu12]"),
        (Extra.GPU13, "CuPy for CUDA 13 is not installed: pip install heddle-sparse[gpu13]"),
        (Extra.OPENCL, "PyOpenCL is not installed: pip install heddle-sparse[opencl]"),
        (Extra.SERVER, "Heddle's explorer is not installed: pip install heddle-sparse[server]"),
    ],
)
def test_what_is_missing_names_its_extra(extra: Extra, sentence: str) -> None:
    assert extra.sentence == sentence


def test_what_is_there_is_found_and_what_refuses_to_be_looked_for_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Extra.RUN.installed
    monkeypatch.setattr(extras, "find_spec", lambda module: exec("raise ImportError"))
    assert not extras._is_there.__wrapped__("scipy")


def refusal(call: Any) -> tuple[str, str | None]:
    with pytest.raises(hd.CompileError) as caught:
        call()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/no-scipy"
    return diagnostic.message, diagnostic.hint


@pytest.mark.usefixtures("nothing_installed")
def test_what_needs_scipy_says_so(tmp_path: Path) -> None:
    ending = " needs SciPy. SciPy is not installed: pip install heddle-sparse[run]"
    file = tmp_path / "matrix.mtx"
    file.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 5\n")
    assert refusal(lambda: hd.read(file)) == (
        "hd.read without a format" + ending,
        'hd.read(path, "csr") gives a tensor of Heddle without it.',
    )
    matrix = hd.read(file, "csr")
    assert matrix.to_numpy().tolist() == [[0, 5], [0, 0]]
    arrays = "to_scipy()" + ending, "to_coo() and to_numpy() give NumPy arrays without it."
    assert refusal(matrix.to_scipy) == arrays
    assert refusal(hd.pack(np.eye(3), "hyb(1,2)").to_scipy) == arrays
    assert refusal(lambda: hd.cp_als(np.ones((2, 2, 2)), 1)) == ("A decomposition" + ending, None)


def test_no_cupy_and_no_opencl_name_their_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "missing", lambda: "CuPy is not installed")
    with pytest.raises(hd.CompileError) as caught:
        cuda.gpu.__wrapped__()
    assert caught.value.diagnostics[0].hint == (
        "Use the target opencl, which runs the same schedule on a CPU, or interpreter. On a machine with a GPU: "
        "pip install heddle-sparse[gpu12], or heddle-sparse[gpu13] where its driver has CUDA 13."
    )
    monkeypatch.setattr(opencl_devices.importlib.util, "find_spec", lambda module: None)
    assert opencl_devices.no_device().message == (
        "There is no OpenCL device to run this kernel on: PyOpenCL is not installed: pip install heddle-sparse[opencl]."
    )


@dataclass
class Lines:
    """As another library may have them."""

    indptr: Any
    indices: Any
    data: Any
    shape: tuple[int, ...]


@dataclass
class Columns(Lines):
    format: str = "csc"


def lines(matrix: Any, kind: type[Lines] = Lines) -> Lines:
    return kind(matrix.indptr, matrix.indices, matrix.data, matrix.shape)


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "bcsr(2,2)"])
@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_compressed_rows_of_any_library_are_taken(format: str, target: str) -> None:
    matrix = scipy.sparse.random_array((12, 9), density=0.3, rng=RNG, format="csr")
    vector = RNG.standard_normal(9)
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": format}, target=target)
    for given in (lines(matrix), lines(matrix.tocsc(), Columns)):
        assert np.allclose(kernel(A=given, x=vector).to_numpy(), matrix @ vector)


def test_compressed_rows_that_are_none_are_refused() -> None:
    with pytest.raises(hd.OperandError, match="indptr has 3 elements"):
        hd.pack(Lines(np.array([0, 1, 2]), np.array([0, 1]), np.ones(2), (3, 3)), "csr")
    with pytest.raises(hd.OperandError, match=r"A cannot be packed: it is given as a .*Lines"):
        hd.compile("y(i) = A(i,j) * x(j)", {"A": "csr"})(
            A=Lines(np.array([0, 1]), np.array([0]), np.ones((1, 2, 2)), (2, 2)), x=np.ones(2)
        )
    with pytest.raises(hd.OperandError, match="values of type <U1"):
        hd.pack(Lines(np.array([0, 1]), np.array([0]), np.array(["a"]), (1, 1)), "csr")


@pytest.mark.usefixtures("nothing_installed")
def test_many_entries_are_counted_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a C compiler nor SciPy: the general way packs them."""
    from heddle.runtime.packing.row_conversions import compressed_rows

    monkeypatch.setattr(compressed_rows, "transpose_rows", lambda *arrays: None)
    matrix = scipy.sparse.random_array((200, 300), density=0.2, rng=RNG, format="csr")
    packed = hd.pack(matrix, "csc")
    assert np.array_equal(packed.to_numpy(), matrix.toarray())
    row, column = matrix.tocoo().coords
    twice = ((np.concatenate([row, row]), np.concatenate([column, column])), np.tile(matrix.data, 2), matrix.shape)
    assert np.array_equal(hd.pack(twice, "csr").to_numpy(), 2 * matrix.toarray())
