"""Patterns of the Deep Learning Matrix Collection: read strictly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from heddle.diagnostics import CompileError
from heddle.explorer.views.data.survey import Survey
from heddle.runtime.data_files.data_file import ReadLimits
from heddle.runtime.data_files.smtx import read_smtx, scan_smtx

GOOD = "3, 4, 3\n0 1 1 3\n2 0 3\n"


def read(folder: Path, text: str, limits: ReadLimits | None = None) -> np.ndarray:
    path = folder / "a.smtx"
    path.write_text(text)
    entries = read_smtx(path, limits)
    matrix = np.zeros(entries.shape)
    matrix[entries.columns] = entries.values
    return matrix


def test_a_pattern_is_ones(tmp_path: Path) -> None:
    assert (read(tmp_path, GOOD) == [[0, 0, 1, 0], [0, 0, 0, 0], [1, 0, 0, 1]]).all()
    assert read(tmp_path, "2, 3, 0\n0 0 0\n").sum() == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3 4\n", "Line 1: expected rows, columns, nonzeros, found"),
        ("3, x, 3\n0\n0\n", "Line 1: expected rows, columns, nonzeros, found"),
        ("3, 4, 3\n0 1 1 3\n", "Line 3: expected 3 column coordinates, found 0"),
        ("3, 4, 3\n0 1 3\n2 0 3\n", "Line 2: expected 4 row positions, found 3"),
        ("3, 4, 3\n0 2 1 3\n2 0 3\n", "Line 2: the row positions must rise from 0 to 3, found from 0 to 3, falling"),
        ("3, 4, 3\n0 1 1 2\n2 0 3\n", "Line 2: the row positions must rise from 0 to 3, found from 0 to 2"),
        ("3, 4, 3\n0 1 1 3\n2 0\n", "Line 3: expected 3 column coordinates, found 2"),
        ("3, 4, 3\n0 1 1 3\n2 0 4\n", "Line 3: the column is 4, expected whole numbers below 4"),
        ("3, 4, 3\n0 1 1 3\n2 0 -1\n", 'Line 3: expected column coordinates, found "-1"'),
        ("3, 4, 3\n0 1 1 3\n2 0 99999999999999999999\n", "Line 3: the column is 9223372036854775807, expected"),
        ("3, 4, 3\n0 1 1 3\n2 0 3\n7\n", "Line 4: there is more here than expected; expected three lines"),
        ("3, 4, 3\n0 1 1 3\n2 0 1.5\n", 'Line 3: expected column coordinates, found "1.5"'),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(message)


def test_sizes_are_bounded_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="announces 3 rows, the limit is 2"):
        read(tmp_path, GOOD, ReadLimits(dimension=2))
    with pytest.raises(CompileError, match="Line 2: expected 2,000,000,001 row positions, found 4"):
        read(tmp_path, GOOD.replace("3, 4", "2000000000, 4"))


def test_a_line_is_read_in_pieces_that_end_between_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "2, 100, 100\n0 50 100\n" + " ".join(str(column) for column in [*range(50), *range(50, 100)]) + "\n"
    whole = read(tmp_path, text)
    monkeypatch.setattr("heddle.runtime.data_files.smtx.READ_BYTES", 16)
    assert (read(tmp_path, text) == whole).all()
    assert whole.sum() == 100


@pytest.mark.parametrize("piece", [4, 16, 100, 1 << 17])
@pytest.mark.parametrize("seed", range(5))
def test_both_lines_are_read_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, piece: int
) -> None:
    """Whatever lies in a piece of either: rows without entries, and rows that are longer than it."""
    monkeypatch.setattr("heddle.runtime.data_files.smtx.READ_BYTES", piece)
    numbers = np.random.default_rng(seed)
    lengths = numbers.integers(0, 4, 40) * numbers.integers(0, 30, 40) * (numbers.random(40) < 0.5)
    columns = numbers.integers(0, 1000, lengths.sum())
    path = tmp_path / "a.smtx"
    positions = " ".join(map(str, [0, *np.cumsum(lengths).tolist()]))
    path.write_text(f"40, 1000, {columns.size}\n{positions}\n{' '.join(map(str, columns.tolist()))}\n")
    entries = read_smtx(path)
    assert (entries.columns[0] == np.repeat(np.arange(40), lengths)).all()
    assert (entries.columns[1] == columns).all()
    assert (entries.values == np.ones(columns.size)).all()


@pytest.mark.parametrize("scan", [False, True])
def test_a_fault_in_front_is_told_first(tmp_path: Path, scan: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heddle.runtime.data_files.smtx.READ_BYTES", 8)
    path = tmp_path / "a.smtx"
    for text, message in (
        ("3, 4, 3\n0 2 1 3\n2 0 9\n", "Line 2: the row positions must rise from 0 to 3"),
        ("3, 4, 6\n0 2 3 6\n2 0 9 1 1 x\n", 'Line 3: expected column coordinates, found "x"'),
        ("3, 4, 6\n0 2 3 6\n2 0 9 1 1\n", "Line 3: expected 6 column coordinates, found 5"),
        ("3, 4, 6\n0 2 3 6\n2 0 9 1 1 1\n3\n", "Line 4: there is more here than expected"),
        ("3, 4, 6\n0 2 3 6\n2 0 9 1 8 1\n", "Line 3: the column is 9, expected whole numbers below 4"),
    ):
        path.write_text(text)
        with pytest.raises(CompileError) as caught:
            scan_smtx(path, None, Survey()) if scan else read_smtx(path)
        assert str(caught.value).startswith(message)
