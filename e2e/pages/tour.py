"""The guided tour."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


def tour_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Tour")
