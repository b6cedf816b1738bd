"""./heddle lesson on the command line: options before and behind the files, and what cannot be a number of students."""

from __future__ import annotations

from pathlib import Path

import pytest

from heddle_server.cli import main
from heddle_server.lessons.course import FOLDER

FIRST = FOLDER / "01-what-a-format-stores.md"


@pytest.mark.parametrize(
    "arguments",
    [["--seeds", "1", str(FIRST)], [str(FIRST), "--seeds", "1"], ["--seeds=1", str(FIRST), str(FIRST)]],
    ids=" ".join,
)
def test_options_stand_before_or_behind_the_files(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson", "check", *arguments]) == 0
    assert capsys.readouterr().out.startswith("01-what-a-format-stores.md: 2 tasks hold")


@pytest.mark.parametrize("number", ["0", "-1", "1001"])
def test_a_number_of_students_that_would_prove_nothing(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["lesson", "check", str(FIRST), "--seeds", number])
    assert f"expected the data of 1 to 1000 students, found {number}" in capsys.readouterr().err


def test_the_facts_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson", "facts"]) == 0
    assert "storage.bytes(tensor)  [bytes]\n    Bytes of all arrays" in capsys.readouterr().out


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson", "check", "--seeds", "1", str(tmp_path / "none.md")]) == 1
    assert "none.md does not exist" in capsys.readouterr().err
