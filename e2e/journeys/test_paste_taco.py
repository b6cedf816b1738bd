"""Journey: a TACO command line, its C++ interface and what Heddle exported itself, pasted where one types."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from e2e.journeys.tally import Tally
from e2e.pages.explorer import Explorer

COMMAND = (
    'taco "C(i,k) = A(i,j) * B(j,k)" -f=A:ds -t=B:float -i=A:web.mtx '
    '-s="reorder(i,j,k),split(i,i0,i1,16),parallelize(i0,CPUThread,NoRaces)"'
)
CHAIN = """stmt = stmt.split(i, i0, i1, CHUNK_SIZE)
.reorder({i0, i1, j})
.parallelize(i0, ParallelUnit::CPUThread, OutputRaceStrategy::NoRaces);"""


def test_a_command_line_says_what_was_taken_before_anything_changes(explorer: Explorer, page: Page) -> None:
    tally = Tally(page)
    explorer.schedule.paste(COMMAND)
    dialog = page.get_by_role("dialog", name="Read a plan from a text")
    expect(dialog).to_contain_text("Read as a TACO command line. It compiles.")
    taken = dialog.get_by_role("region", name="Taken")
    expect(taken.get_by_role("listitem")).to_have_text(
        [
            "the expression C(i,k) = A(i,j) * B(j,k)",
            "A stored as ds, which is csr here",
            "B of float32",
            "3 commands of the schedule",
        ]
    )
    expect(dialog.get_by_role("region", name="Left out")).to_contain_text("-i=A:web.mtx Data are chosen at Inputs")
    expect(dialog.get_by_role("region", name="Good to know")).to_contain_text("reorder(i, j, k) is left out")
    dialog.get_by_role("button", name="Use this plan").click()
    explorer.expect_compiled()
    explorer.schedule.expect_text("split(i, i0, i1, 16)\nparallelize(i0, CPUThread, NoRaces)")
    expect(explorer.formats.chip("A")).to_contain_text("csr")
    expect(explorer.formats.chip("B")).to_contain_text("float32")
    tally.expect("paste a TACO command line")
    page.get_by_role("button", name="Undo").click()
    expect(explorer.expression.box).to_have_text("y(i) = A(i,j) * x(j)")


def test_a_chain_becomes_the_schedule_of_the_open_plan(explorer: Explorer, page: Page) -> None:
    explorer.schedule.paste_from_taco()
    dialog = page.get_by_role("dialog", name="Read a plan from a text")
    text = dialog.get_by_role("textbox")
    text.fill("a letter to a friend")
    expect(dialog.get_by_role("region", name="No plan")).to_contain_text("This is nothing that Heddle reads.")
    expect(dialog.get_by_role("button", name="Use this plan")).to_be_disabled()
    text.fill(CHAIN)
    expect(dialog.get_by_role("region", name="Good to know")).to_contain_text("CHUNK_SIZE = 16")
    dialog.get_by_role("button", name="Use this plan").click()
    explorer.expect_compiled()
    explorer.schedule.expect_text("split(i, i0, i1, 16)\nreorder(i0, i1, j)\nparallelize(i0, CPUThread, NoRaces)")
