"""Journey: somebody who had SpMV open writes MTTKRP from nothing, gives it a real tensor, and runs it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from e2e.journeys.tally import Tally
from e2e.pages.explorer import Explorer

MTTKRP = "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"


@pytest.mark.needs_server("POST /runs")
def test_mttkrp_from_an_empty_plan(explorer: Explorer, page: Page) -> None:
    explorer.run.choose_generator("A", "rmat")
    tally = Tally(page)
    explorer.schedule.write("")
    explorer.expression.type(MTTKRP)
    explorer.expect_compiled()
    expect(page.get_by_role("list", name="No longer in the plan")).to_contain_text("A is the result now.")
    explorer.formats.choose("B", "csf")
    explorer.run.choose_generator("B", "uniform")
    for variable, size in (("i", "60"), ("k", "50"), ("l", "40")):
        explorer.run.set_parameter("B", f"size of {variable}", size)
    explorer.run.set_parameter("B", "Nonzeros", "3000")
    explorer.run.choose_generator("C", "dense")
    generator = explorer.run.pane.get_by_role("group", name="Generator of C")
    expect(generator.get_by_label("size of k")).to_have_value("50")
    explorer.run.set_parameter("C", "size of j", "16")
    explorer.run.compare_with("SciPy")
    explorer.expect_compiled()
    explorer.run.start()
    explorer.run.expect_verified()
    expect(explorer.run.outcome).not_to_contain_text("4096")
    tally.expect("MTTKRP from an empty plan")
