"""What a person passes where something else is expected, and a cache folder that cannot be written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import heddle as hd
from heddle.plan import DTYPES

EYE = np.eye(2)
SPMV = "y(i) = A(i,j) * x(j)"
NAMES = "a dictionary by name"
CALLS: list[tuple[Callable[[], object], str]] = [
    (lambda: hd.pack(EYE, 5), "the format must be a text or a Format, but is 5."),
    (lambda: hd.pack(EYE, "csr", name=[1]), "the name must be a text, but is a list."),
    (lambda: hd.pack(EYE, "csr", dtype="csr"), f"the dtype must be one of {', '.join(DTYPES)}, but is 'csr'."),
    (
        lambda: hd.convert(EYE, "csr"),
        "what is converted must be a heddle Tensor, as hd.pack makes it, but is a numpy.ndarray.",
    ),
    (lambda: hd.read(b"a.mtx"), "the path must be the path of a file, but is a bytes."),
    (lambda: hd.legal("y"), "the program must be what hd.lower gives, its graph, or a kernel, but is 'y'."),
    (lambda: hd.lower(SPMV, formats="csr"), f"formats must be {NAMES}, but is 'csr'."),
    (lambda: hd.lower(SPMV, fills={1: 2}), "each name in fills must be a text, but is 1."),
    (lambda: hd.compile(SPMV, options=3), f"options must be {NAMES}, but is 3."),
    (
        lambda: hd.cp_als(np.ones((2, 2)), 1, start=3),
        "start must be a text, or an array of numbers for each mode, but is 3.",
    ),
    (lambda: hd.cp_als(np.ones((2, 2)), 1, kernels=3), f"kernels must be {NAMES}, but is 3."),
]


@pytest.mark.parametrize(("call", "message"), CALLS)
def test_the_argument_is_named_with_what_was_expected(call: Callable[[], object], message: str) -> None:
    with pytest.raises(hd.OperandError) as caught:
        call()
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.message) == ("runtime/argument", message)


def test_a_dtype_may_be_a_class_of_numpy() -> None:
    assert hd.pack(EYE.astype("float32"), "csr", dtype=np.float64).dtype == "float64"


def test_a_cache_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("HEDDLE_CACHE", str(file))
    with pytest.raises(hd.CompileError) as caught:
        hd.compile("y(i) = 3 * x(i) + 17")(x=np.ones(3))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/cache-folder"
    assert diagnostic.message == f"Compiled kernels cannot be kept in {file}: Not a directory."
    assert diagnostic.hint == "Set HEDDLE_CACHE to a folder that this user can write to."
