"""The Define pane: expression, formats and schedule, each with its problems written below it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect


class Editor:
    """A text editor with the list of problems that belongs to it."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.box = page.get_by_role("textbox", name=name, exact=True)
        self.problems = page.get_by_role("list", name=f"Problems in the {name.lower()}")
        self.squiggles = page.locator(".editor", has=self.box).locator(".cm-lintRange-error")

    def write(self, text: str) -> None:
        """Replaces everything at once."""
        self.box.fill(text)

    def paste(self, text: str) -> None:
        """Replaces everything with what lies in the clipboard."""
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        self.box.click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.press("Control+v")

    def type(self, text: str) -> None:
        """Replaces everything key by key, with the editor's own brackets and completion at work."""
        self.box.click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.press("Delete")
        for number, line in enumerate(text.split("\n")):
            if number:
                self.page.keyboard.press("Escape")
                self.page.keyboard.press("Enter")
            self.box.press_sequentially(line, delay=5)

    def expect_text(self, text: str) -> None:
        """Line breaks count, spaces at the ends of lines do not."""
        lines = self.box.locator(".cm-line")
        expect(lines).to_have_text(text.split("\n"))

    def fix(self, title: str) -> None:
        """Presses the button of a repair, which may stand among the others."""
        repair = self.problems.get_by_role("button", name=title).first
        expect(self.fixes.first).to_be_visible()
        if not repair.is_visible():
            self.show_all_fixes()
        repair.click()

    def show_all_fixes(self) -> None:
        self.problems.get_by_role("button", name=re.compile(r"^\d+ more repairs?$")).first.click()

    @property
    def fixes(self) -> Locator:
        return self.problems.locator(".fix")


class Expression(Editor):
    def __init__(self, page: Page) -> None:
        super().__init__(page, "Expression")


class Schedule(Editor):
    def __init__(self, page: Page) -> None:
        super().__init__(page, "Schedule")

    def choose_way(self, title: str) -> None:
        """Of those that stand in the menu beside *Choose a schedule for me*."""
        self.page.get_by_role("button", name="More ways to a schedule").click()
        self.page.get_by_role("menuitem", name=title).click()

    def paste_from_taco(self) -> None:
        self.choose_way("Paste from TACO")


class Formats:
    """What tensors are stored as: a line of them, each of which opens its choices."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def chip(self, tensor: str) -> Locator:
        """The button that says how a tensor is stored while its choices are folded away."""
        return self.page.get_by_role("button", name=re.compile(rf"^Storage of {tensor}(\b|\()"))

    def open(self, tensor: str) -> None:
        """Shows the choices of a tensor."""
        fold = self.page.get_by_role("button", name=f"Fold the storage of {tensor}", exact=True)
        expect(self.chip(tensor).or_(fold)).to_be_visible()
        if not fold.is_visible():
            self.chip(tensor).click()

    def of(self, tensor: str) -> Locator:
        self.open(tensor)
        return self.page.get_by_label(f"Format of {tensor}", exact=True)

    def levels_of(self, tensor: str) -> Locator:
        self.open(tensor)
        return self.page.get_by_label(f"Levels of {tensor}", exact=True)

    def type_of(self, tensor: str) -> Locator:
        self.open(tensor)
        return self.page.get_by_label(f"Type of {tensor}", exact=True)

    def show_storage(self, tensor: str) -> None:
        """Opens the picture of how a tensor is stored."""
        self.open(tensor)
        self.page.get_by_role("button", name=f"Show how {tensor} is stored").click()

    def choose(self, tensor: str, preset: str) -> None:
        self.of(tensor).select_option(preset)

    def write_levels(self, tensor: str, text: str) -> None:
        self.levels_of(tensor).fill(text)

    def problems(self, tensor: str) -> Locator:
        return self.page.get_by_role("list", name=f"Problems in the format of {tensor}")
