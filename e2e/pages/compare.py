"""The comparison of two plans: the other one on the left, the one in the editors on the right."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect


class Compare:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.region = page.get_by_role("region", name="Compare", exact=True)
        self.other_name = self.region.get_by_role("textbox", name="Name of the other plan")
        self.own_name = self.region.get_by_role("textbox", name="Name of this plan")

        self.choices = page.get_by_role("group", name="The other plan", exact=True)

    def begin(self, other: str = "This plan as it is now, and change it then") -> None:
        """From the header, which asks for the other plan."""
        self.page.get_by_role("button", name="Compare", exact=True).click()
        self.choose(other)

    def choose(self, other: str = "This plan as it is now, and change it then") -> None:
        """Among the plans that the header offers."""
        self.choices.get_by_role("button", name=other).click()

    def show(self, tab: str) -> None:
        self.region.get_by_role("tab", name=tab, exact=True).click()

    def table(self, part: str) -> Locator:
        """One of the tables of the differences: "Schedules", "Everything else", "Work on small operands", "Timings"."""
        return self.region.get_by_role("region", name=part).get_by_role("table")

    def row(self, part: str, name: str) -> list[str]:
        """The cells of the row with this name; waits until both plans have their number."""
        row = self.table(part).get_by_role("row").filter(has=self.page.get_by_role("rowheader", name=name, exact=True))
        cells = row.get_by_role("cell")
        expect(cells.filter(has_text=re.compile(r"^\s*–\s*$"))).to_have_count(0)
        return cells.all_inner_texts()

    def end(self) -> None:
        self.region.get_by_role("button", name="End comparison").click()
        expect(self.region).to_have_count(0)
