"""The Run pane: inputs, baselines, the run itself and its figures."""

from __future__ import annotations

from playwright.sync_api import Page


class Run:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.pane = page.get_by_role("region", name="Run", exact=True)
