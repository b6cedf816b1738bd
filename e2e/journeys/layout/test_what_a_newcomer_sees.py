"""Journey: the first view: few controls, large drawings, and everything else a step away."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from e2e.first_view import LEAST_DRAWN, MOST_CONTROLS, controls_in_sight, drawn_share
from e2e.pages.explorer import Explorer
from e2e.pages.tabs import show_tab
from e2e.scenes import example

SHOWN = ("05", "14", "16", "28", "29", "34", "36", "58", "65")
"""Examples whose graphs are small, narrow and high, wide, or two; test_readable_graphs.py looks at all of them."""


def test_a_first_visit_shows_few_controls_and_large_drawings(newcomer: Page) -> None:
    newcomer.goto("/")
    expect_calm(newcomer)


@pytest.mark.parametrize("start", SHOWN)
def test_an_example_shows_few_controls_and_large_drawings(visitor: Explorer, page: Page, start: str) -> None:
    page.goto("/#j1." + quote(json.dumps(example(start))))
    expect_calm(page)


def expect_calm(page: Page) -> None:
    Explorer(page).wait_until_settled()
    expect(page.get_by_role("group", name="Iteration graph", exact=True)).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)  # layouts are computed in a worker, and nothing says that they are drawn
    controls = controls_in_sight(page)
    assert len(controls) <= MOST_CONTROLS, controls
    assert drawn_share(page) >= LEAST_DRAWN


def test_what_left_the_first_view_is_found_by_its_name(explorer: Explorer, page: Page) -> None:
    for name in (
        "Show Lattice",
        "Show Axes",
        "Show Three stages",
        "Show the tuner",
        "History of changes",
        "Dark theme",
    ):
        page.keyboard.press("Control+k")
        page.keyboard.type(name)
        expect(page.get_by_role("listbox", name="Commands").get_by_role("option").first).to_contain_text(name)
        page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.type("inputs of a run")
    page.keyboard.press("Enter")
    expect(explorer.run.pane.get_by_label("Input of A", exact=True)).to_be_focused()
    summary = explorer.run.pane.locator(".run-summary")
    expect(summary).to_contain_text("A bcsstk13")
    explorer.run.choose_generator("A", "uniform")
    summary.click()
    expect(explorer.run.pane.get_by_label("Input of A", exact=True)).to_have_count(0)
    expect(summary).to_contain_text("A uniform")


def test_the_format_of_a_tensor_opens_by_key_and_says_what_is_chosen(explorer: Explorer, page: Page) -> None:
    chip = explorer.formats.chip("A")
    expect(chip).to_contain_text("csr")
    chip.press("Enter")
    choice = page.get_by_label("Format of A", exact=True)
    expect(choice).to_be_focused()
    choice.select_option("dcsr")
    page.get_by_label("Type of A", exact=True).select_option("float32")
    page.get_by_role("button", name="Fold the storage of A").press("Enter")
    expect(chip).to_be_focused()
    expect(chip).to_contain_text(re.compile("dcsr float32"))


def test_a_tab_that_was_opened_once_stays_among_the_others(explorer: Explorer, page: Page) -> None:
    pane = explorer.graphs.pane
    expect(pane.get_by_role("tab", name="Axes")).to_have_count(0)
    show_tab(pane, "Axes")
    show_tab(pane, "Graphs")
    expect(pane.get_by_role("tab", name="Axes")).to_be_visible()
    page.reload()
    expect(pane.get_by_role("tab", name="Axes")).to_be_visible()
