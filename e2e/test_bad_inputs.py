"""Files and sizes that cannot be right: each ends in a message at its place, and the service goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from e2e.console import Console
from e2e.pages.explorer import Explorer

HEAD = "%%MatrixMarket matrix coordinate real general\n"
FILES = {
    "empty file": ("", "empty"),
    "no header": ("4 4 1\n1 1 1.0\n", "MatrixMarket"),
    "header promises more": (HEAD + "4 4 9\n1 1 1.0\n", "9"),
    "header promises a billion": (HEAD + "4 4 4000000000\n1 1 1.0\n", ""),
    "huge dimension": (HEAD + "99999999999999 4 1\n1 1 1.0\n", "99999999999999"),
    "coordinate outside": (HEAD + "4 4 1\n5 1 1.0\n", "5"),
    "zero coordinate": (HEAD + "4 4 1\n0 1 1.0\n", "0"),
    "value is a word": (HEAD + "4 4 1\n1 1 heavy\n", "heavy"),
    "not text": ("\x00\x01\x02\x03" * 100, ""),
}


@pytest.mark.parametrize("name", FILES)
def test_a_malformed_matrix_is_refused_with_its_reason(
    explorer: Explorer, console: Console, tmp_path: Path, name: str
) -> None:
    content, word = FILES[name]
    console.expect(r"status of 4\d\d")
    file = tmp_path / "matrix.mtx"
    file.write_text(content)
    explorer.run.upload("A", file)
    problem = explorer.run.input_problem("A")
    expect(problem).to_be_visible()
    expect(problem).to_contain_text(word)
    expect(explorer.run.input_of("A")).to_have_value("dataset bcsstk13")
    explorer.expect_compiled()


def test_a_matrix_whose_shape_does_not_fit_is_explained(explorer: Explorer) -> None:
    explorer.expression.write("y(i) = A(i,j) * B(i,j) * x(j)")
    explorer.expect_compiled()
    explorer.run.choose_dataset("B", "karate")
    explorer.wait_until_settled()
    if explorer.run.button.is_enabled():
        explorer.run.button.click()
        expect(explorer.run.outcome).to_contain_text("2003")
    expect(explorer.run.pane).to_contain_text("34")


def test_not_a_number_is_computed_with_as_scipy_does(explorer: Explorer, tmp_path: Path) -> None:
    file = tmp_path / "nan.mtx"
    file.write_text(HEAD + "3 3 2\n1 1 nan\n2 3 1.5\n")
    explorer.run.upload("A", file)
    expect(explorer.run.input_problem("A").or_(explorer.run.pane.get_by_text("3 × 3").first)).to_be_visible()
    explorer.wait_until_settled()


@pytest.mark.parametrize("shape", ["3 3 0", "0 0 0", "1 5 0"])
def test_an_empty_matrix_runs(explorer: Explorer, tmp_path: Path, shape: str) -> None:
    file = tmp_path / "empty.mtx"
    file.write_text(HEAD + shape + "\n")
    explorer.run.upload("A", file)
    explorer.run.compare_with("SciPy")
    expect(explorer.run.input_of("A")).not_to_have_value("dataset bcsstk13")
    explorer.expect_compiled()
    explorer.run.start()
    explorer.run.expect_verified()


def test_text_of_a_person_is_never_markup(explorer: Explorer, tmp_path: Path) -> None:
    file = tmp_path / "<img src=x onerror=alert(1)>.mtx"
    file.write_text(HEAD + "2 2 1\n1 1 1.0\n")
    explorer.run.upload("A", file)
    expect(explorer.run.input_of("A")).not_to_have_value("dataset bcsstk13")
    explorer.expression.write("y(i) = <b>A</b>(i,j) * x(j)")
    explorer.expect_errors()
    expect(explorer.page.locator("img[src=x]")).to_have_count(0)
