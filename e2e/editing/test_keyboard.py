"""Journey without a pointer: expression, format, schedule and run, from the first Tab to the timings."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from e2e.pages.explorer import Explorer
from e2e.pages.run import RUN_MILLISECONDS

MOST_TABS = 80

COUNT_PRESSES = """
window.presses = 0;
addEventListener('pointerdown', () => { window.presses += 1; }, true);
"""


def tab_to(page: Page, wanted: Locator) -> None:
    """Presses Tab until ``wanted`` has the focus; a trap or an element out of reach fails."""
    for _ in range(MOST_TABS):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} is not reached by {MOST_TABS} presses of Tab")


def replace(page: Page, text: str) -> None:
    """Types over everything in the field that has the focus; what the editor offers is put away."""
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.type(text, delay=5)


@pytest.mark.needs_server("POST /runs")
def test_from_the_expression_to_the_timings(explorer: Explorer, page: Page) -> None:
    page.evaluate(COUNT_PRESSES)
    tab_to(page, explorer.expression.box)
    replace(page, "y(i) = 2 * A(i,j) * x(j)")
    page.keyboard.press("Escape")
    tab_to(page, explorer.formats.chip("A"))
    page.keyboard.press("Enter")
    tab_to(page, explorer.formats.levels_of("A"))
    replace(page, "ell")
    tab_to(page, explorer.schedule.box)
    replace(page, "parallelize(i, CPUThread, NoRaces)")
    page.keyboard.press("Escape")
    explorer.expect_compiled()
    explorer.expression.expect_text("y(i) = 2 * A(i,j) * x(j)")
    explorer.schedule.expect_text("parallelize(i, CPUThread, NoRaces)")
    expect(explorer.formats.of("A")).to_have_value("ell")
    expect(explorer.code.text).to_contain_text("#pragma omp parallel for")
    # Into the diagram, along its objects, and out again.
    loop = page.get_by_role("button", name=re.compile("^Loop 1: i"))
    tab_to(page, loop)
    expect(explorer.linked(page.get_by_role("region", name="Code", exact=True)).first).to_be_attached()
    tab_to(page, explorer.run.button)
    page.keyboard.press("Enter")
    expect(explorer.run.timings).to_be_visible(timeout=RUN_MILLISECONDS)
    expect(explorer.run.outcome).to_contain_text("Verified")
    assert page.evaluate("window.presses") == 0
