"""Looking at data before it is run, and fetching data by name."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from e2e.accessibility import violations
from e2e.console import Console
from e2e.pages.explorer import Explorer
from e2e.pages.inputs import Inputs
from tests.backend.collection_site import Site, packed

MATRIX = b"%%MatrixMarket matrix coordinate real general\n4 6 3\n1 1 6\n1 3 9\n3 1 5\n"


@pytest.mark.combinations(4)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_data_is_previewed_as_picture_table_and_words(explorer: Explorer, theme: str) -> None:
    explorer.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    inputs = Inputs(explorer.page)
    toggle = inputs.toggle_preview("A")
    before = explorer.run.button.bounding_box()
    toggle.focus()
    explorer.page.keyboard.press("Enter")
    expect(inputs.preview("A")).to_contain_text("2\u202f003 × 2\u202f003, 83\u202f883 nonzeros")
    expect(inputs.preview("A")).to_contain_text("The pattern is symmetric.")
    expect(inputs.preview("A").get_by_role("row").filter(has_text="64–127")).to_be_visible()
    expect(inputs.spy_plot("A")).to_be_visible()
    assert inputs.painted("A") > 200
    # It stands above the page, all of it inside the window, and moves nothing.
    expect(inputs.preview("A").get_by_text("The pattern is symmetric.")).to_be_in_viewport(ratio=1)
    assert explorer.run.button.bounding_box() == before
    inputs.preview("A").get_by_label("Entries of").select_option("columns")
    expect(inputs.preview("A").get_by_role("columnheader", name="Columns")).to_be_visible()
    assert violations(explorer.page) == []

    explorer.run.choose_generator("A", "banded")
    expect(inputs.preview("A")).to_contain_text(re.compile(r"The farthest entry is 2 away from the diagonal\."))
    # A tip under the pointer is what Escape closes first.
    explorer.page.mouse.move(0, 0)
    expect(explorer.page.get_by_role("tooltip")).to_have_count(0)
    explorer.page.keyboard.press("Escape")
    expect(inputs.preview("A")).to_have_count(0)
    expect(toggle).to_be_focused()


def test_a_number_with_two_readings_is_not_taken(explorer: Explorer) -> None:
    explorer.run.choose_generator("A", "uniform")
    field = explorer.run.pane.get_by_role("group", name="Generator of A").get_by_label("size of i")
    field.fill("1.000")
    field.press("Tab")
    expect(field).to_have_value("1.000")
    expect(explorer.run.pane).to_contain_text("“1.000” can be 1 or 1\u202f000. Write 1 or 1000.")
    expect(explorer.run.button).to_be_disabled()
    field.fill("2 000")
    field.press("Tab")
    expect(field).to_have_value("2000")
    explorer.expect_compiled()
    expect(explorer.run.button).to_be_enabled()


@pytest.mark.needs_server("POST /downloads")
def test_a_matrix_is_fetched_by_name_and_a_collection_that_is_away_is_named(
    site: Site, explorer: Explorer, console: Console
) -> None:
    site.files["/MM/HB/small.tar.gz"] = packed("small", MATRIX)
    inputs = Inputs(explorer.page)
    explorer.run.input_of("A").select_option(label="From a collection…")
    inputs.fetch("A", "HB/small")
    expect(explorer.run.input_of("A")).to_have_value("dataset suitesparse:HB/small")
    expect(inputs.collection("A")).to_have_count(0)
    inputs.toggle_preview("A").click()
    expect(inputs.preview("A")).to_contain_text("4 × 6, 3 nonzeros")

    explorer.run.input_of("A").select_option(label="From a collection…")
    inputs.fetch("A", "HB/nothing")
    expect(inputs.collection("A").get_by_role("alert")).to_contain_text("has no such file")
    console.expect("422")
    inputs.fetch("A", "no group")
    expect(inputs.collection("A").get_by_role("alert")).to_contain_text("Group/Name, as in HB/bcsstk13")
    inputs.collection("A").get_by_label("Collection").select_option("away")
    inputs.fetch("A", "HB/small")
    expect(inputs.collection("A").get_by_role("alert")).to_contain_text("This machine has no connection to 127.0.0.1")
    assert violations(explorer.page) == []
    inputs.collection("A").get_by_role("button", name="Close").click()
    expect(explorer.run.input_of("A")).to_have_value("dataset suitesparse:HB/small")
