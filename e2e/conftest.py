"""A server on a free port with a data folder of its own, a real Chromium, and a console that stays silent.

``--folder``: in place of the server a folder without one, below a path of a plain host of files, and no network after
the first load (``e2e/folder_host.py``)."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, expect, sync_playwright

from e2e.console import Console
from e2e.folder_host import PLACE, Api, FolderApi, FolderHost, ServerApi, relocate, serve_folder, visit_and_cut_off
from e2e.folder_journeys import select_journeys
from e2e.pages.explorer import Explorer
from e2e.server import Server
from e2e.shared_tab import WAIT_MILLISECONDS, SharedTab, new_context
from heddle_server.static.build import build
from tests.backend.collection_site import Site, catalogue

# A page without an address (about:blank) has no storage, and one in a frame of another site may not have it.
BEEN_HERE = """
try {
  localStorage['heddle.preferences.1'] ??= JSON.stringify({toured: true});
} catch {}
"""
OUTPUT = Path(__file__).parent / "output"
QUIET_EXPECTATIONS = Path(__file__).parent / "quiet_expectations.cjs"
"""What Playwright's driver loads first."""

expect.set_options(timeout=WAIT_MILLISECONDS)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-screenshots", action="store_true", help="write docs/images/*.png anew")
    parser.addoption("--headed", action="store_true", help="show the browser while the journeys run")
    parser.addoption("--folder", action="store_true", help="journeys through a folder without a server, and offline")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs_server(route): a journey that no folder answers, by the route it uses")


@pytest.hookimpl(tryfirst=True)  # before a sample is drawn
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    select_journeys(config, items)


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """Where the service's collections are, in place of the public ones."""
    site = Site()
    yield site
    site.http.shutdown()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, site: Site) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("data")
    with Server(folder, HEDDLE_COLLECTIONS=str(catalogue(site, folder / "collections.json"))) as running:
        yield running


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a host of files serves: somebody's files, and the explorer among them."""
    root = tmp_path_factory.mktemp("served")
    build(root / PLACE)
    return root


@pytest.fixture(scope="session")
def host(folder: Path) -> Iterator[FolderHost]:
    yield from serve_folder(folder)


@pytest.fixture
def own_host(folder: Path) -> Iterator[FolderHost]:
    """A host that a test may stop."""
    yield from serve_folder(folder)


@pytest.fixture(scope="session")
def address(request: pytest.FixtureRequest) -> str:
    """Of the page: a server's, or that of a folder."""
    if request.config.getoption("folder"):
        host: FolderHost = request.getfixturevalue("host")
        return host.address
    server: Server = request.getfixturevalue("server")
    return server.url


@pytest.fixture
def api(request: pytest.FixtureRequest, page: Page) -> Api:
    """Answers to compare with what the page shows."""
    if request.config.getoption("folder"):
        return FolderApi(request.getfixturevalue("folder") / PLACE)
    return ServerApi(page, request.getfixturevalue("server"))


@pytest.fixture(scope="session")
def playwright_driver() -> Iterator[Playwright]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("NODE_OPTIONS", f'--require "{QUIET_EXPECTATIONS}"', prepend=" ")
        playwright = sync_playwright().start()
    yield playwright
    playwright.stop()


@pytest.fixture(scope="session")
def browser(pytestconfig: pytest.Config, playwright_driver: Playwright) -> Iterator[Browser]:
    chromium = os.environ.get("HEDDLE_CHROMIUM")
    if not chromium:
        pytest.exit("HEDDLE_CHROMIUM is not set; start the journeys with ./heddle test e2e")
    # Chromium has no sandbox for root, which is what containers run as.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    headless = not pytestconfig.getoption("--headed")
    browser = playwright_driver.chromium.launch(executable_path=chromium, headless=headless, args=arguments)
    yield browser
    browser.close()


@pytest.fixture
def console() -> Iterator[Console]:
    """Watches every page of the test; after it nothing may stand in the console but what it announced."""
    console = Console()
    yield console
    console.assert_silent()


@pytest.fixture(scope="session")
def shared_tab(browser: Browser, address: str, pytestconfig: pytest.Config) -> Iterator[SharedTab]:
    tab = SharedTab(browser, address, in_folder=pytestconfig.getoption("folder"))
    yield tab
    tab.close()


@pytest.fixture
def context(browser: Browser, address: str, console: Console, pytestconfig: pytest.Config) -> Iterator[BrowserContext]:
    """For a test that changes more than its page: it has a context to itself, and ``page`` is there."""
    context = new_context(browser, address)
    if pytestconfig.getoption("folder"):
        visit_and_cut_off(context)
    # Whoever has been here before: the tour does not offer itself.
    context.add_init_script(BEEN_HERE)
    context.on("page", console.watch)
    yield context
    context.close()


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Iterator[Page]:
    """An empty page of somebody who has been here before."""
    fixture = "page_of_context" if "context" in request.fixturenames else "page_of_shared_tab"
    page: Page = request.getfixturevalue(fixture)
    yield page
    if request.node.stash.get(FAILED, False):
        OUTPUT.mkdir(exist_ok=True)
        name = re.sub(r"\W+", "-", request.node.name)
        page.screenshot(path=OUTPUT / f"{name}.png", full_page=True)


@pytest.fixture
def page_of_context(context: BrowserContext) -> Page:
    page = relocate(context.new_page())
    page.set_default_timeout(WAIT_MILLISECONDS)
    return page


@pytest.fixture
def page_of_shared_tab(shared_tab: SharedTab, console: Console, request: pytest.FixtureRequest) -> Iterator[Page]:
    page = shared_tab.lend(console, toured=True)
    yield page
    shared_tab.take_back(page, console, passed=request.node.stash.get(FAILED, None) is False)


@pytest.fixture
def explorer(page: Page) -> Explorer:
    """The explorer as it opens for a newcomer: SpMV on a real matrix, compiled."""
    explorer = Explorer(page)
    explorer.open()
    return explorer


@pytest.fixture
def visitor(page: Page) -> Explorer:
    """The explorer before it is open, for whoever comes by a link."""
    return Explorer(page)


@pytest.fixture(scope="session")
def screenshots(pytestconfig: pytest.Config) -> Path:
    """Where pictures of the page go: docs/images with --update-screenshots, else a folder that git ignores."""
    update = bool(pytestconfig.getoption("--update-screenshots"))
    folder = Path(__file__).parent.parent / "docs" / "images" if update else OUTPUT
    folder.mkdir(parents=True, exist_ok=True)
    return folder


FAILED = pytest.StashKey[bool]()
Reporting = Generator[None, pytest.TestReport, pytest.TestReport]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Reporting:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
        page = getattr(item, "funcargs", {}).get("page")
        if report.failed and page is not None:
            report.sections.append(("the page, as it is read aloud", read_aloud(page)))
    return report


def read_aloud(page: Page) -> str:
    """What stands on a page, by roles and names; why it cannot be said where the page is gone."""
    try:
        return page.locator("body").aria_snapshot(timeout=5000)
    except Error as gone:
        return str(gone)


@pytest.fixture
def newcomer(shared_tab: SharedTab, console: Console, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A browser that has never been here."""
    page = shared_tab.lend(console, toured=False)
    yield page
    shared_tab.take_back(page, console, passed=request.node.stash.get(FAILED, None) is False)
