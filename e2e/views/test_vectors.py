"""Journey: the rules choose vectors for SpMM: the loops show them, the run is right, the machine's class is said."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer
from heddle.runtime.native.machine_class import in_force


@pytest.mark.needs_server("POST /runs")
def test_the_vectors_of_a_chosen_schedule_are_seen_in_the_loops(explorer: Explorer, page: Page) -> None:
    explorer.choose_example("SpMM")
    explorer.expect_compiled()
    page.get_by_role("button", name="Choose a schedule for me").click()
    expect(page.get_by_text(re.compile("columns of k stay in registers"))).to_be_visible()
    explorer.expect_compiled()
    code = explorer.code
    code.show("Stages")
    made = code.stages.filter(has_text="Vectors in registers")
    made.click()
    expect(code.stages_panel).to_contain_text("Turns each workspace that lanes compute with into a vector")
    expect(code.stages_panel.locator(".code-added").filter(has_text=re.compile("lanes of ")).first).to_be_visible()
    code.stages.filter(has_text="Loops, flat").click()
    expect(code.stages_panel).to_contain_text(re.compile(r"w\d*: float64x\d+ = 0\.0"))
    expect(code.stages_panel).to_contain_text(re.compile(r"\d+ lanes of k\w*:"))
    expect(code.stages_panel).to_contain_text(re.compile(r"B_vals\[\w+:\+\d+\]"))
    code.show("C")
    expect(code.line("EACH_REGISTER")).to_be_visible()
    explorer.run.compare_with("SciPy")
    explorer.run.start()
    explorer.run.expect_verified()
    expect(explorer.run.outcome).to_contain_text(in_force().name)
