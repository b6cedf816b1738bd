"""What programmers expect of an editor of several lines."""

from __future__ import annotations

from playwright.sync_api import expect

from e2e.accessibility import violations
from e2e.pages.explorer import Explorer

TILED = "split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)"


def test_a_line_becomes_a_comment_and_a_command_again(explorer: Explorer) -> None:
    explorer.schedule.box.click()
    explorer.page.keyboard.press("Control+a")
    explorer.page.keyboard.press("Control+/")
    explorer.schedule.expect_text("# split(i, i0, i1, 32)\n# parallelize(i0, CPUThread, NoRaces)")
    explorer.expect_compiled()
    expect(explorer.code.text).not_to_contain_text("i0")
    expect(explorer.page.get_by_role("dialog")).to_have_count(0)
    explorer.page.keyboard.press("Control+/")
    explorer.schedule.expect_text(TILED)
    explorer.expect_compiled()


def test_a_word_is_found_and_replaced(explorer: Explorer) -> None:
    explorer.schedule.box.click()
    explorer.page.keyboard.press("Control+f")
    find = explorer.page.get_by_role("textbox", name="Find")
    expect(find).to_be_focused()
    find.fill("i0")
    explorer.page.get_by_role("textbox", name="Replace").fill("io")
    assert violations(explorer.page) == []
    explorer.page.get_by_role("button", name="replace all").click()
    explorer.schedule.expect_text(TILED.replace("i0", "io"))
    explorer.expect_compiled()
    explorer.page.keyboard.press("Escape")
    expect(find).to_have_count(0)


def test_several_cursors_write_at_once(explorer: Explorer) -> None:
    explorer.schedule.write("unroll(i, 2)\nunroll(j, 2)")
    explorer.schedule.box.click()
    explorer.page.keyboard.press("Control+Home")
    explorer.page.keyboard.press("Control+d")
    explorer.page.keyboard.press("Control+d")
    explorer.page.keyboard.type("split")
    explorer.schedule.expect_text("split(i, 2)\nsplit(j, 2)")
    explorer.page.keyboard.press("Escape")
    explorer.page.keyboard.press("Control+Home")
    explorer.page.keyboard.press("Control+Alt+ArrowDown")
    explorer.page.keyboard.type("# ")
    explorer.schedule.expect_text("# split(i, 2)\n# split(j, 2)")
