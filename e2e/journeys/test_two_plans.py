"""Journey: compare: a plan beside another, what it comes to in sight at once, and a list that closes by itself."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from e2e.journeys.tally import Tally
from e2e.pages.compare import Compare
from e2e.pages.explorer import Explorer
from e2e.pages.window import resize


def test_choosing_the_other_plan_closes_its_list_and_the_verdict_is_in_sight(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("split(i, i0, i1, 2)")
    explorer.expect_compiled()
    tally = Tally(page)
    compare = Compare(page)
    compare.begin("This plan without a schedule")
    expect(compare.other_name).to_have_value("No schedule")

    verdict = compare.region.get_by_role("region", name="Verdict")
    for width in (1440, 1280, 1024, 390):
        resize(page, width)
        expect(verdict).to_contain_text("same operands, same result")
        expect(verdict).to_be_in_viewport(ratio=1)
    tally.expect("compare")

    resize(page, 1440)
    opener = compare.region.get_by_role("button", name="Choose the other plan")
    opener.click()
    page.keyboard.press("Escape")
    expect(compare.choices).to_have_count(0)
    expect(opener).to_be_focused()
    opener.click()
    compare.own_name.click()
    expect(compare.choices).to_have_count(0)
    opener.click()
    compare.choices.get_by_role("button", name="This plan as it is now").click()
    expect(compare.choices).to_have_count(0)
    expect(compare.other_name).to_have_value("Before")
