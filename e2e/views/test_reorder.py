"""Journey: loops of the iteration graph change places by drag, by key and from a list (docs/sources.toml V2)."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer


def drag(explorer: Explorer, page: Page, variable: str, onto: str, past: float, mark: str) -> None:
    """Drags a loop onto another and ``past`` px further, where the place is marked ✓ or ✕ before it is dropped."""
    start = explorer.graphs.iteration.node(variable).bounding_box()
    end = explorer.graphs.iteration.node(onto).bounding_box()
    assert start
    assert end
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2 + past, steps=5)
    expect(explorer.graphs.iteration.area.locator(".drop-here")).to_have_text(mark)
    page.mouse.up()


def test_dragging_a_loop_writes_a_reorder_command(explorer: Explorer, page: Page) -> None:
    drag(explorer, page, "i1", "i0", -12, "✓")
    explorer.schedule.expect_text("split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)\nreorder(i1, i0)")
    explorer.expect_compiled()


def test_an_illegal_place_says_why_and_changes_nothing(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("split(i, i0, i1, 32)")
    explorer.expect_compiled()
    drag(explorer, page, "i1", "j", 12, "✕")
    why = explorer.graphs.pane.get_by_role("list", name="Why the loop stays")
    expect(why).to_contain_text("A is stored i→j, so j cannot be visited before i is known")
    explorer.schedule.expect_text("split(i, i0, i1, 32)")
    why.get_by_role("button", name="Store A as csc").click()
    expect(why).to_have_count(0)
    explorer.wait_until_settled()


def test_loops_move_by_key_and_from_the_list(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("split(i, i0, i1, 32)")
    explorer.expect_compiled()
    explorer.graphs.iteration.node("i0").focus()
    page.keyboard.press("Alt+ArrowDown")
    explorer.schedule.expect_text("split(i, i0, i1, 32)\nreorder(i1, i0)")
    explorer.expect_compiled()
    explorer.graphs.pane.get_by_role("button", name="Reorder").click()
    orders = explorer.graphs.pane.get_by_role("group", name="reorder: can be applied here")
    orders.get_by_role("button", name="reorder(i0, i1, j)").click()
    explorer.schedule.expect_text("split(i, i0, i1, 32)\nreorder(i1, i0)\nreorder(i0, i1, j)")
