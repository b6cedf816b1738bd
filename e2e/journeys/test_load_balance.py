"""Journey: equal work for every thread, without knowing a command."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from e2e.journeys.tally import Tally
from e2e.pages.explorer import Explorer


def test_equal_work_is_two_presses_from_an_empty_schedule(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("")
    explorer.expect_compiled()
    tally = Tally(page)
    explorer.next.open()
    goal = explorer.next.goal("Equal work for every thread")
    expect(goal).to_contain_text("balance(i, i0, i1, A, 64)")
    goal.click()
    explorer.expect_compiled()
    explorer.schedule.expect_text("balance(i, i0, i1, A, 64)\nparallelize(i0, CPUThread, NoRaces)")
    tally.expect("load-balance without help")
    # What is reached is no goal any more; undo takes both commands back in one step.
    explorer.next.expect_settled()
    expect(goal).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    explorer.next.expect_settled()
    expect(goal).to_be_visible()
    explorer.expect_compiled()


def test_atomic_updates_are_replaced_where_they_stand(explorer: Explorer) -> None:
    entries = "fuse(i, j, f)\npos(f, p, A)\nsplit(p, p0, p1, 64)\n"
    explorer.schedule.write(f"{entries}parallelize(p0, CPUThread, Atomics)")
    explorer.expect_compiled()
    expect(explorer.code.text).to_contain_text("#pragma omp atomic")
    explorer.next.open()
    explorer.next.goal("Fewer atomic updates").click()
    explorer.expect_compiled()
    explorer.schedule.expect_text(f"{entries}parallelize(p0, CPUThread, ParallelReduction)")
    expect(explorer.code.text).not_to_contain_text("#pragma omp atomic")
