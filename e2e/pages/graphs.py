"""The Understand pane: the iteration graph and the provenance graph."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from e2e.pages.tabs import show_tab


class Graph:
    """One drawing; its nodes are buttons that a screen reader announces with everything the picture says."""

    def __init__(self, page: Page, name: str) -> None:
        self.area = page.get_by_role("group", name=name, exact=True)

    def node(self, variable: str) -> Locator:
        return self.area.locator(f'[role=button][data-link~="var:{variable}"]')

    def point_at(self, variable: str) -> None:
        """Moves the pointer to the node."""
        self.node(variable).hover()

    def expect_variables(self, *variables: str) -> None:
        """Exactly these variables have a node."""
        nodes = self.area.locator('[role=button][data-link^="var:"]')
        expect(nodes).to_have_count(len(variables))
        for variable in variables:
            expect(self.node(variable)).to_be_visible()

    def expect_space(self, variable: str, space: str) -> None:
        expect(self.node(variable)).to_have_attribute("aria-label", re.compile(rf"\b{space} variable"))


class Graphs:
    def __init__(self, page: Page) -> None:
        self.pane = page.get_by_role("region", name="Understand")
        self.iteration = Graph(page, "Iteration graph")
        self.provenance = Graph(page, "Provenance graph")

    def show(self, tab: str) -> None:
        show_tab(self.pane, tab)
