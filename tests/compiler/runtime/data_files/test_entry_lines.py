"""Lines that C reads are read as the careful reader reads them: the same numbers to the last bit, the same errors."""

from __future__ import annotations

import struct
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heddle.diagnostics import CompileError
from heddle.explorer.views.data.survey import Survey
from heddle.runtime.data_files import entry_lines, matrix_market, tns
from heddle.runtime.data_files.data_file import VERIFIED, ReadLimits
from heddle.runtime.data_files.entry_lines import LineReader
from heddle.runtime.data_files.matrix_market import read_mtx
from heddle.runtime.data_files.readers import SCANS
from heddle.runtime.data_files.tns import read_tns
from heddle.runtime.native import native_helpers
from heddle.runtime.tensors.coordinates import Entries


@pytest.fixture(autouse=True, scope="module")
def few_bytes() -> Iterator[None]:
    """However few there are, C reads them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entry_lines, "_LEAST_BYTES", 0)
        yield


def words() -> st.SearchStrategy[str]:
    bits = st.integers(0, 2**64 - 1).map(lambda pattern: repr(struct.unpack("d", struct.pack("Q", pattern))[0]))
    scaled = st.builds("{}{}.{}e{}".format, st.sampled_from(("", "-", "+")), *[st.integers(0, 10**12)] * 2, exponents())
    short = st.builds("{:.{}e}".format, st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 20))
    return st.one_of(bits, scaled, short, st.integers(-(10**20), 10**20).map(str), st.sampled_from((".5", "5.", "-0")))


def exponents() -> st.SearchStrategy[int]:
    return st.integers(-45, 45)


@settings(max_examples=150, deadline=None)
@given(st.lists(words().filter(lambda word: np.isfinite(float(word))), min_size=1, max_size=60))
def test_numbers_are_those_of_python_to_the_last_bit(texts: list[str]) -> None:
    lines = LineReader((9,), "float64").read("".join(f"1 {text}\n" for text in texts).encode(), 1)
    assert lines is not None
    assert lines.values.tobytes() == np.array([float(text) for text in texts]).tobytes()


@pytest.mark.parametrize(
    "word", ["9007199254740993", "9007199254740993.0", "18014398509481990e-1", "1.00000000000000011102"]
)
def test_numbers_in_the_middle_of_two_are_rounded_to_the_even_one(word: str) -> None:
    lines = LineReader((9,), "float64").read(f"1 {word}\n".encode(), 1)
    assert lines is not None
    assert lines.values[0] == float(word)


@pytest.mark.parametrize("multiple", [1, 2, 10, 100])
@pytest.mark.parametrize("text", ["{}", "{}.5", "0.{}e20"])
def test_digits_that_wrap_around_64_bits_are_counted(text: str, multiple: int) -> None:
    """The sum of the digits of 2**64 is 0 modulo that: it was taken for a zero in front of them."""
    word = text.format(multiple * 2**64)
    lines = LineReader((9,), "float64").read(f"1 {word}\n".encode(), 1)
    assert lines is not None
    assert lines.values[0] == float(word)


FIELDS = ("real", "integer", "complex", "pattern")
SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Matrix Market files, of which some lines are not as they should be."""
    field, symmetry = draw(st.sampled_from(FIELDS)), draw(st.sampled_from(SYMMETRIES))
    numbers = {"pattern": 0, "complex": 2}.get(field, 1)
    value = st.integers(-99, 99).map(str) if field == "integer" else words()
    line = st.tuples(st.integers(1, 5).map(str), st.integers(1, 5).map(str), *[value] * numbers).map(" ".join)
    other = st.sampled_from(
        (
            "",
            "% text",
            "1",
            "1 2 x",
            "1 2 1.0abc 3",
            "2 1.5 2",
            "0 1 1",
            "6 1 1",
            "1 1 1e999",
            "1 1 nan",
            "1 2 1.5D+02",
            "1 1 0x10",
            "1\t2 \r3",
            "+1 1 1",
            "1 1 99999999999999999999",
            "1 1 1 1 1",
            "1 2 -",
            "1 2 1e",
            "1 2 .",
        )
    )
    lines = draw(st.lists(st.one_of(line, line, line, other), max_size=12))
    count = len([text for text in lines if text.strip() and not text.startswith("%")]) + draw(
        st.sampled_from((0, 0, 0, 1, -1))
    )
    end = draw(st.sampled_from(("\n", "", "\n\n")))
    header = f"%%MatrixMarket matrix coordinate {field} {symmetry}\n5 5 {max(count, 0)}\n"
    return (header + "\n".join(lines) + (end if lines else "")).encode()


def outcome(read: Any, path: Path, limits: ReadLimits | None) -> object:
    try:
        entries: Entries = read(path, limits)
    except CompileError as error:
        return error.diagnostics
    columns, values = [column.tolist() for column in entries.columns], entries.values
    return entries.shape, columns, values.dtype, values.tobytes()


def assert_same(by_c: object, wanted: object, piece: int) -> None:
    """Of several mistakes, short pieces show the first; careful blocks first show lines that are no numbers."""
    if piece < 1 << 20 and isinstance(wanted, list):
        assert isinstance(by_c, list)
    else:
        assert by_c == wanted


@settings(max_examples=200, deadline=None)
@given(files(), st.sampled_from((24, 61, 1 << 20)), st.sampled_from((1, 3)), st.sampled_from((None, VERIFIED)))
def test_files_are_read_as_without_c(
    tmp_path_factory: pytest.TempPathFactory, text: bytes, piece: int, threads: int, limits: ReadLimits | None
) -> None:
    """Whatever the pieces and the threads: values, dtypes, codes, lines and messages."""
    path = tmp_path_factory.getbasetemp() / "a.mtx"
    path.write_bytes(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entry_lines, "_READ_BYTES", piece)
        patch.setattr(native_helpers, "threads", lambda _: threads)
        by_c = outcome(read_mtx, path, limits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entry_lines, "_LEAST_BYTES", 1 << 60)
        assert_same(by_c, outcome(read_mtx, path, limits), piece)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 4).flatmap(
        lambda order: st.lists(
            st.one_of(
                st.tuples(*[st.integers(1, 2**40).map(str)] * order, words()).map(" ".join),
                st.sampled_from(("", "# text", "1 x", "1 1 1 1 1 1")),
            ),
            min_size=1,
            max_size=9,
        )
    ),
    st.sampled_from((24, 1 << 20)),
)
def test_tensors_are_read_as_without_c(tmp_path_factory: pytest.TempPathFactory, lines: list[str], piece: int) -> None:
    path = tmp_path_factory.getbasetemp() / "a.tns"
    path.write_text("\n".join(lines))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entry_lines, "_READ_BYTES", piece)
        by_c = outcome(read_tns, path, None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entry_lines, "_LEAST_BYTES", 1 << 60)
        assert_same(by_c, outcome(read_tns, path, None), piece)


@pytest.mark.parametrize("field", FIELDS)
def test_files_in_order_are_read_by_c_alone(field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each piece once, and the entries stand in memory beside a few pieces."""
    count, value = 60_000, {"real": "1.5e-3", "integer": "-7", "complex": "1 2.5", "pattern": ""}[field]
    path = tmp_path / "a.mtx"
    body = "".join(f"{entry % 700 + 1} {entry % 900 + 1} {value}\n" for entry in range(count))
    path.write_text(f"%%MatrixMarket matrix coordinate {field} general\n700 900 {count}\n{body}")
    monkeypatch.setattr(matrix_market, "number_lines", None)
    monkeypatch.setattr(entry_lines, "_READ_BYTES", 1 << 16)
    read_mtx(path)  # compiles what reads it
    pieces: list[int] = []
    read = LineReader.read

    def recording(reader: LineReader, text: bytes, line: int) -> object:
        pieces.append(len(text))
        return read(reader, text, line)

    monkeypatch.setattr(LineReader, "read", recording)
    tracemalloc.start()
    entries = read_mtx(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sum(pieces) == len(body)
    assert entries.columns[0][:2].tolist() == [0, 1]
    assert entries.values.size == count
    assert peak < 16 * count + entries.values.nbytes + 12 * (1 << 16)


def test_tensors_in_order_are_read_by_c_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.tns"
    path.write_text("".join(f"{entry + 1} 3 {entry % 9 + 1} 2.5\n" for entry in range(9000)))
    monkeypatch.setattr(tns, "number_lines", None)
    entries = read_tns(path)
    assert entries.shape == (9000, 3, 9)
    assert entries.values.sum() == 2.5 * 9000


@pytest.mark.parametrize("name", ["a.mtx", "a.tns"])
def test_surveys_of_a_service_compile_nothing(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose processes have little memory, and no compiler to start."""
    banner = "%%MatrixMarket matrix coordinate real general\n3 3 1\n" if name == "a.mtx" else ""
    (tmp_path / name).write_text(banner + "2 3 1.5\n")
    monkeypatch.setattr(native_helpers, "moving", None)
    survey = Survey()
    SCANS[name[-3:]](tmp_path / name, None, survey)
    assert survey.entries == 1


def test_without_a_compiler_files_are_read_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n3 3 1\n2 3 1.5\n")
    monkeypatch.setattr(native_helpers, "moving", lambda *_: None)
    entries = read_mtx(path)
    assert (entries.columns[0][0], entries.columns[1][0], entries.values[0]) == (1, 2, 1.5)
