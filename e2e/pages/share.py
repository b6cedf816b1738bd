"""The Share button and the short link that it makes."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect


class Share:
    def __init__(self, page: Page) -> None:
        self.button = page.get_by_role("button", name="Share", exact=True)
        self.dialog = page.get_by_role("dialog", name="Share")

    def make_link(self) -> str:
        """Presses Share; returns the link that it shows: a short one, in a folder the address of the whole plan."""
        self.button.click()
        field = self.dialog.get_by_label(re.compile(r"^(Short link|Link)$"))
        expect(field).to_be_visible()
        return field.input_value()

    def delete_link(self) -> None:
        """Of the link that the dialog shows."""
        self.dialog.get_by_role("button", name="Delete the link").click()
        expect(self.dialog.get_by_role("status").first).to_have_text(
            "The link is deleted. Its address no longer opens anything."
        )

    def save_as(self, title: str) -> tuple[str, str]:
        """The name and the text of the file that the button makes; the dialog is open."""
        buttons = self.dialog.get_by_role("group", name="Save the plan as")
        with self.dialog.page.expect_download() as saved:
            buttons.get_by_role("button", name=f"{title}:").click()
        return saved.value.suggested_filename, saved.value.path().read_text()
