"""Journey: the rules choose a schedule, offer a format that suits the matrix better, and the run is right with it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer
from heddle.tuning.facts.machine import this_machine


@pytest.mark.skipif(this_machine().lanes(8) < 4, reason="too few vector lanes for formats that pad")
@pytest.mark.needs_server("POST /runs")
def test_a_band_is_stored_on_its_diagonals_with_one_click(explorer: Explorer, page: Page) -> None:
    explorer.run.choose_generator("A", "banded")
    page.get_by_role("button", name="Choose a schedule for me").click()
    offer = page.get_by_role("button", name=re.compile(r"^Store A as dia\((16|32|64)\)$"))
    expect(offer).to_be_visible()
    expect(page.get_by_text(re.compile("diagonals hold all entries of A"))).to_be_visible()
    offer.click()
    explorer.expect_compiled()
    expect(explorer.schedule.box).to_contain_text("CPUVector")
    expect(offer).to_have_count(0)
    expect(explorer.formats.levels_of("A")).to_have_value(re.compile(r"^dia\("))
    explorer.run.compare_with("SciPy")
    explorer.run.start()
    explorer.run.expect_verified()
