"""Matrix Market files: what is read, and the text of everything that is refused; limits and blocks of all readers."""

from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

from heddle.diagnostics import CompileError
from heddle.runtime.data_files.data_file import VERIFIED, ReadLimits
from heddle.runtime.data_files.matrix_market import read_mtx
from heddle.runtime.data_files.number_lines import NumberLines, number_lines
from heddle.runtime.packing.pack import pack
from tests.compiler.runtime.data_files.reading import BANNER, ROOT, dense, mtx, refusal, tns


@pytest.mark.parametrize(
    "path", sorted((ROOT / "backend/heddle_server/datasets").glob("*.mtx")), ids=lambda path: path.stem
)
def test_real_matrices_agree_with_scipy(path: Path) -> None:
    entries = read_mtx(path)
    expected = scipy.io.mmread(path)
    assert entries.values.size == expected.nnz
    assert abs(sp.coo_array((entries.values, entries.columns), shape=entries.shape) - expected).sum() == 0


def test_kinds_of_matrices(tmp_path: Path) -> None:
    banner = "%%MatrixMarket matrix "
    assert dense(mtx(tmp_path, banner + "coordinate real general\n% c\n\n2 3 2\n1 1 1.5\n% c\n2 3 -2e1\n")) == [
        [1.5, 0, 0],
        [0, 0, -20],
    ]
    assert dense(mtx(tmp_path, banner + "coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n")) == [[1, 1], [1, 0]]
    assert dense(mtx(tmp_path, banner + "coordinate real skew-symmetric\n2 2 1\n2 1 3\n")) == [[0, -3], [3, 0]]
    assert dense(mtx(tmp_path, banner + "array real general\n2 2\n1\n2\n3\n4\n")) == [[1, 3], [2, 4]]
    assert dense(mtx(tmp_path, banner + "array real symmetric\n2 2\n1\n2\n3\n")) == [[1, 2], [2, 3]]
    assert dense(mtx(tmp_path, banner + "array real skew-symmetric\n2 2\n5\n")) == [[0, -5], [5, 0]]
    integer = mtx(tmp_path, banner + "coordinate integer general\n1 1 1\n1 1 7\n")
    assert integer.values.dtype == np.int64
    windows = mtx(tmp_path, "%%matrixmarket MATRIX coordinate Real general\r\n1 2 1\r\n1 2 4\r\n")
    assert dense(windows) == [[0, 4]]
    assert dense(mtx(tmp_path, BANNER + "1 1 1\n1 1 2")) == [[2]]


def test_empty_matrices_are_matrices(tmp_path: Path) -> None:
    assert mtx(tmp_path, BANNER + "0 0 0\n").shape == (0, 0)
    assert mtx(tmp_path, BANNER + "0 5 0").shape == (0, 5)
    assert mtx(tmp_path, BANNER + "3 4 0\n").values.size == 0


@pytest.mark.parametrize(
    ("number", "code", "text"),
    [
        (1, "unsupported", 'Line 1: the banner\'s object is "mangled", expected matrix.'),
        (2, "unsupported", 'Line 1: the banner\'s format is "mangled", expected coordinate or array.'),
        (3, "unsupported", 'Line 1: the banner\'s field is "mangled", expected real or integer or pattern or complex.'),
        (
            4,
            "unsupported",
            'Line 1: the banner\'s symmetry is "mangled", expected general or symmetric or skew-symmetric '
            "or hermitian.",
        ),
        (
            5,
            "unsupported",
            "Line 1: a hermitian matrix has complex values, but the field is pattern.",
        ),
        (8, "bad-size-line", 'Line 4: expected 3 whole numbers (rows columns entries), found "3".'),
    ],
)
def test_malformed_files(number: int, code: str, text: str) -> None:
    assert refusal(read_mtx, ROOT / f"tests/data/malformed/mangled{number}.mtx") == (code, text)


@pytest.mark.parametrize(
    ("content", "code", "text"),
    [
        ("", "empty-file", "The file is empty; expected a Matrix Market file that starts with %%MatrixMarket."),
        (" \n\n", "empty-file", "The file is empty; expected a Matrix Market file that starts with %%MatrixMarket."),
        (
            b"\x1f\x8b\x08abc",
            "compressed-file",
            "The file is compressed; expected a Matrix Market file that starts with",
        ),
        (
            "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 9223372036854775808\n",  # 2^63
            "bad-line",
            "Line 3: the value 9223372036854775808 of an integer file is not a whole number of 64 bits.",
        ),
        (
            BANNER + "2 2 2\n1 1 1\n1.00000000000000001 2 5\n",
            "bad-line",
            'Line 4: the row is "1.00000000000000001", but must be a whole number in digits.',
        ),
        (
            BANNER + "9 9 1\n1 1e0 5\n",
            "bad-line",
            'Line 3: the column is "1e0", but must be a whole number in digits.',
        ),
        (
            "%%MatrixMarket matrix coordinate real general symmetric of mine\n1 1 1\n1 1 1\n",
            "unsupported",
            'Line 1: the banner continues with "symmetric of mine" where it should end.',
        ),
        (
            "%%MatrixMarket matrix coordinate pattern skew-symmetric\n2 2 1\n2 1\n",
            "unsupported",
            "Line 1: a pattern has no values whose signs could differ, so it cannot be skew-symmetric.",
        ),
        ("1 2 3\n", "not-matrix-market", "Line 1: expected the banner %%MatrixMarket matrix coordinate real general, "),
        ("%%MatrixMarket\n", "unsupported", "Line 1: the banner's object is nothing, expected matrix."),
        (
            "%%MatrixMarket matrix coordinate quaternion general\n",
            "unsupported",
            'Line 1: the banner\'s field is "quaternion"',
        ),
        (
            "%%MatrixMarket matrix coordinate complex hermitian\n1 1 1\n1 1 2 3\n",
            "bad-line",
            "Line 3: a hermitian matrix has real values on its diagonal.",
        ),
        (
            "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2.000\n",
            "bad-line",
            "Line 3: expected 4 numbers (row, column, real part, imaginary part), found 3",
        ),
        (
            "%%MatrixMarket matrix array pattern general\n",
            "unsupported",
            "Line 1: an array file has values",
        ),
        (BANNER + "% only comments\n", "truncated", "Line 3: the file ends before the line with the sizes."),
        (BANNER, "truncated", "Line 2: the file ends before the line with the sizes."),
        (
            BANNER + "2 -2 1\n",
            "bad-size-line",
            'Line 2: expected 3 whole numbers (rows columns entries), found "2 -2',
        ),
        (BANNER + "2 2.5 1\n", "bad-size-line", "Line 2: expected 3 whole numbers (rows columns entries), found"),
        (BANNER + "99999999999 1 1\n", "too-large", "Line 2: the header announces 99,999,999,999 rows, the limit is"),
        (BANNER + "1 1 99999999999999\n", "too-large", "Line 2: the header announces 99,999,999,999,999 entries, the"),
        (
            BANNER + "9 9 900000000\n1 1 1\n",
            "truncated",
            "Line 2: the header announces 900,000,000 entries, but the file holds only 1.",
        ),
        (
            BANNER + "3 3 3\n1 1 1.000000\n2 2 1.000000\n",
            "truncated",
            "Line 2: the header announces 3 entries, but the file holds only 2.",
        ),
        (
            BANNER + "3 3 3\n1 1 1.0\n2 2 1.0\n3 3",
            "bad-line",
            'Line 5: expected 3 numbers (row, column, value), found 2: "3 3".',
        ),
        (
            BANNER + "3 3 1\n1 1\n",
            "bad-line",
            'Line 3: expected 3 numbers (row, column, value), found 2: "1 1".',
        ),
        (
            BANNER + "3 3 1\n1 1 1\n2 2 2\n3 3 3\n",
            "too-many-entries",
            "Line 4: the header announces 1 entries, but here is one more.",
        ),
        (
            BANNER + "2 2 2\n1 1 1\n3 1 1\n",
            "coordinate-out-of-range",
            "Line 4: the row is 3, expected whole numbers from 1 to 2.",
        ),
        (
            BANNER + "2 2 1\n1 0 1\n",
            "coordinate-out-of-range",
            "Line 3: the column is 0, expected whole",
        ),
        (
            BANNER + "2 2 1\n1 1.5 1\n",
            "bad-line",
            'Line 3: the column is "1.5", but must be a whole number in digits.',
        ),
        (
            BANNER + "0 2 1\n1 1 1\n",
            "coordinate-out-of-range",
            "Line 3: the row is 1, expected no entries",
        ),
        (
            BANNER + "2 2 2\n1 1 1.0abc\n2 2 1\n",
            "bad-line",
            'Line 3: expected 3 numbers (row, column, value), found "1.0abc", which is not a number.',
        ),
        (BANNER + "2 2 1\n1 1 \0\n", "bad-line", "Line 3: expected 3 numbers (row, column, value), found"),
        (BANNER + "2 2 1\n1 1 é\n", "bad-line", "Line 3: expected 3 numbers (row, column, value), found"),
        (
            BANNER + "2 2 2\n1 1 1\n2 2 nan\n",
            "not-finite",
            "Line 4: the value is nan; results are verified against a reference, which needs finite numbers.",
        ),
        (BANNER + "2 2 1\n2 2 1e999\n", "not-finite", "Line 3: the value is inf; results are verified"),
        (
            BANNER.replace("general", "symmetric") + "2 3 1\n1 1 1\n",
            "bad-size-line",
            "Line 2: a symmetric matrix must be square, but this one is 2 × 3.",
        ),
        (
            BANNER.replace("general", "skew-symmetric") + "2 2 2\n2 1 1\n2 2 5\n",
            "bad-line",
            "Line 4: a skew-symmetric matrix has zeros on its diagonal.",
        ),
        (
            BANNER.replace("real", "integer") + "2 2 1\n1 1 1.5\n",
            "bad-line",
            "Line 3: the value 1.5 of an integer file is not a whole number of 64 bits.",
        ),
        (
            "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3 4\n",
            "bad-line",
            'Line 5: expected 1 number (value), found 2: "3 4".',
        ),
        (
            "%%MatrixMarket matrix array real general\n90000 90000\n1\n",
            "too-large",
            "Line 2: the header announces",
        ),
    ],
)
def test_refused_matrices(tmp_path: Path, content: str | bytes, code: str, text: str) -> None:
    found_code, found_text = refusal(mtx, tmp_path, content, VERIFIED)
    assert found_code == code
    assert found_text.startswith(text)


def test_limits_are_parameters(tmp_path: Path) -> None:
    file = BANNER + "2 2 2\n1 1 1\n2 2 1\n"
    assert refusal(mtx, tmp_path, file, ReadLimits(file_bytes=10)) == (
        "too-large",
        "The file has 64 bytes, the limit is 10.",
    )
    assert (
        refusal(mtx, tmp_path, file, ReadLimits(dimension=1))[1]
        == "Line 2: the header announces 2 rows, the limit is 1."
    )
    assert (
        refusal(mtx, tmp_path, file, ReadLimits(entries=1))[1]
        == "Line 2: the header announces 2 entries, the limit is 1."
    )
    assert refusal(mtx, tmp_path, BANNER + "%\n" * 40 + file, ReadLimits(header_bytes=100)) == (
        "too-large",
        "The header has more than 100 bytes before its line with the sizes.",
    )
    three = "1 1 1\n2 2 1\n1 2 1\n"
    with pytest.raises(CompileError, match="Line 3: the file holds more than 2 entries, which is the limit"):
        tns(tmp_path, three, limits=ReadLimits(entries=2))


def test_a_fault_in_a_later_block_has_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heddle.runtime.data_files.data_file.BLOCK_BYTES", 16)

    def read(lines: list[str]) -> list[NumberLines]:
        path = tmp_path / "numbers"
        path.write_text("\n".join(lines))
        with path.open("rb") as file:
            return list(number_lines(file, 10, ("a", "b"), b"%"))

    lines = [f"{number} {number}" for number in range(1, 40)]
    blocks = read(lines)
    assert len(blocks) > 10
    assert np.concatenate([block.rows[:, 0] for block in blocks]).tolist() == list(range(1, 40))
    assert np.concatenate([block.lines for block in blocks]).tolist() == list(range(10, 49))
    lines[30] = "31 x"
    with pytest.raises(CompileError, match=r'Line 40: expected 2 numbers \(a, b\), found "x", which is not a number'):
        read(lines)
    with pytest.raises(CompileError, match=r'Line 12: the line is longer than 16 characters; it begins "3 3'):
        read([*lines[:2], "3 3" + " " * 40])


@pytest.mark.parametrize("symmetry", ["general", "symmetric", "skew-symmetric", "hermitian"])
def test_blocks_make_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, symmetry: str) -> None:
    lines = [f"{row} {row - back} {row}.5 {back}" for row in range(3, 60) for back in (1, 2)]
    text = f"%%MatrixMarket matrix coordinate complex {symmetry}\n60 60 {len(lines)}\n" + "\n".join(lines)
    whole = mtx(tmp_path, text)
    monkeypatch.setattr("heddle.runtime.data_files.data_file.BLOCK_BYTES", 64)
    pieces = mtx(tmp_path, text)
    assert (pieces.values == whole.values).all()
    assert all((one == other).all() for one, other in zip(pieces.columns, whole.columns, strict=True))
    assert whole.values.size == len(lines) * (1 if symmetry == "general" else 2)


def test_complex_matrices(tmp_path: Path) -> None:
    banner = "%%MatrixMarket matrix "
    found = mtx(tmp_path, banner + "coordinate complex hermitian\n2 2 2\n1 1 5 0\n2 1 1 -3\n")
    assert found.values.dtype == np.complex128
    assert pack(found, "dense,dense").to_numpy().tolist() == [[5, 1 + 3j], [1 - 3j, 0]]
    found = mtx(tmp_path, banner + "array complex general\n1 2\n1 2\n0 -1e1\n")
    assert pack(found, "dense,dense").to_numpy().tolist() == [[1 + 2j, -10j]]
    scipy.io.mmwrite(tmp_path / "s.mtx", sp.coo_array([[0, 1 + 2j], [3j, 0]]))
    expected = scipy.io.mmread(tmp_path / "s.mtx").toarray()
    assert (pack(read_mtx(tmp_path / "s.mtx"), "dense,dense").to_numpy() == expected).all()
