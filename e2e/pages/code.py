"""The Code pane: the generated code with its roles, and the stages on the way to it."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


class Code:
    def __init__(self, page: Page) -> None:
        self.pane = page.get_by_role("region", name="Code", exact=True)
        self.text = self.pane.get_by_role("tabpanel")

    def show(self, tab: str) -> None:
        self.pane.get_by_role("tab", name=tab, exact=True).click()

    def lit(self) -> Locator:
        return self.pane.locator("[data-linked]")
