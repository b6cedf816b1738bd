"""The page while its service goes away and comes back, and what is kept meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.console import Console
from e2e.folder_host import relocate
from e2e.pages.explorer import Explorer
from e2e.pages.window import resize
from e2e.server import Server
from e2e.shared_tab import WAIT_MILLISECONDS, new_context


@pytest.fixture
def fragile(server: Server) -> Iterator[Server]:
    """The service, to be stopped and started: it runs again for the next test."""
    yield server
    if not server.runs:
        server.start()


@pytest.mark.needs_server("GET /readyz")
def test_the_page_waits_for_its_service_and_goes_on(fragile: Server, explorer: Explorer, console: Console) -> None:
    console.expect("ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE")
    link = explorer.share.make_link()
    explorer.page.keyboard.press("Escape")
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


@pytest.fixture
def first_page(browser: Browser, address: str, console: Console) -> Iterator[Page]:
    """Of a browser that keeps no file of the page: all of them are asked of the network."""
    context = new_context(browser, address)
    context.on("page", console.watch)
    page = relocate(context.new_page())
    page.set_default_timeout(WAIT_MILLISECONDS)
    yield page
    context.close()


def test_the_page_has_a_face_before_its_scripts_have_come(first_page: Page, console: Console) -> None:
    """Scripts and styles are much larger than the page's first file: on a slow line they take seconds."""
    page = first_page
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
