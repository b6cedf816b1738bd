"""A smoke journey in Debian's Firefox, which Playwright drives over WebDriver BiDi."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Playwright, expect

from e2e.console import Console
from e2e.folder_host import READY, FolderHost
from e2e.pages.explorer import Explorer
from e2e.shared_tab import VIEWPORT, WAIT_MILLISECONDS

FIREFOX = shutil.which("firefox-esr")

pytestmark = pytest.mark.skipif(FIREFOX is None, reason="no firefox-esr here (apt-get install firefox-esr)")


@pytest.fixture
def firefox(
    playwright_driver: Playwright, tmp_path_factory: pytest.TempPathFactory, console: Console
) -> Iterator[Page]:
    assert FIREFOX is not None
    home = {"HOME": str(tmp_path_factory.mktemp("home")), "MOZ_CRASHREPORTER_DISABLE": "1"}
    browser = playwright_driver.firefox.launch(channel="moz-firefox", executable_path=FIREFOX, env=home)
    page = browser.new_context(viewport=VIEWPORT).new_page()
    page.set_default_timeout(WAIT_MILLISECONDS)
    console.watch(page)
    yield page
    browser.close()


def test_firefox_compiles_and_opens_again_without_a_network(firefox: Page, own_host: FolderHost) -> None:
    host = own_host
    explorer = Explorer(firefox)
    explorer.open(host.address)
    firefox.get_by_role("button", name="Not now").click()
    expect(explorer.code.text).to_contain_text("i0 * 32 + i1")
    explorer.schedule.write("split(i, i0, i1, 16)")
    expect(explorer.code.text).to_contain_text("i0 * 16 + i1")
    firefox.evaluate(READY)
    link = firefox.url
    firefox.goto("about:blank")
    host.stop()
    explorer.open(link)
    expect(explorer.code.text).to_contain_text("i0 * 16 + i1")
    explorer.formats.choose("A", "dcsr")
    explorer.expect_compiled()
    expect(explorer.code.text).to_contain_text("A1_crd")
