"""``hd.read``: data files by their names, packed for kernels; what is refused, and how."""

from __future__ import annotations

import gzip
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse

import heddle as hd
from heddle.runtime.data_files import read as module
from heddle.runtime.data_files.data_file import ReadLimits
from tests.compiler.runtime.data_files.reading import ROOT
from tests.errors.expect import refusal

DATASETS = ROOT / "backend" / "heddle_server" / "datasets"
MTX = b"%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1.5\n2 3 2\n2 3 4\n"


def test_a_matrix_is_read_into_the_format_of_the_kernel() -> None:
    matrix = hd.read(DATASETS / "west0067.mtx", "csr")
    expected = scipy.io.mmread(DATASETS / "west0067.mtx").tocsr()
    assert isinstance(matrix, hd.Tensor)
    assert (matrix.shape, matrix.dtype) == ((67, 67), "float64")
    assert abs(matrix.to_scipy() - expected).sum() == 0
    kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": "csr"}, target="interpreter")
    vector = np.arange(67.0)
    np.testing.assert_allclose(kernel(A=matrix, x=vector).to_numpy(), expected @ vector)


@pytest.mark.parametrize("packed", [False, True])
def test_entries_of_equal_coordinates_are_summed(packed: bool, tmp_path: Path) -> None:
    path = tmp_path / ("a.mtx.gz" if packed else "a.mtx")
    path.write_bytes(gzip.compress(MTX) if packed else MTX)
    matrix = hd.read(str(path))
    assert isinstance(matrix, scipy.sparse.coo_array)
    assert matrix.toarray().tolist() == [[1.5, 0, 0], [0, 0, 6]]
    assert matrix.nnz == 2
    assert hd.read(str(path), "coo").to_numpy().tolist() == matrix.toarray().tolist()


def test_coordinates_are_what_every_kernel_takes(tmp_path: Path) -> None:
    (tmp_path / "b.tns").write_text("1 2 2 3\n2 1 1 5\n1 2 1 1\n")
    kernel = hd.compile("A(i,j) = B(i,j,k) * c(k)", {"B": "csf"}, target="interpreter")
    product = kernel(B=hd.read(tmp_path / "b.tns"), c=np.array([1.0, 10.0]))
    assert product.to_numpy().tolist() == [[0, 31], [5, 0]]


def test_a_tensor_of_higher_order_is_read() -> None:
    tensor = hd.read(DATASETS / "small4.tns", "csf")
    assert len(tensor.shape) == 4
    assert tensor.dtype == "float64"
    np.testing.assert_array_equal(tensor.to_numpy(), hd.read(DATASETS / "small4.tns").toarray())


def test_other_kinds_and_types(tmp_path: Path) -> None:
    vector = tmp_path / "v.tns"
    vector.write_text("2 1.5\n5 2\n")
    assert hd.read(vector).toarray().tolist() == [0, 1.5, 0, 0, 2]
    (tmp_path / "m.smtx").write_text("2, 3, 2\n0 1 2\n0 2\n")
    assert hd.read(tmp_path / "m.smtx", "csr").shape == (2, 3)
    integers = tmp_path / "i.mtx"
    integers.write_bytes(MTX.replace(b"real", b"integer").replace(b"1.5", b"7"))
    assert hd.read(integers).dtype == "int64"
    assert hd.read(integers, dtype="float64").dtype == hd.read(integers, "csr", "float64").dtype == "float64"
    assert hd.read(integers, dtype="int8").dtype == hd.read(integers, "csr", "int8").dtype == "int8"
    integers.write_bytes(MTX.replace(b"real", b"integer").replace(b"1.5", b"700"))
    for read in (partial(hd.read, dtype="int8"), partial(hd.read, format="csr", dtype="int8")):
        lossy = refusal(partial(read, integers))
        assert lossy.message == "i.mtx holds 700 of type int64, which int8 has not."


@pytest.mark.parametrize("name", ["matrix.mat", "matrix", "matrix.gz"])
def test_another_kind_of_file_is_refused_with_what_is_read(name: str, tmp_path: Path) -> None:
    diagnostic = refusal(lambda: hd.read(tmp_path / name))
    assert diagnostic.code == "input/unknown-kind"
    assert diagnostic.message == (
        f"{name} is not a kind of data file that Heddle reads; it reads .mtx, .tns, .smtx, also packed as .gz, "
        "and .npz."
    )
    assert diagnostic.expected == "a name that ends in .mtx, .tns, .smtx, or in one of these and .gz"
    assert diagnostic.hint == "Rename the file, or pass its entries to hd.pack as (coordinates, values, shape)."


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    missing = refusal(lambda: hd.read(tmp_path / "a.mtx"))
    assert (missing.code, missing.message) == ("input/no-file", f"{tmp_path / 'a.mtx'} does not exist.")
    assert missing.hint == f"Paths are relative to {Path.cwd()}."
    (tmp_path / "b.tns").mkdir()
    assert refusal(lambda: hd.read(tmp_path / "b.tns")).message == f"{tmp_path / 'b.tns'} is a folder."


@pytest.mark.parametrize("content", [MTX, gzip.compress(MTX)[:-20]], ids=["plain text", "half a file"])
def test_a_file_that_is_not_packed_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.mtx.gz").write_bytes(content)
    diagnostic = refusal(lambda: hd.read(tmp_path / "a.mtx.gz"))
    assert diagnostic.code == "input/not-gzip"
    assert diagnostic.message.startswith("a.mtx.gz is not a complete gzip file: ")
    assert diagnostic.hint == "Fetch it again; if it is plain text, leave .gz out of its name."


def test_what_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ReadLimits", lambda: ReadLimits(file_bytes=50))
    (tmp_path / "a.mtx.gz").write_bytes(gzip.compress(MTX))
    diagnostic = refusal(lambda: hd.read(tmp_path / "a.mtx.gz"))
    assert diagnostic.code == "input/too-large"
    assert diagnostic.message == "The file unpacks to more than 50 bytes, which is the limit."


def test_a_mistake_inside_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.mtx.gz").write_bytes(gzip.compress(MTX.replace(b"2 3 4", b"2 4 4")))
    diagnostic = refusal(lambda: hd.read(tmp_path / "a.mtx.gz"))
    assert diagnostic.code.startswith("input/")
    assert diagnostic.message.startswith("Line 5: ")


def test_a_format_of_another_order_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.mtx").write_bytes(MTX)
    diagnostic = refusal(lambda: hd.read(tmp_path / "a.mtx", "sparse"))
    assert "a.mtx" in diagnostic.message
