"""Journey: the first view: what it asks the service for, how much comes, and that nothing moves once it is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from e2e.console import Console
from e2e.pages.explorer import Explorer
from e2e.server import Server
from e2e.shared_tab import WAIT_MILLISECONDS

MOST_REQUESTS = 20
MOST_BYTES = 300_000
MOST_SHIFT = 0.02

# Where something moves that nobody has touched; Chromium counts what stands still as 0.
_WATCH = """
window.shifted = 0;
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({type: 'layout-shift', buffered: true});
"""


@pytest.fixture(params=[(1440, 900), (1280, 720)], ids=["1440x900", "1280x720"])
def newcomer(request: pytest.FixtureRequest, browser: Browser, server: Server, console: Console) -> Iterator[Page]:
    """A browser that has nothing of the page yet."""
    width, height = request.param
    context = browser.new_context(base_url=server.url, viewport={"width": width, "height": height})
    context.on("page", console.watch)
    page = context.new_page()
    page.set_default_timeout(WAIT_MILLISECONDS)
    page.add_init_script(_WATCH)
    yield page
    context.close()


@pytest.mark.needs_server("GET /assets")
def test_the_first_view_is_small_comes_at_once_and_stands_still(newcomer: Page) -> None:
    sizes: dict[str, float] = {}
    session = newcomer.context.new_cdp_session(newcomer)
    session.send("Network.enable")

    def begin(event: dict[str, Any]) -> None:
        sizes[event["requestId"]] = 0

    def end(event: dict[str, Any]) -> None:
        sizes[event["requestId"]] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", begin)
    session.on("Network.loadingFinished", end)
    newcomer.goto("/")
    explorer = Explorer(newcomer)
    explorer.wait_until_settled()
    explorer.graphs.iteration.expect_variables("i0", "i1", "j")
    expect(newcomer.get_by_role("listbox", name="C code, line by line")).to_contain_text("y_vals[i] = y_sum;")
    newcomer.wait_for_load_state("networkidle")
    assert len(sizes) <= MOST_REQUESTS
    assert sum(sizes.values()) <= MOST_BYTES
    assert newcomer.evaluate("window.shifted") <= MOST_SHIFT


@pytest.mark.needs_server("GET /assets")
@pytest.mark.parametrize("late", ["compile", "catalogue"])
def test_what_comes_late_finds_its_place_free(newcomer: Page, late: str) -> None:
    """The page stands there as far as it is, with what it can read from the plan; then the answer comes."""
    held: list[Route] = []
    newcomer.route(f"**/api/v1/{late}", lambda route: held.append(route))
    newcomer.goto("/")
    explorer = Explorer(newcomer)
    expect(newcomer.locator(".skeleton")).to_have_count(0)
    if late == "compile":
        expect(newcomer.get_by_role("button", name=re.compile(r"^Storage of A\s*\(i,j\)\s*csr$"))).to_be_visible()
        expect(newcomer.get_by_role("tab", name="Assembly")).to_be_visible()
        expect(newcomer.get_by_text("The code appears when the expression compiles.")).to_be_visible()
        run = newcomer.get_by_role("button", name="Run", exact=True)
        expect(run).to_be_disabled()
        expect(run).to_have_accessible_description("The plan is being compiled.")
    assert held
    for route in held:
        route.continue_()
    newcomer.unroute_all()
    explorer.wait_until_settled()
    explorer.graphs.iteration.expect_variables("i0", "i1", "j")
    expect(newcomer.get_by_role("listbox", name="C code, line by line")).to_contain_text("y_vals[i] = y_sum;")
    newcomer.wait_for_load_state("networkidle")
    assert newcomer.evaluate("window.shifted") <= MOST_SHIFT
