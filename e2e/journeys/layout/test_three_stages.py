"""Journey: one program over coordinates, positions and flat arrays, lit in all three, with its axes and the offset of
every entry (docs/sources.toml V10)."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from e2e.accessibility import violations
from e2e.pages.composition import Composition
from e2e.pages.explorer import Explorer


def test_three_stages_of_a_sum_of_parts(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("")
    explorer.formats.write_levels("A", "hyb(2,1)")
    explorer.expect_compiled()
    explorer.code.show("Three stages")
    panel = page.get_by_role("region", name="Three stages", exact=True)

    # The axes, in both vocabularies: every root is dense_fixed.
    axes = panel.get_by_role("region", name="Axes of A")
    expect(axes.get_by_role("heading")).to_have_count(2)
    expect(axes.locator(".axes-tree > li > .axes-kind")).to_have_text(["dense_fixed", "dense_fixed"])
    expect(axes.get_by_role("button")).to_have_text([re.compile("^sparse_variable"), re.compile("^sparse_fixed")] * 2)
    expect(axes).to_contain_text("A_ell21_crd indices: 2 × int32")

    # An access is lit in all three.
    stages = [panel.get_by_role("listbox", name=name) for name in ("I Coordinates", "II Positions", "III Flat")]
    expect(stages[0]).to_contain_text("∀ j_ell2 over A_ell2.2 padded(2), x.1 dense [reduction]")
    panel.get_by_role("button", name="2 Loops", exact=True).click()
    stages[0].get_by_text("A_ell2", exact=True).first.hover()
    for stage in stages:
        expect(stage.locator("[data-linked]", has_text=re.compile("^A_ell2")).first).to_be_visible()

    # The offset of every entry is its index in the values.
    panel.get_by_role("button", name="3 Positions", exact=True).click()
    entry = panel.get_by_label("Entry of A")
    found = []
    for number in range(7):
        entry.select_option(str(number))
        found.append(panel.locator("[data-offset]").inner_text())
    Composition(page).show("A")
    composition = Composition(page)
    for text, cell in zip(found, [0, 1, 0, 2, 3, 1, 2], strict=True):
        assert text.startswith(f"Offset {cell}: the value stands at vals[{cell}] of ell"), found
    expect(composition.places("ell2").nth(3)).to_have_attribute("aria-label", "place 3: A(2,5) = 1")

    panel.get_by_role("button", name="4 Regions", exact=True).click()
    regions = panel.get_by_role("region", name="Reads and writes")
    expect(regions.get_by_role("row", name="A_ell2.vals")).to_contain_text("A_ell2_vals[j_ell2A_ell2]")
    assert violations(page) == []


def test_axes_of_all_tensors_of_any_plan(explorer: Explorer, page: Page) -> None:
    explorer.graphs.show("Axes")
    panel = page.get_by_role("region", name="Axes", exact=True)
    for tensor, words in {"y": ["dense_fixed"], "A": ["dense_fixed", "sparse_variable"], "x": ["dense_fixed"]}.items():
        tree = panel.get_by_role("region", name=f"Axes of {tensor}")
        expect(tree.get_by_role("button").locator(".axes-kind")).to_have_text(words)
    panel.get_by_role("button", name="sparse_variable").hover()
    expect(explorer.linked(explorer.code.text).first).to_be_visible()
    assert violations(page) == []
