"""What somebody types is a text in a spreadsheet, whatever separates its cells."""

from __future__ import annotations

import csv
import io

import pytest

from heddle_server.spreadsheet import plain, write_table


@pytest.mark.parametrize(
    "text", ["=1", "+1", "-1", "@a", "\ta", "\n=1", " =1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff20a"]
)
def test_a_name_is_no_formula(text: str) -> None:
    assert plain(text) == f"'{text}"


@pytest.mark.parametrize("text", ["Ann", "Ann = 1", "", "  Ann", "a-b"])
def test_a_name_that_is_none_stays_as_it_is(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("name", ["Ann;=1+1", "Ann\t=1+1", 'Ann";=1+1;"', "Ann,=1+1"])
def test_no_cell_begins_in_the_middle_of_a_name(name: str, separator: str) -> None:
    out = io.StringIO()
    write_table(out, ("student", "tries"), [(name, 3)], "\r\n")
    (_, row) = csv.reader(io.StringIO(out.getvalue(), newline=""), delimiter=separator)
    assert not [cell for cell in row if cell.startswith("=")]
    if separator == ",":
        assert row == [name, "3"]
