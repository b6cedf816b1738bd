""".tns files: what is read, and the text of everything that is refused."""

from pathlib import Path

import pytest

from heddle.diagnostics import CompileError
from heddle.runtime.data_files.data_file import VERIFIED
from heddle.runtime.data_files.tns import read_tns
from tests.compiler.runtime.data_files.reading import ROOT, refusal, tns


def test_tensors(tmp_path: Path) -> None:
    entries = tns(tmp_path, "# test\n\n2 2 2 6.0\n1 3 1 2.0  \n")
    assert entries.shape == (2, 3, 2)
    assert [column.tolist() for column in entries.columns] == [[1, 0], [1, 2], [1, 0]]
    assert entries.values.tolist() == [6, 2]
    assert tns(tmp_path, "1 1 5\n", shape=(4, 4)).shape == (4, 4)
    assert read_tns(ROOT / "backend/heddle_server/datasets/small4.tns").shape == (2, 2, 3, 3)


def test_a_comment_that_is_longer_than_what_is_read_at_once(tmp_path: Path) -> None:
    """From its second piece on it was read as data."""
    comment = "# " + "7 7 7 7 " * (1 << 18)
    assert tns(tmp_path, comment + "\n1 2 5\n").shape == (1, 2)


def test_an_entry_behind_more_blanks_than_are_read_at_once(tmp_path: Path) -> None:
    """It was taken for the rest of a comment, and left out."""
    entries = tns(tmp_path, " " * (1 << 20) + "2 3 7\n1 2 5\n")
    assert (entries.shape, entries.values.tolist()) == ((2, 3), [7, 5])


@pytest.mark.parametrize(
    ("content", "code", "text"),
    [
        ("", "empty-file", "The file is empty; expected lines of coordinates and a value, such as: 1 2 3 4.5."),
        ("# nothing\n", "empty-file", "The file holds only comments; expected lines of coordinates and a value"),
        ("5\n", "bad-line", "Line 1: expected 1 to 9 coordinates and a value, found 1 number."),
        (
            "#\n1 2 3 4 5 6 7 8 9 10 1.0\n",
            "bad-line",
            "Line 2: expected 1 to 9 coordinates and a value, found 11",
        ),
        (
            "1 1 1 2.0\n1 1 2.0\n",
            "bad-line",
            "Line 2: expected 4 numbers (coordinate 1, coordinate 2, coordinate 3, value), found 3",
        ),
        (
            "1 1 0 2.0\n",
            "coordinate-out-of-range",
            "Line 1: the coordinate 3 is 0, expected whole",
        ),
        ("1 1.0 1 2.0\n", "bad-line", 'Line 1: the coordinate 2 is "1.0", but must be a whole number in digits.'),
        ("1 1 1 inf\n", "not-finite", "Line 1: the value is inf; results are verified"),
    ],
)
def test_refused_tensors(tmp_path: Path, content: str, code: str, text: str) -> None:
    found_code, found_text = refusal(lambda: tns(tmp_path, content, limits=VERIFIED))
    assert found_code == code
    assert found_text.startswith(text)


def test_a_tensor_of_another_order(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="The file holds a tensor of order 2, but order 3 is expected"):
        tns(tmp_path, "1 1 5\n", shape=(4, 4, 4))
