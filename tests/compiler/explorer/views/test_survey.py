"""What is said of a file that is read piece by piece is what is said of its entries in memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from heddle.explorer.views.data import packed_cells
from heddle.explorer.views.data import survey as module
from heddle.explorer.views.data.preview import preview_view
from heddle.explorer.views.data.survey import Survey
from heddle.runtime.data_files.data_file import VERIFIED
from heddle.runtime.data_files.readers import SCANS, read_data
from heddle.runtime.tensors.coordinates import Entries

SHAPES = [
    (7,), (1,), (6, 6), (40, 3), (1, 900), (300, 300), (2**17, 2**17), (2**31 - 1, 2**31 - 1), (5, 6, 7),
    (1000, 1, 1000), (2, 3, 4, 5), (2**31 - 1, 2**31 - 1, 2**31 - 1), (2**31 - 1,) * 9, (1025,) * 6,
    (2**40 - 1, 1, 2**40 - 1), (0, 3), (4, 0),
]  # fmt: skip


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PIECE", 16)
    for name, value in {
        "FEW": 30,
        "CHUNK": 8,
        "MOST_RUNS": 3,
        "SLICE": 16,
        "SORTED": 20,
        "BINS": 64,
        "MIRRORED": 50,
    }.items():
        monkeypatch.setattr(packed_cells, name, value)


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
    """Also where all rows and columns have as many entries as in one that is none, on both sides of the diagonal."""
    rows, columns = np.random.default_rng(1).integers(0, 60, (2, 300))
    direct = np.concatenate([rows, columns])[cut:], np.concatenate([columns, rows])[cut:]
    cycle = np.arange(40), np.roll(np.arange(40), 1)
    crossed = np.array([0, 2, 3, 2]), np.array([1, 3, 0, 1])
    for pair in (direct, cycle, crossed):
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


def peak_of(path: Path) -> tuple[Survey, int]:
    """What a scan and its preview take, in bytes."""
    survey = Survey()
    tracemalloc.start()
    try:
        SCANS[path.suffix[1:]](path, VERIFIED, survey)
        survey.preview(path.name)
        return survey, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# What is made of a piece of a file, and of a piece of entries.
BESIDE = 16 << 20


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
    survey, peak = peak_of(path)
    assert survey.entries == entries
    assert peak < 8 * entries + BESIDE


ARRAY = "%%MatrixMarket matrix array integer general\n"
NUMBER = 2_000_000
SHORT = {
    # One digit for each cell: an array took a byte for each, and one of a single column 26.
    "square.mtx": (f"{ARRAY}1000 2000\n", "1\n", NUMBER),
    "column.mtx": (f"{ARRAY}{NUMBER} 1\n", "1\n", NUMBER),
    "row.mtx": (f"{ARRAY}1 {NUMBER}\n", "1\n", NUMBER),
    # Three numbers of 64 bits for each entry.
    "pattern.smtx": (f"2, {NUMBER}, {NUMBER}\n0 {NUMBER // 2} {NUMBER}\n", "5 ", NUMBER),
    "rows.smtx": (f"{NUMBER}, 1, 0\n0", " 0", NUMBER),
    # One cell of many, again and again.
    "cell.tns": (f"# shape:{f' {2**31 - 1}' * 3}\n", "1 1 1 1\n", NUMBER),
}


@pytest.mark.parametrize("name", SHORT)
def test_short_entries_take_no_more_than_their_text(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(packed_cells, "FEW", 1 << 17)
    beginning, entry, number = SHORT[name]
    path = tmp_path / name
    path.write_text(beginning + entry * number)
    if name == "rows.smtx":
        path.write_text(path.read_text() + "\n")
    survey, peak = peak_of(path)
    assert survey.entries == (number if name != "rows.smtx" else 0)
    assert peak < number // 2 + BESIDE


LARGEST = 2**31 - 1
MANY = {
    # Each cell took 8 bytes, and where no 64 bits count the cells as many as its coordinates, three times over.
    "matrix": ((99_999, 99_999), 99_999, 1_000_000, 4),
    "large": ((LARGEST, LARGEST), 3_000, 1_000_000, 5),
    "cube": ((LARGEST,) * 3, LARGEST, 200_000, 16),
    "nine": ((LARGEST,) * 9, 1_000, 60_000, 25),
}


@pytest.mark.parametrize("name", MANY)
def test_sorted_cells_take_what_tells_each_from_the_one_before(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(packed_cells, "FEW", 1 << 17)
    monkeypatch.setattr(packed_cells, "CHUNK", 1 << 13)
    monkeypatch.setattr(packed_cells, "SORTED", 1 << 16)
    (shape, largest, number, each), numbers, survey = MANY[name], np.random.default_rng(3), Survey()
    tracemalloc.start()
    try:
        survey.begin(shape, number)
        for _ in range(0, number, 10_000):
            survey.add(tuple(numbers.integers(0, largest, (len(shape), 10_000))))
        survey.preview("")
        assert tracemalloc.get_traced_memory()[1] < each * number + (4 << 20)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("shape", [(2**20, 2**20), (2**31 - 1,) * 3])
def test_cells_that_are_named_again_and_again_are_kept_once(shape: tuple[int, ...]) -> None:
    """However many runs hold them."""
    columns = tuple(np.random.default_rng(place).integers(0, shape[place], 25) for place in range(len(shape)))
    survey = Survey()
    survey.begin(shape, 2_500)
    for _ in range(100):
        survey.add(columns)
    assert isinstance(survey._cells, packed_cells.Packed)
    assert len(survey._cells._runs) <= packed_cells.MOST_RUNS
    assert sum(chunk.size for chunk in survey._cells._chunks()) == 25
    view = survey.preview("")
    assert (survey.entries, view["nonzeros"]) == (2_500, 25)


@pytest.mark.parametrize("cut", [0, 1])
def test_a_mirror_image_is_known_among_many_rows(cut: int) -> None:
    """In several slices, a row with most entries among them, and rows without any."""
    numbers = np.random.default_rng(4)
    rows, columns = (numbers.random((2, 400)) ** 3 * 2**31).astype(np.int64)
    rows[:90] = 7
    entries = Entries((2**31, 2**31), (np.r_[rows, columns][cut:], np.r_[columns, rows][cut:]), np.ones(800 - cut))
    view = surveyed(entries).preview("")
    assert view == preview_view(entries, "")
    assert view["symmetric"] is (cut == 0)
