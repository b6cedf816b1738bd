"""What a browser says behind a person's back: console messages, uncaught errors, requests that failed."""

from __future__ import annotations

import re

from playwright.sync_api import ConsoleMessage, Error, Page, Request


class Console:
    """Collects everything that a page says; a test announces what it provokes with :meth:`expect`."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._expected: list[re.Pattern[str]] = []

    def expect(self, pattern: str) -> None:
        """Allows messages that contain ``pattern``: Chromium itself reports every answer above 399."""
        self._expected.append(re.compile(pattern))

    def watch(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", self._page_error)
        page.on("requestfailed", self._request_failed)

    def unwatch(self, page: Page) -> None:
        page.remove_listener("console", self._console)
        page.remove_listener("pageerror", self._page_error)
        page.remove_listener("requestfailed", self._request_failed)

    def assert_silent(self) -> None:
        unexpected = [text for text in self.said if not any(pattern.search(text) for pattern in self._expected)]
        assert unexpected == [], "\n".join(("the console should be silent, and says:", *unexpected))

    def _console(self, message: ConsoleMessage) -> None:
        self.said.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _page_error(self, error: Error) -> None:
        self.said.append(f"uncaught: {error}")

    def _request_failed(self, request: Request) -> None:
        # The page aborts a compile that a newer edit has overtaken, and its event stream when it is left.
        if request.failure != "net::ERR_ABORTED":
            self.said.append(f"request failed: {request.method} {request.url} {request.failure}")
