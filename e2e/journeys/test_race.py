"""Journey: a race, what happens in it on small data, and each of its repairs; nobody is judged while writing."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from e2e.journeys.tally import Tally
from e2e.pages.explorer import Explorer

RACE = "parallelize(j, CPUThread, NoRaces)"
REPAIRS = (
    "Write parallelize(j, CPUThread, ParallelReduction)",
    "Write parallelize(i, CPUThread, NoRaces)",
    "Write parallelize(j, CPUThread, Atomics)",
    "Write parallelize(j, CPUThread, Temporary)",
    f"Remove {RACE}",
)


def test_a_race_shows_its_evidence_and_every_repair_compiles(explorer: Explorer, page: Page) -> None:
    tally = Tally(page)
    explorer.schedule.write(RACE)
    explorer.expect_errors()
    expect(explorer.schedule.problems).to_contain_text("at i = 2: j = 0, 3, 5 all add into y(2).")
    # The likeliest repair stands there, the others are a press away.
    expect(explorer.schedule.fixes).to_have_text(list(REPAIRS[:1]))
    explorer.schedule.show_all_fixes()
    expect(explorer.schedule.fixes).to_have_text(list(REPAIRS))
    # The reason, the evidence and the first repair need no scrolling.
    expect(explorer.schedule.fixes.first).to_be_in_viewport()
    for repair in REPAIRS:
        explorer.schedule.fix(repair)
        explorer.expect_compiled()
        expect(explorer.schedule.problems).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        explorer.expect_errors()
    tally.expect("a race and each of its repairs")


def test_the_evidence_follows_the_program(explorer: Explorer) -> None:
    explorer.schedule.write("fuse(i, j, f)\npos(f, p, A)\nsplit(p, b, t, 3)\nparallelize(b, CPUThread, NoRaces)")
    explorer.expect_errors()
    expect(explorer.schedule.problems).to_contain_text("On the running example: b = 0, 1 both add into y(2).")
    explorer.schedule.write("reorder(j, i)")
    expect(explorer.schedule.problems).to_contain_text("those with j = 0 are at positions 0, 2.")


def test_a_command_is_not_judged_while_it_is_written(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("")
    explorer.expect_compiled()
    explorer.schedule.box.press_sequentially("sp", delay=5)
    information = page.locator(".cm-completionInfo")
    expect(information).to_contain_text("Cut a loop into tiles")
    # All of the box can be seen: nothing around it cuts it off.
    seen = information.evaluate(
        "box => { const at = box.getBoundingClientRect();"
        " return box.contains(document.elementFromPoint(at.right - 4, at.bottom - 4)); }"
    )
    assert seen
    explorer.wait_until_settled()
    expect(explorer.status).to_have_text("Writing")
    expect(explorer.schedule.problems).to_have_count(0)
    expect(explorer.schedule.squiggles).to_have_count(0)
    page.keyboard.press("Escape")
    explorer.expect_errors()
    expect(explorer.schedule.problems).to_contain_text("there is no command sp.")
