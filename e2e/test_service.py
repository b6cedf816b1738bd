"""The page while its service goes away and comes back, and what is kept meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.console import Console
from e2e.pages.explorer import Explorer
from e2e.pages.window import resize
from e2e.server import Server


@pytest.fixture
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service of this test's own, to be stopped and started."""
    with Server(tmp_path_factory.mktemp("fragile")) as running:
        yield running


@pytest.fixture
def page_of_fragile(browser: Browser, fragile: Server, console: Console) -> Iterator[Page]:
    context = browser.new_context(base_url=fragile.url, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    console.watch(page)
    yield page
    context.close()


def test_the_page_waits_for_its_service_and_goes_on(page_of_fragile: Page, fragile: Server, console: Console) -> None:
    console.expect("ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE")
    explorer = Explorer(page_of_fragile)
    explorer.open()
    link = explorer.share.make_link()
    page_of_fragile.keyboard.press("Escape")
    fragile.stop()
    explorer.schedule.write("split(i, i0, i1, 8)")
    expect(explorer.status).to_contain_text("Not connected")
    expect(explorer.code.text).to_contain_text("i0 * 32")
    expect(explorer.run.button).to_be_disabled()
    fragile.start()
    expect(explorer.status).to_contain_text("Compiled")
    expect(explorer.code.text).to_contain_text("i0 * 8")

    explorer.open(link)
    explorer.schedule.expect_text("split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)")


def test_the_page_has_a_face_before_its_scripts_have_come(page: Page, console: Console) -> None:
    """Scripts and styles are much larger than the page's first file: on a slow line they take seconds."""
    console.expect("ERR_FAILED")
    page.route("**/assets/**", lambda route: route.abort())
    page.goto("/", wait_until="commit")
    expect(page.get_by_text("Loading…")).to_be_visible()
    # What is visible in the document is painted with a later frame, and the entry comes after that.
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length === 1")
    assert len(page.content()) < 5000


def test_a_phone_shows_one_column_and_no_sideways_scrolling(page: Page, console: Console) -> None:
    resize(page, 320, 640)
    explorer = Explorer(page)
    page.goto("/")
    explorer.wait_until_settled()
    expect(explorer.expression.box).to_be_visible()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 320
