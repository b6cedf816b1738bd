"""The explorer as a folder of files: served by any host of files, and without one after the first visit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from e2e.conftest import BEEN_HERE
from e2e.console import Console
from e2e.folder_host import FolderHost, serve_folder
from e2e.pages.explorer import Explorer
from e2e.pages.storage import Storage
from e2e.shared_tab import WAIT_MILLISECONDS, new_context


@pytest.fixture
def own_host(folder: Path) -> Iterator[FolderHost]:
    """One that a test may stop."""
    yield from serve_folder(folder)


@pytest.mark.every_commit
def test_a_folder_opens_edits_and_opens_again_without_a_network(
    browser: Browser, console: Console, own_host: FolderHost
) -> None:
    address = own_host.address
    context = new_context(browser, address)
    context.add_init_script(BEEN_HERE)
    context.on("page", console.watch)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.set_default_timeout(WAIT_MILLISECONDS)

    visitor = Explorer(page)
    visitor.open(address)
    expect(visitor.code.text).to_contain_text("i0 * 32 + i1")
    visitor.schedule.write("split(i, i0, i1, 16)")
    expect(visitor.code.text).to_contain_text("i0 * 16 + i1")
    expect(page).to_have_url(re.compile(r"/a%20course/heddle/#plan=z1\."))
    visitor.run.button.click()
    expect(page.get_by_text("A run that is timed needs a Heddle server").first).to_be_visible()
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link", exact=True).input_value()
    assert link == page.url
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")

    own_host.stop()
    context.set_offline(True)
    page.close()
    page = context.new_page()
    page.set_default_timeout(WAIT_MILLISECONDS)
    reader = Explorer(page)
    reader.open(link)
    expect(reader.code.text).to_contain_text("i0 * 16 + i1")
    reader.formats.choose("A", "dcsr")
    reader.expect_compiled()
    Storage(page).show("A")
    assert page.evaluate("() => crossOriginIsolated")
    assert [url for url in asked if not url.startswith(address)] == []
    context.close()
