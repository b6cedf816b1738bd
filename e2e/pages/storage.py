"""The Storage tab: the level builder, and one tensor as a tree, as arrays, as a grid and in bytes."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from e2e.pages.define import Formats


class Storage:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.panel = page.get_by_role("region", name="Storage", exact=True)
        self.tree = self.panel.get_by_role("region", name="Coordinate tree")
        self.arrays = self.panel.get_by_role("region", name="Arrays")
        self.grid = self.panel.get_by_role("region", name="Grid")
        self.memory = self.panel.get_by_role("region", name="Memory")
        self.proposals = self.panel.get_by_role("region", name="Proposed conversions")
        self.builder = self.panel.get_by_role("list", name="Levels of")
        self.said = self.panel.locator(".storage-said")

    def show(self, tensor: str) -> None:
        """Opens the tab from the row of the tensor in the list of formats."""
        Formats(self.page).show_storage(tensor)
        expect(self.arrays).to_be_visible()

    def array(self, name: str) -> Locator:
        """The elements of one array."""
        return self.arrays.get_by_role("group", name=f"{name},").get_by_role("img")

    def expect_array(self, name: str, values: list[int]) -> None:
        expect(self.array(name)).to_have_count(len(values))
        for place, value in enumerate(values):
            expect(self.array(name).nth(place)).to_have_attribute("aria-label", re.compile(f" = {value}$"))

    def marked(self, where: Locator) -> list[str]:
        """What is marked exactly, by its label."""
        return list(where.locator('[role=img][data-marked="exact"]').evaluate_all(LABELS))

    def choose_kind(self, level: int, kind: str) -> None:
        self.panel.get_by_label(f"Kind of level {level}", exact=True).select_option(kind)

    def set_number(self, label: str, number: int) -> None:
        """The size of a block, or a window."""
        self.builder.get_by_label(label, exact=True).fill(str(number))

    def choose_data(self, name: str) -> None:
        self.panel.get_by_label("Data", exact=True).select_option(label=name)

    def footprint(self, format: str) -> Locator:
        return self.memory.get_by_role("row").filter(has=self.page.get_by_role("rowheader", name=format, exact=True))


LABELS = "elements => elements.map(one => one.getAttribute('aria-label'))"
