"""Files as other programs write them: whole numbers of 64 bits, more than 2^31 rows, NaN, Fortran's exponents."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import heddle as hd
from heddle.runtime.data_files.data_file import VERIFIED
from heddle.runtime.data_files.matrix_market import read_mtx

BANNER = "%%MatrixMarket matrix coordinate "


def write(folder: Path, content: str | bytes, name: str = "a.mtx") -> Path:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def test_whole_numbers_of_64_bits_are_read_exactly(tmp_path: Path) -> None:
    text = "integer general\n4 4 4\n1 1 9007199254740993\n2 2 -9223372036854775808\n3 3 9223372036854775807\n4 4 1e3\n"
    found = hd.read(write(tmp_path, BANNER + text))
    assert found.dtype == np.int64
    assert found.data.tolist() == [2**53 + 1, -(2**63), 2**63 - 1, 1000]


def test_mirrored_whole_numbers_are_exact(tmp_path: Path) -> None:
    found = hd.read(write(tmp_path, BANNER + "integer skew-symmetric\n2 2 1\n2 1 9007199254740993\n"))
    assert found.toarray().tolist() == [[0, -(2**53) - 1], [2**53 + 1, 0]]


@pytest.mark.parametrize("value", ["9223372036854775808", "9007199254740993.5", "nan", "1e999"])
def test_what_64_bits_do_not_hold_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(hd.CompileError) as caught:
        hd.read(write(tmp_path, BANNER + f"integer general\n1 1 1\n1 1 {value}\n"))
    assert caught.value.messages == f"Line 3: the value {value} of an integer file is not a whole number of 64 bits."
    assert caught.value.diagnostics[0].expected == f"a whole number from {-(2**63)} to {2**63 - 1}"


def test_more_rows_than_32_bits_count(tmp_path: Path) -> None:
    file = write(tmp_path, BANNER + "real general\n3000000000 2 2\n2999999999 1 4\n1 2 5\n")
    found = hd.read(file)
    assert found.shape == (3_000_000_000, 2)
    assert found.row.tolist() == [0, 2_999_999_998]
    with pytest.raises(hd.CompileError, match=r"announces 3,000,000,000 rows, the limit is 2,147,483,647\."):
        read_mtx(file, VERIFIED)


def test_values_that_are_no_numbers(tmp_path: Path) -> None:
    """The library reads them; the service, whose runs are verified against a reference, does not."""
    file = write(tmp_path, BANNER + "real symmetric\n2 2 2\n1 1 nan\n2 1 -inf\n")
    np.testing.assert_array_equal(hd.read(file).toarray(), [[np.nan, -np.inf], [-np.inf, 0]])
    np.testing.assert_array_equal(hd.read(write(tmp_path, "1 1 nan\n", "t.tns")).toarray(), [[np.nan]])
    with pytest.raises(hd.CompileError, match="Line 3: the value is nan; results are verified against a reference"):
        read_mtx(file, VERIFIED)


def test_an_infinite_imaginary_part(tmp_path: Path) -> None:
    found = hd.read(write(tmp_path, BANNER + "complex hermitian\n2 2 2\n2 1 1 inf\n1 1 nan 0\n")).toarray()
    assert (found[1, 0].real, found[1, 0].imag) == (1, np.inf)
    assert (found[0, 1].real, found[0, 1].imag) == (1, -np.inf)
    assert np.isnan(found[0, 0].real)


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.mtx", BANNER + "real general\n1 1 1\n1 1 2\n"), ("a.tns", "1 1 2\n"), ("a.smtx", "1, 1, 1\n0 1\n0\n")],
)
def test_a_byte_order_mark_is_passed_over(tmp_path: Path, name: str, text: str) -> None:
    plain, marked = (hd.read(write(tmp_path, mark + text.encode(), name)).toarray() for mark in (b"", b"\xef\xbb\xbf"))
    np.testing.assert_array_equal(marked, plain)


def test_other_encodings_are_named(tmp_path: Path) -> None:
    with pytest.raises(hd.CompileError) as caught:
        hd.read(write(tmp_path, (BANNER + "real general\n1 1 1\n1 1 2\n").encode("utf-16")))
    assert caught.value.messages == (
        "The file is text of UTF-16; expected a Matrix Market file that starts with %%MatrixMarket in ASCII or UTF-8."
    )


def test_exponents_of_fortran(tmp_path: Path) -> None:
    found = hd.read(write(tmp_path, BANNER + "real general\n2 2 3\n1 1 1.5D+02\n2 1 2d-1\n2 2 1.0E+00\n"))
    assert found.toarray().tolist() == [[150.0, 0], [0.2, 1.0]]
    with pytest.raises(hd.CompileError, match='Line 3: the row is "2e0", but must be a whole number in digits'):
        hd.read(write(tmp_path, BANNER + "real general\n2 2 1\n2D0 1 1\n"))


def test_a_banner_of_one_percent_sign(tmp_path: Path) -> None:
    found = hd.read(write(tmp_path, BANNER[1:] + "pattern symmetric\n2 2 1\n2 1\n"))
    assert found.toarray().tolist() == [[0, 1], [1, 0]]
