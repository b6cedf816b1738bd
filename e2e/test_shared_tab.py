"""The tab that journeys share: what a test leaves behind is gone before the next one, or the tab is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from e2e.console import Console
from e2e.pages.window import resize
from e2e.server import Server
from e2e.shared_tab import EMPTY, SharedTab

LEAVE = """() => {
  localStorage.left = sessionStorage.left = '1';
  document.cookie = 'left=1';
  history.pushState(null, '', '?left');
}"""
STATE = """async () => ({
  local: Object.keys(localStorage),
  session: Object.keys(sessionStorage),
  cookie: document.cookie,
  dark: matchMedia('(prefers-color-scheme: dark)').matches,
  still: matchMedia('(prefers-reduced-motion: reduce)').matches,
  size: [innerWidth, innerHeight],
  status: (await fetch('/readyz')).status,
})"""
FRESH = {
    "local": ["heddle.preferences.1"],
    "session": [],
    "cookie": "",
    "dark": False,
    "still": True,
    "size": [1440, 900],
    "status": 200,
}


@pytest.fixture
def tab(browser: Browser, server: Server) -> Iterator[SharedTab]:
    tab = SharedTab(browser, server.url)
    yield tab
    tab.close()


def leave_much(page: Page) -> None:
    page.route("**/readyz", lambda route: route.fulfill(status=503))
    page.goto("/healthz")
    page.evaluate(LEAVE)
    page.emulate_media(color_scheme="dark", reduced_motion="no-preference")
    resize(page, 390)
    page.context.new_page().goto(EMPTY)


@pytest.mark.needs_server("GET /readyz")
def test_nothing_of_a_test_is_there_in_the_next(tab: SharedTab) -> None:
    first, second = Console(), Console()
    page = tab.lend(first, toured=True)
    assert page.evaluate(STATE) == FRESH
    leave_much(page)
    tab.take_back(page, first, passed=True)
    again = tab.lend(second, toured=True)
    assert again is page
    assert again.evaluate(STATE) == FRESH
    assert again.context.pages == [again]
    assert again.go_back() is None
    assert again.url.endswith(EMPTY)
    again.evaluate("console.log('heard')")
    assert first.said == []
    assert [text.partition(" (")[0] for text in second.said] == ["log: heard"]
    tab.take_back(page, second, passed=True)
    assert tab.lend(Console(), toured=False).evaluate("localStorage.length") == 0


@pytest.mark.needs_server("GET /readyz")
def test_what_lasts_and_what_failed_end_the_tab(tab: SharedTab) -> None:
    page = tab.lend(Console(), toured=True)
    page.add_init_script("window.left = 1")
    tab.take_back(page, Console(), passed=True)
    another = tab.lend(Console(), toured=True)
    assert another is not page
    assert another.evaluate("'left' in window") is False
    tab.take_back(another, Console(), passed=False)
    assert tab.lend(Console(), toured=True) is not another
