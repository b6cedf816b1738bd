"""One tab that the journeys of a process use after each other. A page in a new context costs twice what it costs in a
tab that has shown it before: nothing of it is compiled, and its files come from the service again."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from e2e.console import Console
from e2e.folder_host import relocate, visit_and_cut_off
from e2e.pages.window import resize

# What an action or an expectation waits before it fails: a busy machine is slow, not wrong.
WAIT_MILLISECONDS = 60_000
VIEWPORT: ViewportSize = {"width": 1440, "height": 900}
PERMISSIONS = ("clipboard-read", "clipboard-write")
PREFERENCES = "heddle.preferences.1"
TOURED = json.dumps({"toured": True})

# Of the service, and without a script: what stands there can be cleared while nothing writes to it.
EMPTY = "/heddle.svg"

STORED = "cookies,cache_storage,indexeddb,service_workers"
"""What pages of the service may leave behind besides the two storages that are cleared there."""
STORED_BESIDE_THE_FOLDER = "cookies,indexeddb"
"""The same, where the page itself comes from what the browser has stored."""

LASTING = ("add_init_script", "add_locator_handler", "expose_binding", "expose_function", "on", "once")
"""What a test does to a page that outlives a navigation."""

_CLEAR = """toured => {
  localStorage.clear();
  sessionStorage.clear();
  if (toured !== null) localStorage[toured[0]] = toured[1];
}"""


class SharedTab:
    """``lend`` gives a page as a new context would, ``take_back`` keeps it for the next test.

    Storage, routes, history, media, size and pointer are set back. A tab that a test changed for good (LASTING), or
    whose test failed, is closed with its context.
    """

    def __init__(self, browser: Browser, base_url: str, *, in_folder: bool = False) -> None:
        self._browser = browser
        self._base_url = base_url
        self._in_folder = in_folder
        self._page: Page | None = None
        self._spent = False

    def lend(self, console: Console, *, toured: bool) -> Page:
        """A page that stands at EMPTY. ``toured``: whoever has been here before, to whom no tour offers itself."""
        page = self._page = self._page or self._open()
        page.evaluate(_CLEAR, [PREFERENCES, TOURED] if toured else None)
        page.set_default_timeout(WAIT_MILLISECONDS)
        console.watch(page)
        page.context.on("page", console.watch)
        self._spent = False
        return page

    def take_back(self, page: Page, console: Console, *, passed: bool) -> None:
        if self._spent or not passed:
            self.close()
            return
        for other in page.context.pages:
            if other is not page:
                other.close()
        console.unwatch(page)
        page.context.remove_listener("page", console.watch)
        page.unroute_all()
        page.goto(EMPTY)
        resize(page, VIEWPORT["width"], VIEWPORT["height"])
        page.emulate_media(
            media="null", color_scheme="light", reduced_motion="reduce", forced_colors="none", contrast="no-preference"
        )
        page.mouse.move(0, 0)
        session = page.context.new_cdp_session(page)
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(self._base_url))
        stored = STORED_BESIDE_THE_FOLDER if self._in_folder else STORED
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": stored})
        session.send("Page.resetNavigationHistory")
        session.detach()

    def close(self) -> None:
        if self._page is not None:
            self._page.context.close()
        self._page = None

    def _open(self) -> Page:
        context = new_context(self._browser, self._base_url)
        if self._in_folder:
            visit_and_cut_off(context)
        page = relocate(context.new_page())
        for name in LASTING:
            setattr(page, name, self._noticed(getattr(page, name)))
        page.goto(EMPTY)
        return page

    def _noticed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            self._spent = True
            return method(*arguments, **options)

        return call


def new_context(browser: Browser, base_url: str) -> BrowserContext:
    return browser.new_context(
        base_url=base_url, viewport=VIEWPORT, permissions=list(PERMISSIONS), reduced_motion="reduce"
    )
