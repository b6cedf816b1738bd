"""Journey: everything by keyboard and by name: palette, keys, examples, history, problems, presentation."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer
from e2e.pages.palette import Palette


def test_the_palette_adds_a_command_and_opens_an_example(explorer: Explorer, page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("add unroll")
    expect(page.get_by_role("dialog").get_by_role("option").first).to_contain_text("Add unroll")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(explorer.schedule.box).to_contain_text("unroll(")
    page.keyboard.press("Control+k")
    page.keyboard.type("sddmm")
    page.keyboard.press("Enter")
    explorer.expect_compiled()
    explorer.expression.expect_text("C(i,j) = B(i,j) * D(i,k) * E(k,j)")


def test_the_sheet_of_keys_opens_by_its_own_key_and_closes_by_escape(explorer: Explorer, page: Page) -> None:
    page.keyboard.press("Alt+k")
    sheet = page.get_by_role("dialog", name="Keyboard")
    expect(sheet).to_contain_text("Go to the next problem")
    expect(sheet).to_contain_text("Move the row")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


def test_examples_are_found_by_what_they_hold(explorer: Explorer, page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Examples")).click()
    gallery = page.get_by_role("dialog", name="Examples")
    gallery.get_by_role("searchbox").fill("csc")
    expect(gallery.get_by_role("button", name="SpMV by columns")).to_be_visible()
    expect(gallery.get_by_role("button", name="SDDMM")).to_have_count(0)
    gallery.get_by_role("button", name="SpMV by columns").click()
    explorer.expect_compiled()
    expect(explorer.formats.of("A")).to_have_value("csc")


def test_the_history_names_its_steps_and_goes_to_any(explorer: Explorer, page: Page) -> None:
    explorer.formats.choose("A", "dcsr")
    explorer.expect_compiled()
    explorer.rows.open()
    explorer.rows.press("Remove", 2)
    explorer.choose_more("History")
    steps = page.get_by_role("list", name="Steps", exact=True).get_by_role("button")
    expect(steps).to_have_text([re.compile("Started with"), "Format of A: dcsr", re.compile(r"Removed parallelize\(")])
    steps.first.click()
    expect(explorer.formats.of("A")).to_have_value("csr")
    expect(explorer.rows.all).to_have_count(2)
    steps.last.click()
    expect(explorer.rows.all).to_have_count(1)
    page.keyboard.press("Escape")
    expect(explorer.formats.of("A")).to_have_value("dcsr")


def test_f8_goes_to_the_next_problem(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("split(q, i0, i1, 32)")
    explorer.expect_errors()
    explorer.expression.box.focus()
    page.keyboard.press("F8")
    expect(explorer.schedule.box).to_be_focused()


def test_a_presentation_is_one_picture_in_large_type_and_is_part_of_the_link(explorer: Explorer, page: Page) -> None:
    page.keyboard.press("Alt+p")
    expect(explorer.schedule.box).to_have_count(0)
    expect(page.get_by_role("banner")).to_be_hidden()
    page.get_by_role("button", name="Code", exact=True).click()
    expect(explorer.code.text).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).fontSize") == "18px"
    explorer.open(page.url)
    expect(page.get_by_role("button", name="Leave presentation")).to_be_visible()
    page.get_by_role("button", name="Leave presentation").click()
    expect(explorer.schedule.box).to_be_visible()


def test_a_remote_control_steps_the_picture_that_the_palette_opened(explorer: Explorer, page: Page) -> None:
    Palette(page).choose("Show Filmstrip")
    step = page.get_by_role("region", name="Filmstrip").locator("[aria-current=step]")
    # The focus is in what was opened.
    expect(step).to_be_focused()
    page.keyboard.press("Alt+p")
    expect(step).to_contain_text("2 parallelize")
    for key, command in (("PageUp", "1 split"), ("PageUp", "no schedule"), ("PageDown", "1 split")):
        page.keyboard.press(key)
        expect(step).to_contain_text(command)
    # A picture that has no steps makes way for the next one.
    page.get_by_role("tab", name="Graphs").click()
    page.keyboard.press("PageDown")
    expect(page.get_by_role("tab", name="Iteration")).to_have_attribute("aria-selected", "true")


def test_markdown_holds_the_plan_its_code_and_a_link(explorer: Explorer, page: Page) -> None:
    explorer.share.make_link()
    explorer.share.dialog.get_by_role("button", name="Copy as Markdown").click()
    expect(explorer.share.dialog).to_contain_text("Copied.")
    text = page.evaluate("navigator.clipboard.readText()")
    assert "parallelize(i0, CPUThread, NoRaces)" in text
    assert "#pragma omp parallel for" in text
    assert re.search(r"\]\(http://127\.0\.0\.1:\d+/(a%20course/heddle/)?#(plan=)?z1\.", text)
