"""The inputs of the Run pane: previews, and data from collections."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from e2e.pages.run import Run


class Inputs:
    def __init__(self, page: Page) -> None:
        self.page = page

    def toggle_preview(self, tensor: str) -> Locator:
        Run(self.page).open_form()
        return self.page.get_by_role("button", name=f"Preview of the input of {tensor}")

    def preview(self, tensor: str) -> Locator:
        return self.page.get_by_role("region", name=f"Preview of {tensor}")

    def spy_plot(self, tensor: str) -> Locator:
        return self.page.get_by_role("img", name=f"Where the nonzeros of {tensor} lie")

    def painted(self, tensor: str) -> int:
        """Pixels of the spy plot that are not blank."""
        script = """canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
            .filter((value, place) => place % 4 === 3 && value > 0).length"""
        return int(self.spy_plot(tensor).evaluate(script))

    def collection(self, tensor: str) -> Locator:
        return self.page.get_by_role("form", name=f"Collection for {tensor}")

    def fetch(self, tensor: str, name: str) -> None:
        form = self.collection(tensor)
        form.get_by_label("Name").fill(name)
        form.get_by_role("button", name="Fetch").click()
