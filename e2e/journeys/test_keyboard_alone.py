"""Journey: from load to result without a pointer, the schedule within ten presses of Tab."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from e2e.journeys.tally import Tally
from e2e.pages.explorer import Explorer
from e2e.pages.run import RUN_MILLISECONDS

MOST_TABS = 10
FOCUSED = "element => element === document.activeElement"


@pytest.mark.needs_server("POST /runs")
def test_from_load_to_the_result(explorer: Explorer, page: Page) -> None:
    explorer.expect_compiled()
    tally = Tally(page)
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the schedule")).to_be_focused()
    page.keyboard.press("Enter")
    tabs = 1
    while not explorer.schedule.box.evaluate(FOCUSED):
        page.keyboard.press("Tab")
        tabs += 1
        assert tabs <= MOST_TABS, f"the schedule is not reached by {MOST_TABS} presses of Tab"
    page.keyboard.press("Control+a")
    page.keyboard.type("parallelize(i, CPUThread, NoRaces)", delay=5)
    page.keyboard.press("Escape")
    explorer.expect_compiled()
    explorer.schedule.expect_text("parallelize(i, CPUThread, NoRaces)")
    page.keyboard.press("Control+Enter")
    expect(explorer.run.timings).to_be_visible(timeout=RUN_MILLISECONDS)
    explorer.run.expect_verified()
    tally.expect("keyboard alone from load to result")
