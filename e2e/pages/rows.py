"""The schedule as rows: one row a line of the text, made from the registry of commands."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page


class Rows:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.list = page.get_by_role("list", name="Commands of the schedule")
        self.all = self.list.locator(":scope > li")

    def open(self) -> None:
        self.page.get_by_role("button", name="Rows", exact=True).click()
        self.list.wait_for(state="attached")

    def close(self) -> None:
        self.page.get_by_role("button", name="Text", exact=True).click()

    def row(self, number: int) -> Locator:
        """Rows count from 1."""
        return self.all.nth(number - 1)

    def field(self, argument: str, number: int) -> Locator:
        return self.page.get_by_label(f"{argument} of row {number}", exact=True)

    def add(self, command: str) -> None:
        self.page.get_by_label("Add a command").select_option(command)

    def press(self, action: str, number: int) -> None:
        """Disable, Enable, Duplicate or Remove."""
        self.row(number).get_by_role("button", name=action).first.click()

    def handle(self, number: int) -> Locator:
        return self.row(number).get_by_role("button", name=re.compile("^Move"))

    def problems(self, number: int) -> Locator:
        return self.page.get_by_role("list", name=f"Problems in row {number}", exact=True)
