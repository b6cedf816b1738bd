"""Journey: what formats make of coordinates: diagonals shear the grid, slots count the entries of a row, blocks divide;
played entry by entry, and led back (docs/sources.toml V12)."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from e2e.accessibility import violations
from e2e.pages.composition import Composition
from e2e.pages.explorer import Explorer
from e2e.pages.palette import Palette
from e2e.pages.window import resize

ENTRIES = [(0, 0), (0, 2), (2, 0), (2, 3), (2, 5), (3, 1), (3, 4)]
"""Of the running example, in the order of their rows."""


def test_diagonals_slots_and_blocks(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("")
    explorer.formats.write_levels("A", "dia")
    explorer.expect_compiled()
    composition = Composition(page)
    composition.open()
    remapping = composition.remapping
    picture = remapping.get_by_role("group", name=re.compile("by their new coordinates"))
    steps = remapping.get_by_role("group", name="Remapping")
    drawn = picture.get_by_role("img")

    def place(entry: tuple[int, int]) -> tuple[float, float]:
        """Where the entry is drawn."""
        box = picture.get_by_label(re.compile(rf"^A\({entry[0]},{entry[1]}\) =")).bounding_box()
        assert box is not None
        return round(box["x"]), round(box["y"])

    # Diagonals: (i, j) → (i, j − i). The grid is sheared: each diagonal is a column, each row stays one.
    expect(remapping).to_contain_text("(i, j) → (i, d = j − i) back: i = i, j = i + d")
    expect(drawn).to_have_count(7)
    columns = {d: {place((i, j))[0] for i, j in ENTRIES if j - i == d} for d in {j - i for i, j in ENTRIES}}
    assert all(len(places) == 1 for places in columns.values())
    in_order = [next(iter(columns[d])) for d in sorted(columns)]
    assert in_order == sorted(set(in_order))
    expect(remapping).to_contain_text("7 entries of A stand in the order of the places, and the way back leads")

    # Played entry by entry, from where each was.
    steps.get_by_label("Entries that are remapped").fill("0")
    expect(steps).to_contain_text("Frame 0 / 7")
    before = {entry: place(entry) for entry in ENTRIES}
    rows = {i: {place(entry)[1] for entry in ENTRIES if entry[0] == i} for i in (0, 2, 3)}
    assert all(len(places) == 1 for places in rows.values())
    for _ in range(5):
        steps.get_by_role("button", name="Step", exact=True).click()
    expect(steps).to_contain_text("A(2,5) = 1 goes to (i = 2, d = 3), place")
    assert place((3, 4)) == before[3, 4]
    drawn.first.focus()
    page.keyboard.press("ArrowRight")
    expect(remapping.locator(".remapping-said")).to_contain_text("A(0,2) = 9 goes to (i = 0, d = 2), place")
    assert violations(page) == []

    # Slots: (i, j) → (i, #i), with the counter of each row.
    explorer.formats.write_levels("A", "ell")
    expect(remapping).to_contain_text("(i, j) → (i, s = #i) back: i = i, j = crd[i, s]")
    counters = picture.locator(".composition-counter")
    expect(counters).to_have_text(["#0 = 2", "#1 = 0", "#2 = 3", "#3 = 2"])
    left = {place((row, next(j for i, j in ENTRIES if i == row)))[0] for row in (0, 2, 3)}
    assert len(left) == 1, "the first entry of each row stands in the first slot"
    steps.get_by_label("Entries that are remapped").fill("4")
    expect(counters).to_have_text(["#0 = 2", "#1 = 0", "#2 = 2", "#3 = 0"])

    # Blocks, in words as well.
    explorer.formats.write_levels("A", "bcsr(2,3)")
    expect(remapping).to_contain_text("(i₁ = i ÷ 2, j₁ = j ÷ 3, i₀ = i mod 2, j₀ = j mod 3)")
    remapping.get_by_text("As text").click()
    expect(remapping.get_by_role("row", name=re.compile(r"^A\(2,5\)"))).to_contain_text(
        "(i₁ = 1, j₁ = 1, i₀ = 0, j₀ = 2)"
    )

    # Of a sum each part has its own; what is in no order of coordinates says so.
    explorer.formats.write_levels("A", "hyb(2,1)")
    expect(remapping).to_contain_text("(i, j) → (p = # of the piece, s = #p)")
    remapping.get_by_label("Part that is remapped").select_option(label="ell2")
    expect(remapping).to_contain_text("4 entries of ell2 stand in the order of the places")
    explorer.formats.write_levels("A", "dense, hashed")
    expect(remapping).to_contain_text("The places of dense, hashed are in no order of coordinates")
    assert violations(page) == []

    # In the dark, on a telephone.
    explorer.formats.write_levels("A", "dia")
    expect(remapping).to_contain_text("d = j − i")
    page.emulate_media(color_scheme="dark")
    resize(page, 320)
    Palette(page).choose("Show Composition")
    expect(picture).to_be_visible()
    assert violations(page) == []
