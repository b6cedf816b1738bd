"""What is written into a data file is read from it again."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.formats.printer import format_text


def sparse(*shape: int, dtype: Any = float) -> Any:
    make: Any = scipy.sparse.random_array
    return make(shape, density=0.2, format="coo", rng=np.random.default_rng(0)).astype(dtype)


A = sparse(6, 7)


def elements(tensor: Any) -> Any:
    return tensor.to_numpy() if isinstance(tensor, hd.Tensor) else tensor.toarray()


@pytest.mark.parametrize("ending", ["mtx", "mtx.gz", "tns", "tns.gz", "npz"])
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr", "bcsr(2,7)", "dense", "hyb(1,2)"])
def test_every_format_comes_back(tmp_path: Path, ending: str, format: str) -> None:
    file = tmp_path / f"a.{ending}"
    hd.write(file, hd.pack(A, format))
    np.testing.assert_array_equal(elements(hd.read(file)), A.toarray())
    np.testing.assert_array_equal(hd.read(str(file), "csr").to_numpy(), A.toarray())
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "complex64", "complex128"])
def test_npz_keeps_types_and_text_keeps_values(tmp_path: Path, dtype: str) -> None:
    matrix = (A * 100).astype(dtype)
    hd.write(tmp_path / "a.npz", matrix)
    assert hd.read(tmp_path / "a.npz").dtype == dtype
    hd.write(tmp_path / "a.mtx", matrix)
    np.testing.assert_array_equal(elements(hd.read(tmp_path / "a.mtx")), matrix.toarray())


def test_shapes_and_fills_and_formats_come_back(tmp_path: Path) -> None:
    hd.write(tmp_path / "a.tns", sparse(4, 5, 6))
    assert hd.read(tmp_path / "a.tns").shape == (4, 5, 6)
    for ending in ("tns", "mtx", "npz"):
        hd.write(tmp_path / f"empty.{ending}", scipy.sparse.csr_array((3, 4)))
        assert hd.read(tmp_path / f"empty.{ending}").shape == (3, 4)
    for fill in (np.inf, np.nan, 2.0):
        hd.write(tmp_path / "a.npz", hd.pack(A.toarray(), "dcsr", fill=fill))
        back = hd.read(tmp_path / "a.npz")
        assert isinstance(back, hd.Tensor)
        np.testing.assert_equal(back.fill, fill)
        np.testing.assert_array_equal(back.to_numpy(), A.toarray())


@pytest.mark.parametrize("format", ["csr", "csc", "dcsr", "dense"])
def test_npz_keeps_formats(tmp_path: Path, format: str) -> None:
    hd.write(tmp_path / "a.npz", hd.pack(A, format))
    back = hd.read(tmp_path / "a.npz")
    assert isinstance(back, hd.Tensor)
    assert format_text(back.format) == format


def test_npz_is_that_of_scipy_and_of_pydata(tmp_path: Path) -> None:
    hd.write(tmp_path / "a.npz", A.tocsr())
    np.testing.assert_array_equal(scipy.sparse.load_npz(tmp_path / "a.npz").toarray(), A.toarray())
    for format in ("csr", "csc", "coo"):
        scipy.sparse.save_npz(tmp_path / "b.npz", A.asformat(format))
        back: Any = hd.read(tmp_path / "b.npz")
        assert back.format == format
        np.testing.assert_array_equal(elements(back), A.toarray())
    band = scipy.sparse.diags_array([[1.0, 2.0], [3.0, 4.0, 0.0, 5.0]], offsets=[-2, 1], shape=(4, 6))
    for matrix in (scipy.sparse.bsr_array(np.arange(24.0).reshape(4, 6), blocksize=(2, 3)), band):
        scipy.sparse.save_npz(tmp_path / "b.npz", matrix)
        np.testing.assert_array_equal(elements(hd.read(tmp_path / "b.npz")), matrix.toarray())
    coordinates = np.array([[0, 1], [1, 2]])
    np.savez(tmp_path / "c.npz", data=[1.0, 2], coords=coordinates, shape=(2, 3), fill_value=np.float64(5))
    np.testing.assert_array_equal(hd.read(tmp_path / "c.npz", "csr").to_numpy(), [[5, 1, 5], [5, 5, 2]])
    np.savez(tmp_path / "d.npz", np.arange(3))
    np.testing.assert_array_equal(elements(hd.read(tmp_path / "d.npz")), [0, 1, 2])


REFUSED: dict[str, tuple[str, Callable[[], object], str, str]] = {
    "an unknown ending": ("a.foo", lambda: A, "input/unknown-kind", "it writes .mtx, .tns, .npz"),
    "a packed npz": ("a.npz.gz", lambda: A, "input/unknown-kind", "a.npz.gz is not a kind of data file"),
    "no folder": ("none/a.mtx", lambda: A, "input/no-folder", "none does not exist"),
    "a tensor in mtx": ("a.mtx", lambda: sparse(2, 3, 4), "input/not-written", "a.mtx can hold a matrix"),
    "complex values in tns": ("a.tns", lambda: A * 1j, "input/not-written", "a.tns can hold real values"),
    "no coordinates in tns": ("a.tns", lambda: A.tocsr()[:0], "input/not-written", "found one of the shape 0 × "),
    "a fill in text": ("a.mtx", lambda: hd.refill(A, 1), "input/not-written", "a.mtx can hold the fill 0"),
    "what is no tensor": ("a.mtx", lambda: "text", "runtime/unsupported-operand", "the tensor cannot be packed"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_written_is_refused_and_leaves_nothing(tmp_path: Path, case: str) -> None:
    name, make, code, message = REFUSED[case]
    with pytest.raises(hd.OperandError) as refused:
        hd.write(tmp_path / name, make())
    assert refused.value.diagnostics[0].code == code
    assert message in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_what_the_system_refuses_is_said_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device", ".a.mtx.x2k")

    for module, name in ((tempfile, "mkstemp"), (os, "replace")):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, refuse)
            with pytest.raises(
                hd.OperandError, match=r"a\.mtx cannot be written: No space left on device\."
            ) as refused:
                hd.write(tmp_path / "a.mtx", A)
        assert refused.value.diagnostics[0].code == "input/not-written"
        assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_or_a_device_stays_what_it_is(tmp_path: Path) -> None:
    """A file of that name would take its place: ``/dev/null`` is one."""
    pipe = tmp_path / "pipe.mtx"
    os.mkfifo(pipe)
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"})
    for write in (lambda: hd.write(pipe, A), lambda: kernel.save(pipe)):
        with pytest.raises(hd.OperandError, match="is a device or a pipe"):
            write()
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


BROKEN: dict[str, Callable[[Path], object]] = {
    "it cannot be read": lambda file: file.write_bytes(b"hello"),
    "it holds the arrays a, b": lambda file: np.savez(file, a=1, b=2),
    "its arrays do not fit": lambda file: np.savez(file, format=b"csr", shape=(2, 2), indptr=[0]),
}


@pytest.mark.parametrize("reason", BROKEN)
def test_an_npz_that_is_no_tensor_is_refused(tmp_path: Path, reason: str) -> None:
    BROKEN[reason](tmp_path / "a.npz")
    with pytest.raises(hd.OperandError) as refused:
        hd.read(tmp_path / "a.npz")
    assert refused.value.diagnostics[0].code == "input/bad-npz"
    assert reason in str(refused.value)


def test_arrays_that_would_be_read_outside_are_refused(tmp_path: Path) -> None:
    arrays: Any = {"format": b"csr", "shape": (2, 2), "indptr": [0, 1, 2], "indices": [0, 9], "data": [1.0, 2]}
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(hd.OperandError, match="coordinate 9"):
        hd.read(tmp_path / "a.npz", "csr")
