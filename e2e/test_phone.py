"""The page on a phone, whose browser zooms into small fields and whose keyboard takes half the screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from e2e.conftest import BEEN_HERE, WAIT_MILLISECONDS
from e2e.console import Console
from e2e.folder_host import relocate, visit_and_cut_off
from e2e.pages.explorer import Explorer
from e2e.pages.window import resize

LEAST_LETTERS = 16
SMALL = """
least => [...document.querySelectorAll('input, select, textarea, .cm-content')]
  .filter(field => field.offsetParent !== null && !['checkbox', 'radio', 'range', 'file'].includes(field.type))
  .filter(field => parseFloat(getComputedStyle(field).fontSize) < least)
  .map(field => field.outerHTML.slice(0, 120))
"""


@pytest.fixture
def phone(browser: Browser, address: str, console: Console, pytestconfig: pytest.Config) -> Iterator[Page]:
    context = browser.new_context(
        base_url=address, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    if pytestconfig.getoption("folder"):
        visit_and_cut_off(context)
    context.add_init_script(BEEN_HERE)
    context.on("page", console.watch)
    page = relocate(context.new_page())
    page.set_default_timeout(WAIT_MILLISECONDS)
    yield page
    context.close()


def test_no_field_is_zoomed_into(phone: Page) -> None:
    explorer = Explorer(phone)
    phone.goto("/")
    explorer.wait_until_settled()
    for name in ("Define", "Run"):
        phone.get_by_role("tab", name=name, exact=True).tap()
        assert phone.evaluate(SMALL, LEAST_LETTERS) == []
    phone.get_by_role("button", name="Examples").first.tap()
    assert phone.evaluate(SMALL, LEAST_LETTERS) == []
    width = phone.evaluate("document.documentElement.scrollWidth")
    assert width <= 390


def test_completions_leave_what_is_typed_in_sight(phone: Page) -> None:
    """Also with the keyboard up, which leaves 430 px."""
    explorer = Explorer(phone)
    phone.goto("/")
    explorer.wait_until_settled()
    resize(phone, 390, 430)
    box = explorer.schedule.box
    for lines in (1, 2, 5):
        box.fill("\n".join(["unroll(i, 2)"] * (lines - 1) + [""]))
        box.press("Control+End")
        box.press_sequentially("s", delay=5)
        listed = phone.locator(".cm-tooltip-autocomplete")
        expect(listed).to_be_visible()
        expect(phone.locator(".cm-completionInfo")).to_be_hidden()
        assert not overlap(listed, phone.locator(".editor-tall .cm-cursor-primary"))
        box.press("Escape")


def overlap(one: Locator, other: Locator) -> bool:
    first, second = one.bounding_box(), other.bounding_box()
    assert first is not None
    assert second is not None
    return (
        first["x"] < second["x"] + second["width"]
        and second["x"] < first["x"] + first["width"]
        and first["y"] < second["y"] + second["height"]
        and second["y"] < first["y"] + first["height"]
    )
