"""The Composition tab: a tensor as a sum of parts."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from e2e.pages.define import Formats
from e2e.pages.tabs import show_tab


class Composition:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.panel = page.get_by_role("region", name="Composition", exact=True)
        self.picture = self.panel.locator(".composition-picture").first
        self.remapping = self.panel.get_by_role("region", name="Remapping")
        self.parts = self.panel.get_by_role("region", name="Parts", exact=True)
        self.buckets = self.panel.get_by_role("region", name="Buckets")
        self.load = self.panel.get_by_role("region", name="Load")
        self.conversion = self.panel.get_by_role("group", name="Conversion")
        self.said = self.panel.locator(".composition-said")

    def show(self, tensor: str) -> None:
        """Opens the tab from the row of the tensor in the list of formats."""
        Formats(self.page).show_storage(tensor)
        expect(self.parts).to_be_visible()

    def open(self) -> None:
        """Opens the tab, whatever is stored how."""
        show_tab(self.page.get_by_role("region", name="Understand"), "Composition")
        expect(self.parts).to_be_visible()

    def row(self, part: str) -> Locator:
        """The cells of a part's row: test, rows, pieces, entries, padding, places, bytes, share."""
        header = self.page.get_by_role("rowheader", name=part, exact=True)
        return self.parts.get_by_role("row").filter(has=header).get_by_role("cell")

    def numbers(self, part: str) -> list[int]:
        """Entries, padding, places of a part, or of all of them."""
        return [int(text.replace("\u202f", "")) for text in self.row(part).all_inner_texts()[3:6]]

    def places(self, part: str) -> Locator:
        return self.picture.get_by_role("group", name=f"Places of {part}").get_by_role("img")

    @property
    def lit(self) -> list[str]:
        found = self.picture.locator("[data-lit]")
        return list(found.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))"))

    @property
    def edge(self) -> Locator:
        return self.buckets.get_by_role("slider")
