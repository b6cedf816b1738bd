"""The whole page, and the way into its parts. Everything is found by role and name, as a person finds it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from e2e.pages.code import Code
from e2e.pages.define import Expression, Formats, Schedule
from e2e.pages.graphs import Graphs
from e2e.pages.next_commands import NextCommands
from e2e.pages.rows import Rows
from e2e.pages.run import Run
from e2e.pages.share import Share


class Explorer:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.expression = Expression(page)
        self.formats = Formats(page)
        self.schedule = Schedule(page)
        self.graphs = Graphs(page)
        self.code = Code(page)
        self.rows = Rows(page)
        self.next = NextCommands(page)
        self.run = Run(page)
        self.share = Share(page)

    def open(self, path: str = "/") -> None:
        """Opens the page and waits until it shows what it compiled."""
        self.page.goto(path)
        self.wait_until_settled()
        expect(self.code.text).to_be_visible()

    def choose_example(self, title: str) -> None:
        self.page.get_by_role("button", name=re.compile("^Examples")).click()
        self.page.get_by_role("dialog", name="Examples").get_by_role("button", name=title).first.click()
        self.wait_until_settled()

    def choose_more(self, title: str) -> None:
        """From the menu at the end of the header."""
        self.page.get_by_role("banner").get_by_role("button", name="More", exact=True).click()
        self.page.get_by_role("menuitem", name=re.compile(f"^{title}")).click()

    @property
    def status(self) -> Locator:
        """The line in the header that says whether the plan compiles."""
        return self.page.locator(".compile-words")

    def wait_until_settled(self) -> None:
        """Until the answer on the screen belongs to the text in the editors, right or wrong."""
        expect(self.status).to_have_attribute("data-phase", "done")

    def expect_compiled(self) -> None:
        self.wait_until_settled()
        expect(self.status).to_contain_text("Compiled")

    def expect_errors(self) -> None:
        self.wait_until_settled()
        expect(self.status).to_contain_text(re.compile(r"\d+ errors?"))

    def linked(self, where: Locator) -> Locator:
        """What is lit in a part of the page, because the same object is pointed at somewhere."""
        return where.locator("[data-linked]")
