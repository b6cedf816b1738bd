"""The explorer as a folder of files: served by any host of files, and without one after the first visit."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, expect

from e2e.conftest import BEEN_HERE
from e2e.console import Console
from e2e.pages.explorer import Explorer
from e2e.pages.storage import Storage
from e2e.shared_tab import WAIT_MILLISECONDS, new_context
from heddle_server.static.build import build


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("served")
    build(root / "a course" / "heddle")
    return root


@pytest.fixture
def host(folder: Path) -> Iterator[ThreadingHTTPServer]:
    """A plain host of files, the folder below it."""
    host = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    Thread(target=host.serve_forever, daemon=True).start()
    yield host
    host.shutdown()
    host.server_close()


def test_a_folder_opens_edits_and_opens_again_without_a_network(
    browser: Browser, console: Console, host: ThreadingHTTPServer
) -> None:
    address = f"http://127.0.0.1:{host.server_port}/a%20course/heddle/"
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

    host.shutdown()
    host.server_close()
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
