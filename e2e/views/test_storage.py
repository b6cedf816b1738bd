"""Formats: build one level by level, and see the same data as a tree, as arrays, as a grid and in bytes
(docs/sources.toml V1)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from e2e.pages.define import Formats
from e2e.pages.explorer import Explorer
from e2e.pages.storage import Storage


@pytest.fixture
def storage(explorer: Explorer, page: Page) -> Storage:
    storage = Storage(page)
    storage.show("A")
    return storage


def test_one_value_is_one_cell_one_leaf_and_its_segment(storage: Storage, explorer: Explorer, page: Page) -> None:
    for way in (
        storage.array("A_vals").nth(4),
        storage.array("A2_crd").nth(4),
        storage.tree.get_by_label("Level 2, position 4: coordinate 5"),
        storage.grid.get_by_label("A(2,5) = 1, position 4"),
    ):
        way.hover()
        expect(storage.said).to_have_text(
            "A_vals[4] = 1 is A(2,5): level 2, j = 5 at position 4, in the segment A2_pos[2] … A2_pos[3] = 2 … 5."
        )
        assert storage.marked(storage.grid) == ["A(2,5) = 1, position 4"]
        assert storage.marked(storage.tree.locator("svg")) == [
            "Level 1, position 2: coordinate 2",
            "Level 2, position 4: coordinate 5",
        ]
        assert storage.marked(storage.arrays) == ["A2_pos[2] = 2", "A2_pos[3] = 5", "A2_crd[4] = 5", "A_vals[4] = 1"]
        explorer.expression.box.hover()
        expect(storage.grid.locator('[data-marked="exact"]')).to_have_count(0)

    storage.tree.get_by_label("Level 1, position 2: coordinate 2").hover()
    below = storage.grid.locator('[data-marked="within"]')
    expect(below).to_have_text(["5", "7", "1"])
    storage.tree.get_by_label("Level 1, position 1: coordinate 1").hover()
    expect(below).to_have_count(0)

    # The keyboard walks through the elements, and lights the page.
    explorer.expression.box.hover()
    storage.array("A_vals").first.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert storage.marked(storage.grid) == ["A(2,5) = 1, position 4"]
    expect(explorer.linked(explorer.code.text).first).to_be_visible()
    page.keyboard.press("Enter")
    explorer.expression.box.focus()
    assert storage.marked(storage.grid) == ["A(2,5) = 1, position 4"]
    storage.array("A_vals").nth(4).focus()
    page.keyboard.press("Escape")
    assert storage.marked(storage.grid) == []


def test_another_kind_of_level_redraws_and_writes_the_format(storage: Storage, explorer: Explorer, page: Page) -> None:
    storage.choose_kind(1, "compressed")
    storage.expect_array("A1_crd", [0, 2, 3])
    storage.expect_array("A2_pos", [0, 2, 5, 7])
    expect(explorer.formats.of("A")).to_have_value("dcsr")
    storage.choose_kind(2, "dense")
    expect(storage.array("A_vals")).to_have_count(18)
    expect(explorer.formats.of("A").locator("option:checked")).to_have_text("custom")
    page.get_by_role("button", name="Undo").click()
    storage.expect_array("A2_crd", [0, 2, 0, 3, 5, 1, 4])


def test_a_singleton_needs_coordinates_that_repeat(storage: Storage) -> None:
    storage.choose_kind(2, "singleton")
    problems = storage.panel.get_by_role("list", name="Problems in the storage of A")
    expect(problems).to_contain_text("position 1 has none")
    expect(storage.panel).to_contain_text("The picture shows the last format that worked.")
    storage.choose_kind(1, "compressed")
    storage.choose_kind(2, "singleton")
    storage.expect_array("A1_crd", [0, 0, 2, 2, 2, 3, 3])
    storage.expect_array("A2_crd", [0, 2, 0, 3, 5, 1, 4])
    expect(Formats(storage.page).levels_of("A")).to_have_value("compressed(nonunique), singleton")
    expect(storage.footprint("coo")).to_contain_text("chosen")


def test_the_order_of_dimensions_changes_by_key_and_by_drag(storage: Storage, explorer: Explorer, page: Page) -> None:
    outwards = page.get_by_role("button", name="Move dimension j outwards")
    outwards.focus()
    page.keyboard.press("Enter")
    storage.expect_array("A_vals", [6, 5, 2, 9, 7, 8, 1])
    expect(explorer.formats.of("A")).to_have_value("csc")
    first = page.get_by_role("button", name="Level 1 stores dimension j")
    first.drag_to(page.get_by_role("button", name="Level 2 stores dimension i"))
    storage.expect_array("A_vals", [6, 9, 5, 7, 1, 2, 8])
    expect(explorer.formats.of("A")).to_have_value("csr")


def test_real_data_is_sampled_and_says_so(storage: Storage) -> None:
    storage.choose_data("bcsstk13")
    expect(storage.panel).to_contain_text("The picture shows the first 64 of 83,883 stored values")
    expect(storage.panel).to_contain_text("2003 × 2003")
    raster = storage.panel.get_by_role("img", name=re.compile("^Each square counts the entries among 63 × 63 cells"))
    expect(raster).to_be_visible()
    storage.array("A_vals").first.hover()
    expect(raster.locator('[data-marked="exact"]')).to_have_count(1)


def test_three_dimensions_are_slices(explorer: Explorer, page: Page) -> None:
    explorer.expression.write("C(i,k) = B(i,j,k) * x(j)")
    explorer.schedule.write("")
    explorer.expect_compiled()
    explorer.formats.write_levels("B", "csf")
    storage = Storage(page)
    storage.show("B")
    storage.choose_data("Scattered, 8 × 8 × 8")
    expect(storage.grid.get_by_role("heading", level=4)).to_have_text([f"i = {number}" for number in range(8)])
    expect(storage.grid.locator('[data-entry="true"][role=img]')).to_have_count(40)


def test_a_format_that_is_refused_keeps_the_picture_and_says_why(storage: Storage, explorer: Explorer) -> None:
    explorer.formats.write_levels("A", "csx")
    problems = storage.panel.get_by_role("list", name="Problems in the storage of A")
    expect(problems).to_contain_text("there is no format csx")
    expect(storage.panel).to_contain_text("The picture shows the last format that worked.")
    problems.get_by_role("button", name="Use csr for A").click()
    expect(problems).to_have_count(0)
    storage.expect_array("A2_pos", [0, 2, 2, 5, 7])


def test_a_conversion_is_proposed_and_made(explorer: Explorer, page: Page) -> None:
    explorer.expression.write("C(i,j) = A(i,j) + B(i,j)")
    explorer.schedule.write("")
    explorer.formats.choose("A", "csr")
    explorer.formats.choose("B", "csc")
    explorer.expect_errors()
    storage = Storage(page)
    storage.show("B")
    expect(storage.proposals).to_contain_text("csc → csr")
    storage.proposals.get_by_role("button").first.click()
    explorer.expect_compiled()
    expect(storage.proposals).to_have_count(0)


def test_memory_is_compared_and_another_format_is_one_press_away(
    storage: Storage, explorer: Explorer, page: Page
) -> None:
    expect(storage.footprint("csr")).to_contain_text("104 B")
    expect(storage.footprint("csr")).to_contain_text("chosen")
    expect(storage.footprint("dcsr")).to_contain_text("120 B")
    expect(storage.footprint("dense")).to_contain_text("192 B")
    storage.memory.get_by_role("button", name="use dcsr for A").click()
    expect(storage.footprint("dcsr")).to_contain_text("chosen")
    expect(explorer.formats.of("A")).to_have_value("dcsr")
    # The chosen tensor is part of the address.
    storage.panel.get_by_label("Tensor", exact=True).select_option("x")
    expect(storage.array("x_vals")).to_have_count(6)
    page.wait_for_url(re.compile("#"))
    page.reload()
    expect(storage.array("x_vals")).to_have_count(6)
