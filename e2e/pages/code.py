"""The Code pane: the generated code with its roles, and the stages on the way to it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from e2e.pages.tabs import show_tab


class Code:
    def __init__(self, page: Page) -> None:
        self.pane = page.get_by_role("region", name="Code", exact=True)
        self.text = self.pane.get_by_role("listbox", name=re.compile("^(C|CUDA|OpenCL) code, line by line$"))
        self.legend = self.pane.get_by_role("group", name="Roles of the code")
        self.explanation = self.pane.get_by_role("region", name="Generated code").get_by_role("status").last
        self.stages_panel = self.pane.get_by_role("region", name="Stages")
        self.idle_passes = self.stages_panel.get_by_role("group").filter(has_text="changed nothing")
        self.stages = self.pane.get_by_role("list", name="Stages in order").get_by_role("button")

    def show(self, tab: str) -> None:
        show_tab(self.pane, tab)

    def line(self, text: str) -> Locator:
        """The first line that contains a text."""
        return self.text.get_by_role("option").filter(has_text=text).first

    def name(self, name: str) -> Locator:
        """The first place where a name is in the code."""
        return self.text.locator(".code-name", has_text=re.compile(rf"^{name}$")).first

    def lit_names(self) -> Locator:
        """The names that are lit because what they stand for is pointed at somewhere."""
        return self.text.locator(".code-name[data-linked]")

    def expect_roles(self, *roles: str) -> None:
        """The legend lists these roles; it lists only what occurs."""
        for role in roles:
            expect(self.legend.get_by_role("button", name=role)).to_be_visible()
