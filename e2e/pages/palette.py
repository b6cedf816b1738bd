"""The palette: everything that the page can do, by name, at every width."""

from __future__ import annotations

from playwright.sync_api import Page, expect


class Palette:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.dialog = page.get_by_role("dialog", name="Commands")

    def choose(self, title: str) -> None:
        """Opens the palette, finds the entry with exactly this title, and chooses it."""
        self.page.keyboard.press("Control+k")
        self.dialog.get_by_role("combobox").fill(title)
        entry = self.dialog.get_by_role("option").filter(has=self.page.get_by_text(title, exact=True)).first
        expect(entry).to_be_visible()
        entry.click()
        expect(self.dialog).to_have_count(0)
