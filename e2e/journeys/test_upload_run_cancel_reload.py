"""Journey: a matrix of one's own, run, cancelled, and the page loaded again in the middle of a run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from e2e.journeys.tally import Tally
from e2e.pages.explorer import Explorer

MATRIX = "%%MatrixMarket matrix coordinate real general\n4 6 7\n1 1 6\n1 3 9\n3 1 5\n3 4 7\n3 6 1\n4 2 2\n4 5 8\n"


@pytest.mark.needs_server("PUT /datasets")
def test_no_run_is_forgotten(explorer: Explorer, page: Page, tmp_path: Path) -> None:
    run = explorer.run
    tally = Tally(page)
    # Before anything was run, the pane is a strip: the pictures have the space.
    assert run.height() < 140
    file = tmp_path / "mine.mtx"
    file.write_text(MATRIX)
    run.upload("A", file)
    expect(run.input_of("A")).to_have_value(re.compile("^dataset sha256:"))
    run.compare_with()
    explorer.expect_compiled()

    explorer.schedule.box.press("Control+Enter")
    expect(run.cancel).to_be_visible()
    assert run.height() > 200
    run.expect_verified()
    expect(run.row("Heddle, unscheduled")).to_contain_text(
        re.compile(r"schedule (the kernel takes|makes no difference)|[Nn]ot conclusive")
    )

    explorer.schedule.write("split(i, i0, i1, 48)")
    explorer.expect_compiled()
    run.start()
    run.cancel.click()
    expect(run.status).to_contain_text("Cancelled")
    expect(run.cancel).to_be_hidden()
    run.expect_verified()  # of the run before
    expect(run.outcome).to_contain_text("The result below is that of the run before")

    run.start()
    page.reload()
    explorer.wait_until_settled()
    explorer.schedule.expect_text("split(i, i0, i1, 48)")
    run.expect_verified()
    expect(run.outcome).not_to_contain_text("run before")
    expect(run.button).to_be_enabled()
    page.reload()
    run.expect_verified()
    run.pane.get_by_role("tab", name="All results").click()
    rows = page.get_by_role("region", name="All results").locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("split(i, i0, i1, 48)")
    tally.expect("upload, run, cancel, reload in the middle")
