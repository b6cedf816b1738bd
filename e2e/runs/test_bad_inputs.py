"""Files and sizes that cannot be right: each ends in a message at its place, and the service keeps running."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from e2e.console import Console
from e2e.pages.explorer import Explorer

HEAD = "%%MatrixMarket matrix coordinate real general\n"
FILES = {
    "empty file": ("", "The file is empty; expected a Matrix Market file"),
    "no header": ("4 4 1\n1 1 1.0\n", "Line 1: expected the banner %%MatrixMarket"),
    "header promises more": (HEAD + "4 4 9\n1 1 1.0\n", "the header announces 9 entries, but the file holds only 1"),
    "huge dimension": (HEAD + "99999999999999 4 1\n1 1 1.0\n", "99,999,999,999,999 rows, the limit is 2,147,483,647"),
    "coordinate outside": (HEAD + "4 4 1\n5 1 1.0\n", "Line 3: the row is 5"),
    "not a number": (HEAD + "3 3 2\n1 1 1\n2 3 nan\n", "Line 4: the value is nan"),
}


@pytest.mark.needs_server("PUT /datasets")
def test_a_malformed_matrix_is_refused_with_its_reason(explorer: Explorer, console: Console, tmp_path: Path) -> None:
    console.expect(r"status of 4\d\d")
    file = tmp_path / "matrix.mtx"
    for content, message in FILES.values():
        file.write_text(content)
        explorer.run.upload("A", file)
        expect(explorer.run.input_problem("A")).to_contain_text(message)
        expect(explorer.run.input_of("A")).to_have_value("dataset bcsstk13")
        explorer.expect_compiled()


@pytest.mark.needs_server("POST /runs")
def test_a_matrix_whose_shape_does_not_fit_is_explained(explorer: Explorer) -> None:
    explorer.expression.write("y(i) = A(i,j) * B(i,j) * x(j)")
    explorer.expect_compiled()
    explorer.run.choose_dataset("B", "karate")
    explorer.wait_until_settled()
    if explorer.run.button.is_enabled():
        explorer.run.button.click()
        expect(explorer.run.outcome).to_contain_text("2003")
    expect(explorer.run.pane).to_contain_text("34")


@pytest.mark.combinations(4)
@pytest.mark.parametrize("shape", ["3 3 0", "0 0 0", "1 5 0"])
@pytest.mark.needs_server("PUT /datasets")
def test_an_empty_matrix_runs(explorer: Explorer, tmp_path: Path, shape: str) -> None:
    file = tmp_path / "empty.mtx"
    file.write_text(HEAD + shape + "\n")
    explorer.run.upload("A", file)
    explorer.run.compare_with("SciPy")
    expect(explorer.run.input_of("A")).not_to_have_value("dataset bcsstk13")
    explorer.expect_compiled()
    explorer.run.start()
    explorer.run.expect_verified()


@pytest.mark.needs_server("PUT /datasets")
def test_text_of_a_person_is_never_markup(explorer: Explorer, tmp_path: Path) -> None:
    file = tmp_path / "<img src=x onerror=alert(1)>.mtx"
    file.write_text(HEAD + "2 2 1\n1 1 1.0\n")
    explorer.run.upload("A", file)
    expect(explorer.run.input_of("A")).not_to_have_value("dataset bcsstk13")
    explorer.expression.write("y(i) = <b>A</b>(i,j) * x(j)")
    explorer.expect_errors()
    expect(explorer.page.locator("img[src=x]")).to_have_count(0)
