"""Journey: a plan with a choice in every part is the same in another browser, which has steps of its own."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from e2e.console import Console
from e2e.journeys.tally import Tally
from e2e.pages.explorer import Explorer


def test_share_and_open_elsewhere(explorer: Explorer, browser: Browser, console: Console) -> None:
    tally = Tally(explorer.page)
    explorer.expression.write("y(i) = A(i,j) * x(j) + z(i)")
    explorer.expect_compiled()
    explorer.formats.choose("A", "dcsr")
    explorer.schedule.write("split(i, i0, i1, 8)\nparallelize(j, CPUThread, NoRaces)")
    explorer.run.choose_generator("z", "dense")
    explorer.expect_errors()
    link = explorer.share.make_link()
    stranger = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    other = Explorer(stranger.new_page())
    console.watch(other.page)
    other.open(link)
    # A refused plan is refused there too, and drawn as far as it goes.
    other.expect_errors()
    expect(other.code.pane).to_contain_text("After command 1: command 2 is refused.")
    other.schedule.expect_text("split(i, i0, i1, 8)\nparallelize(j, CPUThread, NoRaces)")
    expect(other.formats.of("A")).to_have_value("dcsr")
    expect(other.run.input_of("z")).to_have_value("generator dense")
    tally.expect("share and open elsewhere")
    undo = other.page.get_by_role("button", name="Undo", exact=True)
    expect(undo).to_be_disabled()
    other.schedule.write("split(i, i0, i1, 8)")
    other.expect_compiled()
    other.page.reload()
    other.expect_compiled()
    undo.click()
    other.expect_errors()
    stranger.close()
