"""Journey: a custom blocked format: written, seen whole, and changed level by level with its picture in sight."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from e2e.journeys.tally import Tally
from e2e.pages.explorer import Explorer
from e2e.pages.storage import Storage
from e2e.pages.window import resize

_CUT = "field => field.scrollWidth > field.clientWidth || field.scrollHeight > field.clientHeight"
LONG = "compressed(nonunique), singleton(nonunique)"


def expect_in_sight(part: Locator, pane: Locator) -> None:
    """The whole of the part lies inside the pane, without scrolling."""
    inner, outer = part.bounding_box(), pane.bounding_box()
    assert inner is not None
    assert outer is not None
    assert inner["y"] >= outer["y"] - 1
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1
    assert inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1


def test_a_blocked_format_is_built_with_tree_arrays_and_grid_in_sight(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("")
    tally = Tally(page)
    storage = Storage(page)
    storage.show("A")
    storage.panel.get_by_label("Data", exact=True).select_option("example")
    pane = explorer.graphs.pane
    storage.expect_array("A2_crd", [0, 2, 0, 3, 5, 1, 4])
    for part in (storage.tree, storage.grid, storage.arrays):
        expect_in_sight(part, pane)
    explorer.formats.write_levels("A", "bcsr(2,3)")
    storage.expect_array("A2_crd", [0, 0, 1])
    explorer.expect_compiled()
    for part in (storage.tree, storage.grid, storage.arrays):
        expect_in_sight(part, pane)
    storage.array("A_vals").first.hover()
    assert storage.marked(storage.grid) == ["A(0,0) = 6, position 0"]
    # Another block: the picture and the text follow.
    storage.set_number("Block size of j", 2)
    expect(explorer.formats.levels_of("A")).to_have_value("bcsr(2,2)")
    storage.expect_array("A2_pos", [0, 2, 5])
    for part in (storage.tree, storage.grid, storage.arrays):
        expect_in_sight(part, pane)
    tally.expect("a custom blocked format")


def test_a_format_field_shows_its_whole_text(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("")
    field = explorer.formats.levels_of("A")
    for width in (1440, 1280, 1024, 390):
        resize(page, width)
        for text in ("csr", "bcsr(4,4)", LONG):
            explorer.formats.write_levels("A", text)
            assert not field.evaluate(_CUT), (width, text)
            assert not explorer.formats.levels_of("x").evaluate(_CUT), width
    field.press("Enter")
    expect(field).to_have_value(LONG)
