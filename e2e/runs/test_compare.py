"""Journey: two plans side by side: schedules, work, graphs, code and timings; all of it in the link."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from e2e.accessibility import violations
from e2e.pages.compare import Compare
from e2e.pages.explorer import Explorer
from e2e.pages.palette import Palette
from e2e.pages.window import expect_measured, resize

TILES = "split(i, i0, i1, 2)"


def compared(explorer: Explorer, page: Page, schedule: str = TILES) -> Compare:
    explorer.schedule.write(schedule)
    explorer.expect_compiled()
    Palette(page).choose("Compare with no schedule")
    compare = Compare(page)
    expect(compare.region).to_contain_text("same operands, same result")
    return compare


def test_schedules_and_work_stand_side_by_side(explorer: Explorer, page: Page) -> None:
    compare = compared(explorer, page)
    expect(compare.table("Schedules")).to_contain_text(f"+ {TILES}")
    other, own, change = compare.row("Work on small operands", "statements")
    assert int(own) - int(other) == int(change.replace("−", "-")) != 0
    computed = compare.row("Work on small operands", "points computed")
    assert computed[0] == computed[1]
    # The plan stays in the editors: what is changed there shows at once.
    explorer.schedule.write("")
    explorer.expect_compiled()
    expect(compare.region).to_contain_text("Both plans have no schedule")
    explorer.formats.choose("A", "coo")
    expect(compare.table("Everything else")).to_contain_text("coo")
    # One that does not compile is named.
    explorer.schedule.write("split(k, i0, i1, 2)")
    explorer.expect_errors()
    expect(compare.region).to_contain_text(re.compile("This plan: .*k"))
    expect(compare.table("Work on small operands")).to_contain_text("–")


def test_the_code_differs_line_by_line_and_lights_up_with_the_rest(explorer: Explorer, page: Page) -> None:
    compare = compared(explorer, page)
    compare.show("Code")
    added = compare.region.get_by_role("listbox", name=re.compile("This plan")).locator(".code-added")
    expect(added.filter(has_text="i0 * 2 + i1")).to_have_count(1)
    removed = compare.region.get_by_role("listbox", name=re.compile("No schedule")).locator(".code-removed")
    expect(removed).to_have_count(1)  # the one loop that was split
    compare.show("Graphs")
    left, right = (
        compare.region.get_by_role("region", name=re.compile(f"Iteration graph of the {which} plan"))
        for which in ("other", "edited")
    )
    expect(left.get_by_role("button", name="Loop 1: i")).to_be_visible()
    right.get_by_role("button", name=re.compile("Loop 3: j")).focus()
    expect(explorer.linked(left)).not_to_have_count(0)
    derived = compare.region.get_by_role("region", name=re.compile("Provenance graph of the edited plan"))
    expect(derived.get_by_role("button", name=re.compile("split"))).to_be_visible()
    expect_measured(derived, "area => area.scrollHeight <= area.clientHeight && area.clientHeight > 160")


def test_the_link_holds_both_plans_and_their_names(explorer: Explorer, page: Page) -> None:
    compare = compared(explorer, page)
    compare.own_name.fill("Tiles of two")
    compare.show("Code")
    page.reload()
    explorer.wait_until_settled()
    expect(compare.own_name).to_have_value("Tiles of two")
    expect(compare.other_name).to_have_value("No schedule")
    expect(compare.region.get_by_role("tab", name="Code")).to_have_attribute("aria-selected", "true")
    compare.region.get_by_role("button", name="Swap").click()
    expect(compare.other_name).to_have_value("Tiles of two")
    compare.show("Differences")
    expect(compare.table("Schedules")).to_contain_text(f"− {TILES}")
    page.get_by_role("button", name="Undo").click()
    explorer.schedule.expect_text(TILES)
    compare.end()
    expect(explorer.code.text).to_be_visible()


def test_the_other_plan_comes_from_the_filmstrip_share_or_a_pasted_link(explorer: Explorer, page: Page) -> None:
    compare = Compare(page)
    explorer.schedule.write(TILES + "\nparallelize(i0, CPUThread, NoRaces)")
    explorer.expect_compiled()
    page.get_by_role("tab", name="Filmstrip").click()
    frames = page.get_by_role("list", name="Steps of the schedule").get_by_role("button")
    frames.nth(1).click()
    page.get_by_role("button", name="Compare with this step").click()
    expect(compare.other_name).to_have_value("After 1 command")
    expect(compare.table("Schedules")).to_contain_text(f"= {TILES}")
    link = explorer.share.make_link()
    explorer.share.dialog.get_by_role("button", name="Compare what I change next").click()
    expect(compare.other_name).to_have_value("Before")
    explorer.schedule.write("")
    explorer.expect_compiled()
    compare.region.get_by_text("Choose the other plan").click()
    field = compare.region.get_by_role("textbox", name="Link of the other plan")
    field.fill("https://example.org/")
    field.press("Enter")
    expect(compare.region.get_by_role("alert")).to_contain_text("This is not a link to a plan")
    field.fill(link)
    field.press("Enter")
    expect(compare.other_name).to_have_value("From a link")
    expect(compare.table("Schedules")).to_contain_text("− parallelize(i0, CPUThread, NoRaces)")


@pytest.mark.needs_server("POST /runs")
def test_timings_of_both_plans(explorer: Explorer, page: Page) -> None:
    compare = compared(explorer, page)
    expect(compare.region.get_by_role("region", name="Timings")).to_contain_text("not on this machine")
    verdict = compare.region.get_by_role("region", name="Verdict")
    verdict.get_by_role("button", name="Measure what is missing").click()
    expect(verdict).to_contain_text(re.compile("faster|[Ii]nconclusive|not conclusive"), timeout=120_000)
    assert len(compare.row("Timings", "Kernel of the plan")) == 2
    # Stored: the same plans need no second run, in this visit or another.
    page.reload()
    expect(verdict).to_contain_text(re.compile("faster|[Ii]nconclusive|not conclusive"))


def test_no_barriers_on_a_phone_or_in_the_dark(explorer: Explorer, page: Page) -> None:
    compared(explorer, page)
    for width, theme in ((1280, "dark"), (320, "light")):
        resize(page, width)
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        for tab in ("Differences", "Graphs", "Code"):
            Compare(page).show(tab)
            expect(page.get_by_text("Loading…")).to_have_count(0)
            assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Choose the other plan").click()
    expect(page.get_by_role("button", name="Open", exact=True)).to_be_in_viewport(ratio=1)


def test_the_header_opens_it_and_a_panel_asked_for_by_name_takes_its_place(explorer: Explorer, page: Page) -> None:
    explorer.choose_example("SpMV, rows in parallel")
    header = page.get_by_role("button", name="Compare", exact=True)
    header.click()
    compare = Compare(page)
    expect(compare.choices.get_by_role("button", name="The plan before the last change")).to_be_enabled()
    page.keyboard.press("Escape")
    expect(compare.choices).to_have_count(0)
    expect(header).to_be_focused()
    explorer.schedule.write("split(i, i0, i1, 8)")
    explorer.expect_compiled()
    expect(page.get_by_role("button", name="Examples: SpMV, rows in parallel (edited)")).to_be_visible()
    compare.begin("The plan before the last change")
    expect(compare.region).to_contain_text("The same expression, formats, target, data and way of measuring")
    explorer.formats.show_storage("A")
    expect(compare.region).to_have_count(0)
    expect(page.get_by_role("tab", name="Storage")).to_have_attribute("aria-selected", "true")
    for width in (1280, 920, 390):
        resize(page, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
