"""./heddle grade: every receipt is checked again, and the table says what became of it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from heddle_server.cli import main

EXPRESSION = "y(i) = A(i,j) * x(j)"


def receipt(format: str, seed: int = 3, **changed: object) -> str:
    plan = {"version": 2, "expression": EXPRESSION, "tensors": {"A": {"format": format}}, **changed}
    query = urlencode({"lesson": "what-a-format-stores", "task": "no-empty-rows", "seed": seed})
    return f"https://host/?{query}#j1.{quote(json.dumps(plan))}"


def graded(
    rows: list[tuple[str, str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[int, list[dict[str, str]], str]:
    file = tmp_path / "receipts.csv"
    with file.open("w", newline="") as opened:
        csv.writer(opened).writerows([("student", "receipt"), *rows])
    status = main(["grade", str(file)])
    said = capsys.readouterr()
    return status, list(csv.DictReader(io.StringIO(said.out))), said.err


def test_a_class_is_graded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        ("Ann", receipt("dcsr")),
        ("=1+1", receipt("csr", 4)),
        ("Ben", receipt("dcsr")),
        ("Cy", receipt("dcsr", 5)),
        ("Di", "no link"),
    ]
    rows.append(("Ed", receipt("dcsr", 6, language="patterns")))
    status, table, said = graded(rows, tmp_path, capsys)
    assert status == 1, "one could not be read"
    assert [(row["student"], row["result"], row["medals"]) for row in table] == [
        ("Ann", "passed", "gold"),
        ("'=1+1", "failed", ""),
        ("Ben", "passed", "gold"),
        ("Cy", "passed", "gold"),
        ("Di", "bad receipt", ""),
        ("Ed", "failed", ""),
    ]
    notes = [row["note"] for row in table]
    assert notes[:4] == [
        "",
        "The first level has one position for each row that holds something.",
        "the same receipt as in line 2",
        "",
    ]
    assert notes[5] == "this task is in the language notation, this plan in patterns"
    assert table[0]["plan"] == table[3]["plan"] != table[1]["plan"], "equal solutions have one name"
    assert said == "6 receipts of 6 students: 3 passed, 1 could not be checked\n"


def test_what_is_no_file_of_receipts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grade", str(tmp_path / "none.csv")]) == 1
    assert "none.csv does not exist" in capsys.readouterr().err
    status, table, said = graded([], tmp_path, capsys)
    assert (status, table) == (1, [])
    assert said.endswith("there are no receipts below its first line\n")
