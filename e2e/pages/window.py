"""The window that the page is in, and what has to be measured in it."""

from __future__ import annotations

import time

from playwright.sync_api import Locator, Page

# A page hears of its new width with the next frame, and draws another layout in it: the panels of the one before are
# gone after the second.
_FOLLOWED = """width => new Promise(done => {
  const look = () => requestAnimationFrame(matchMedia(`(width: ${width}px)`).matches
    ? () => requestAnimationFrame(done) : look);
  look();
})"""
WAIT_SECONDS = 60.0


def resize(page: Page, width: int, height: int = 900) -> None:
    """Gives the window another size, and waits until the page is laid out for it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(_FOLLOWED, width)


def expect_measured(place: Locator, condition: str) -> None:
    """Waits until ``condition``, a function of JavaScript, holds of the element that is at ``place`` then: a page may
    draw it anew at any time."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not place.evaluate(condition):
        assert time.monotonic() < deadline, f"{place} does not come to {condition}"
        place.page.wait_for_timeout(50)
