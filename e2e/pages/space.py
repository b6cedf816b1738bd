"""The tab Space: the order of visiting, cuts, workers and writes, and the playback that moves the current step."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


class Space:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.panel = page.get_by_role("region", name="Iteration space")
        self.status = self.panel.get_by_role("status")
        self.slider = self.panel.get_by_role("slider", name="Step of the run")

    def open(self) -> None:
        self.page.get_by_role("region", name="Understand").get_by_role("tab", name="Space", exact=True).click()
        self.expect_ready()

    def expect_ready(self) -> None:
        expect(self.panel).to_have_attribute("data-phase", "ready")

    def show(self, view: str) -> None:
        self.panel.get_by_role("button", name=view, exact=True).click()

    def step(self) -> None:
        self.panel.get_by_role("button", name="Step", exact=True).click()

    def to_end(self) -> None:
        self.panel.get_by_role("button", name="To the end").click()

    def choose_data(self, name: str) -> None:
        self.panel.get_by_label("Data", exact=True).select_option(name)

    def points(self) -> list[list[str]]:
        """The table of the order: the cells of each row, the number of the point first."""
        self.panel.get_by_text("As text").click()
        rows = self.panel.locator("tbody tr")
        expect(rows.first).to_be_visible()
        return [row.locator("th, td").all_inner_texts() for row in rows.all()]

    def cell(self, row: int, worker: int) -> Locator:
        """Of the map of writes."""
        return self.panel.locator(".space-writes tbody tr").nth(row).locator("td").nth(worker)
