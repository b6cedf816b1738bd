"""Journey: a matrix as a sum of parts: typed, looked at, a bucket dragged, its code seen, run, shared and opened
(docs/sources.toml V11)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from e2e.accessibility import violations
from e2e.pages.composition import Composition
from e2e.pages.explorer import Explorer
from e2e.pages.run import RUN_MILLISECONDS


@pytest.mark.needs_server("POST /runs")
def test_a_matrix_as_a_sum_of_parts(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("")
    explorer.formats.write_levels("A", "hyb(2,1)")
    explorer.expect_compiled()
    composition = Composition(page)
    composition.show("A")
    field = explorer.formats.levels_of("A")
    expect(composition.row("ell2").nth(0)).to_have_text("piece(2,2) == 2")

    # Stored + padding = allocation, and the parts add up to the matrix.
    assert composition.numbers("ell1") == [3, 0, 3]
    assert composition.numbers("ell2") == [4, 0, 4]
    assert composition.numbers("All") == [7, 0, 7]
    expect(composition.parts).to_contain_text("The parts add up to A: each of its 7 entries")

    # An entry, its part and its place there are one.
    composition.picture.get_by_label("A(2,5) = 1, part ell2").hover()
    assert composition.lit == ["A(2,5) = 1, part ell2", "place 3: A(2,5) = 1"]
    expect(composition.said).to_have_text("A(2,5) = 1 is at place 3 of ell2, in piece 1: piece(2,2) == 2.")
    composition.places("ell1").first.focus()
    page.keyboard.press("ArrowRight")
    assert composition.lit == ["A(3,1) = 2, part ell1", "place 1: A(3,1) = 2"]

    # The conversion, frame by frame.
    composition.conversion.get_by_label("Entries that have gone to their parts").fill("2")
    expect(composition.conversion).to_contain_text("Frame 2 / 7")
    expect(composition.conversion).to_contain_text("A(0,2) = 9 is at place 1 of ell2")
    expect(composition.places("ell1").get_by_text("5")).to_have_count(0)
    composition.conversion.get_by_role("button", name="Step", exact=True).click()
    expect(composition.places("ell1").get_by_text("5")).to_have_count(1)

    # The work of two workers, and of four: each part alone, rows shared by all parts, and all parts in one loop.
    bars = composition.load.get_by_role("img")
    for workers, loads in (
        (2, ["ell1: 2, 1", "ell2: 2, 2", "2, 5", "3, 4"]),
        (4, ["ell1: 1, 1, 1, 0", "ell2: 2, 2, 0, 0", "2, 0, 3, 2", "2, 1, 2, 2"]),
    ):
        composition.load.get_by_label("Workers", exact=True).fill(str(workers))
        for place, load in enumerate(loads):
            expect(bars.nth(place)).to_have_attribute("aria-label", f"{load} places")
    expect(composition.load).to_contain_text("max / mean 1.71, idle 42 %")

    # A bucket is dragged: the format's text, the parts and the code follow, and it is one step of undo.
    composition.edge.scroll_into_view_if_needed()
    box = composition.edge.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 12, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 40, steps=4)
    page.mouse.up()
    expect(field).to_have_value("hyb(2,2)")
    expect(composition.row("ell4").nth(3)).to_have_text("0")
    explorer.expect_compiled()
    expect(explorer.code.text).to_contain_text("A_ell4")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(field).to_have_value("hyb(2,1)")
    composition.edge.focus()
    page.keyboard.press("ArrowRight")
    expect(field).to_have_value("hyb(2,2)")
    page.get_by_role("group", name="Numbers of hyb(2,2) for A").first.get_by_label("c = 2").fill("0")
    expect(field).to_have_value("hyb(1,2)")
    expect(composition.row("ell4").nth(0)).to_have_text("piece(1,4) in 3..4")
    assert composition.numbers("ell4") == [3, 1, 4]
    expect(composition.parts).to_contain_text("8 places, 1.14 for each entry (13 % of them padding)")
    assert violations(page) == []

    # Run, share, open.
    explorer.expect_compiled()
    explorer.run.compare_with("SciPy")
    explorer.run.start()
    expect(explorer.run.timings).to_contain_text("SciPy", timeout=RUN_MILLISECONDS)
    link = explorer.share.make_link()
    page.goto("about:blank")
    page.goto(link)
    explorer.wait_until_settled()
    expect(explorer.formats.levels_of("A")).to_have_value("hyb(1,2)")
    composition.show("A")
    assert composition.numbers("ell4") == [3, 1, 4]


def test_a_test_is_completed(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("")
    explorer.formats.write_levels("A", "ell(4) where ")
    offered = page.get_by_role("group", name="Completions for A")
    offered.get_by_role("button", name="slot").click()
    field = explorer.formats.levels_of("A")
    expect(field).to_have_value("ell(4) where slot < 4")
    expect(field).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.type(" + c")
    offered.get_by_role("button", name="csr", exact=True).click()
    expect(field).to_have_value("ell(4) where slot < 4 + csr")
    expect(offered).to_have_count(0)
    explorer.expect_compiled()


def test_real_data_is_binned_and_says_so(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("")
    explorer.formats.write_levels("A", "hyb(1,5)")
    composition = Composition(page)
    composition.show("A")
    composition.panel.get_by_label("Data", exact=True).select_option(label="bcsstk13")
    expect(composition.panel).to_contain_text(
        "83 883 entries are too many to draw one by one", timeout=RUN_MILLISECONDS
    )
    entries, padding, places = composition.numbers("All")
    assert (entries, entries + padding) == (83_883, places)
    assert places < 2 * entries
    expect(composition.parts).to_contain_text("The parts add up to A")
