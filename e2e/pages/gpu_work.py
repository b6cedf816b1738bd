"""A GPU schedule in the tab Space: warps and lanes, memory, writes; and the launches next to the code."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page

from e2e.pages.space import Space


class GpuWork(Space):
    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.load = self.panel.locator("[data-divergence]")
        self.map = self.panel.get_by_role("group", name=re.compile("^Map of warps and lanes"))
        self.lane = self.panel.locator(".gpu-lane")
        self.writes = self.panel.locator("[data-atomics].space-summary")

    def access(self, array: str, kind: str) -> Locator:
        """The rows of the table of memory accesses for one array."""
        return self.panel.locator(f"tr[data-array={array}][data-kind={kind}]")

    def each(self, worker: str) -> None:
        self.panel.get_by_role("button", name=f"Each {worker}", exact=True).click()

    def launches(self) -> Locator:
        """Beside the code, opened."""
        code = self.page.get_by_role("region", name="Generated code")
        code.get_by_text(re.compile("launch(es)?: kernel_1")).click()
        return code.locator(".gpu-launches")
