"""What is said of a file that is read piece by piece is what is said of its entries in memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from heddle.explorer.views.data import survey as module
from heddle.explorer.views.data.preview import preview_view
from heddle.explorer.views.data.survey import Survey
from heddle.runtime.data_files.data_file import VERIFIED
from heddle.runtime.data_files.readers import SCANS, read_data
from heddle.runtime.tensors.coordinates import Entries

SHAPES = [
    (7,), (1,), (6, 6), (40, 3), (1, 900), (300, 300), (2**17, 2**17), (2**31 - 1, 2**31 - 1), (5, 6, 7),
    (1000, 1, 1000), (2, 3, 4, 5), (2**31 - 1, 2**31 - 1, 2**31 - 1), (0, 3), (4, 0),
]  # fmt: skip


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PIECE", 16)


def surveyed(entries: Entries, blocks: int = 3) -> Survey:
    survey = Survey()
    survey.begin(entries.shape, entries.values.size + 5)
    for block in np.array_split(np.arange(entries.values.size), blocks):
        survey.add(tuple(column[block] for column in entries.columns))
    return survey


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("number", [0, 1, 15, 33, 400])
def test_a_survey_says_what_a_preview_says(shape: tuple[int, ...], number: int) -> None:
    numbers = np.random.default_rng(number)
    number = number if min(shape) else 0
    # Many of them alike, and rows of many lengths.
    columns = tuple((size * numbers.random(number) ** 3).astype(np.int64) for size in shape)
    entries = Entries(shape, columns, np.ones(number))
    survey = surveyed(entries)
    assert survey.entries == number
    assert survey.preview("mine") == preview_view(entries, "mine")


@pytest.mark.parametrize("cut", [0, 1])
def test_a_mirror_image_is_known(cut: int) -> None:
    """Also where all rows and columns have as many entries as in one that is none."""
    rows, columns = np.random.default_rng(1).integers(0, 60, (2, 300))
    direct = np.concatenate([rows, columns])[cut:], np.concatenate([columns, rows])[cut:]
    cycle = np.arange(40), np.roll(np.arange(40), 1)
    for pair in (direct, cycle):
        entries = Entries((60, 60), pair, np.ones(pair[0].size))
        view = surveyed(entries).preview("")
        assert view == preview_view(entries, "")
        assert view["symmetric"] is (cut == 0 and pair is direct)


FILES = {
    "a.mtx": "%%MatrixMarket matrix coordinate real symmetric\n4 4 4\n1 1 1\n3 1 2\n4 2 1\n4 4 0\n",
    "b.mtx": "%%MatrixMarket matrix coordinate complex hermitian\n3 3 2\n2 1 1 2\n3 3 1 0\n",
    "c.mtx": "%%MatrixMarket matrix array integer general\n3 2\n0\n1\n2\n3\n0\n4\n",
    "d.mtx": "%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n0\n4\n5\n6\n",
    "e.mtx": "%%MatrixMarket matrix array real skew-symmetric\n4 4\n1\n2\n0\n4\n5\n6\n",
    "f.mtx": "%%MatrixMarket matrix coordinate pattern general\n3 3 0\n",
    "g.tns": "1 2 3 1.5\n2 2 2 1\n# a comment\n1 2 3 4\n",
    "h.tns": "# shape: 5 6\n1 2 1\n5 6 2\n",
    "i.tns": "# shape: 5 6\n",
    "j.smtx": "3, 4, 4\n0 2 2 4\n0 3 1 2\n",
}


@pytest.mark.parametrize("name", FILES)
def test_files_are_surveyed_as_they_are_read(tmp_path: Path, name: str) -> None:
    path, survey = tmp_path / name, Survey()
    path.write_text(FILES[name])
    SCANS[path.suffix[1:]](path, VERIFIED, survey)
    entries = read_data(path, VERIFIED)
    assert (survey.shape, survey.entries) == (entries.shape, entries.values.size)
    assert survey.preview(name) == preview_view(entries, name)


@pytest.mark.parametrize("name", ["large.mtx", "large.tns"])
def test_a_large_file_takes_eight_bytes_an_entry(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of 107 MB took 330 MB in the process that read it: 70 bytes an entry."""
    monkeypatch.undo()
    entries, size = 400_000, 1_000_000
    path = tmp_path / name
    rows, columns = np.random.default_rng(1).integers(1, size, (2, entries))
    with path.open("w", encoding="ascii") as file:
        file.write(f"%%MatrixMarket matrix coordinate real general\n{size} {size} {entries}\n" * (name == "large.mtx"))
        file.writelines(f"{row} {column} 0.5\n" for row, column in zip(rows.tolist(), columns.tolist(), strict=True))
    survey = Survey()
    tracemalloc.start()
    try:
        SCANS[path.suffix[1:]](path, VERIFIED, survey)
        survey.preview(name)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert survey.entries == entries
    # In addition to a MiB of the file, and what is made of that.
    assert peak < 8 * entries + (24 << 20)
