"""What may come next: next to the schedule, each command with what is legal and what is not."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect


class NextCommands:
    def __init__(self, page: Page) -> None:
        self.toggle = page.get_by_role("button", name="What may come next")
        self.area = page.get_by_role("region", name="What may come next")

    def open(self) -> None:
        self.toggle.click()
        self.expect_settled()

    def expect_settled(self) -> None:
        """Until the answer belongs to the text in the editor."""
        expect(self.area).to_have_attribute("aria-busy", "false")

    def summary(self, command: str) -> Locator:
        return self.area.locator("summary").filter(has_text=re.compile(rf"^{command}\d"))

    def legal(self, command: str) -> Locator:
        return self.area.get_by_role("group", name=f"{command}: can be applied here").get_by_role("button")

    def goal(self, title: str) -> Locator:
        return self.area.get_by_role("list", name="Goals").get_by_role("button", name=title)

    def refusal(self, cause: str) -> Locator:
        """The refusals of one cause, which is opened for that."""
        self.area.locator("summary").filter(has_text="What cannot be applied here, and why").click()
        self.area.locator("summary").filter(has_text=cause).click()
        return self.area.get_by_role("list", name=cause).get_by_role("listitem")
