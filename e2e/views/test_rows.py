"""Journey: the schedule as rows, in step with its text, the address and undo."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer


def test_a_schedule_is_built_from_rows_alone(explorer: Explorer) -> None:
    explorer.schedule.write("")
    explorer.rows.open()
    explorer.rows.add("split")
    explorer.rows.field("size", 1).fill("16")
    explorer.expect_compiled()
    explorer.rows.add("parallelize")
    explorer.rows.field("variable", 2).select_option("i0")
    explorer.expect_compiled()
    expect(explorer.rows.row(2)).to_have_attribute("data-status", "applied")
    explorer.graphs.iteration.expect_variables("i0", "i1", "j")
    explorer.rows.close()
    explorer.schedule.expect_text("split(i, i0, i1, 16)\nparallelize(i0, CPUThread, NoRaces)")


def test_with_more_than_eleven_rows_row_ten_edits_row_ten(explorer: Explorer) -> None:
    lines = ["split(i, a0, b0, 32)", *(f"split(b{n}, a{n + 1}, b{n + 1}, 2)" for n in range(12))]
    explorer.schedule.write("\n".join(lines))
    explorer.expect_compiled()
    explorer.rows.open()
    expect(explorer.rows.all).to_have_count(13)
    explorer.rows.field("size", 10).fill("4")
    explorer.rows.close()
    explorer.schedule.expect_text("\n".join([*lines[:9], "split(b8, a9, b9, 4)", *lines[10:]]))


def test_rows_move_by_keyboard_and_by_drag(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("split(i, i0, i1, 32)\nsplit(j, j0, j1, 16)\nunroll(i1, 4)")
    explorer.rows.open()
    explorer.rows.handle(1).focus()
    page.keyboard.press("ArrowDown")
    expect(explorer.rows.handle(2)).to_be_focused()
    expect(explorer.rows.row(1)).to_contain_text("split")
    expect(explorer.rows.field("variable", 1)).to_have_value("j")
    start, end = explorer.rows.handle(3).bounding_box(), explorer.rows.handle(1).bounding_box()
    assert start
    assert end
    page.mouse.move(start["x"] + 8, start["y"] + 8)
    page.mouse.down()
    page.mouse.move(end["x"] + 8, end["y"] + 8, steps=4)
    page.mouse.up()
    explorer.rows.close()
    explorer.schedule.expect_text("unroll(i1, 4)\nsplit(j, j0, j1, 16)\nsplit(i, i0, i1, 32)")


def test_a_disabled_row_stays_in_the_text_and_the_address_and_leaves_the_plan(explorer: Explorer, page: Page) -> None:
    explorer.rows.open()
    explorer.rows.press("Disable", 2)
    explorer.expect_compiled()
    expect(explorer.rows.row(2)).to_have_attribute("data-status", "disabled")
    expect(explorer.code.text).not_to_contain_text("#pragma omp")
    explorer.rows.close()
    explorer.schedule.expect_text("split(i, i0, i1, 32)\n# parallelize(i0, CPUThread, NoRaces)")
    explorer.open(page.url)
    explorer.schedule.expect_text("split(i, i0, i1, 32)\n# parallelize(i0, CPUThread, NoRaces)")
    explorer.rows.open()
    explorer.rows.press("Enable", 2)
    explorer.expect_compiled()
    expect(explorer.code.text).to_contain_text("#pragma omp")


def test_rows_are_duplicated_and_removed_and_undone(explorer: Explorer, page: Page) -> None:
    explorer.rows.open()
    explorer.rows.press("Duplicate", 1)
    expect(explorer.rows.all).to_have_count(3)
    explorer.rows.press("Remove", 3)
    expect(explorer.rows.all).to_have_count(2)
    for count in (3, 2):
        page.get_by_role("button", name="Undo").click()
        expect(explorer.rows.all).to_have_count(count)
    explorer.expect_compiled()


def test_a_refused_row_explains_itself_and_is_mended_in_one_click(explorer: Explorer) -> None:
    explorer.schedule.write("split(j, j0, j1, 8)\nparallelize(j0, CPUThread, NoRaces)")
    explorer.expect_errors()
    explorer.rows.open()
    expect(explorer.rows.row(2)).to_have_attribute("data-status", "failed")
    expect(explorer.rows.problems(2)).to_contain_text("j0")
    explorer.rows.row(2).get_by_text("The rule").click()
    expect(explorer.rows.row(2)).to_contain_text("needs:")
    explorer.rows.problems(2).locator(".fixes").get_by_role("button").first.click()
    explorer.expect_compiled()


def test_a_schedule_survives_another_expression_with_its_broken_rows_marked(explorer: Explorer) -> None:
    explorer.rows.open()
    explorer.expression.write("y(k) = A(k,l) * x(l)")
    explorer.expect_errors()
    expect(explorer.rows.all).to_have_count(2)
    expect(explorer.rows.row(1)).to_have_attribute("data-status", "failed")
    expect(explorer.rows.row(2)).to_have_attribute("data-status", re.compile("skipped|failed"))
    explorer.rows.field("variable", 1).select_option("k")
    explorer.expect_compiled()
    expect(explorer.rows.row(2)).to_have_attribute("data-status", "applied")
