"""Links between a server and a folder, in both directions, and a plan of a folder in a frame of another page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from e2e.conftest import BEEN_HERE
from e2e.console import Console
from e2e.folder_host import PLACE, FolderHost, serve_folder
from e2e.pages.explorer import Explorer
from e2e.server import Server
from e2e.shared_tab import WAIT_MILLISECONDS, new_context
from heddle_server.static.build import build

SCHEDULE = "fuse(i, j, f)\npos(f, fpos, A)\nsplit(fpos, p0, p1, 128)\nparallelize(p0, CPUThread, Atomics)"
PLAN = {
    "version": 2,
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "dcsr"}},
    "schedule": ["split(i, i0, i1, 8)"],
}
PICTURES = ("Iteration graph", "Provenance graph", "Code")


@pytest.fixture
def person(browser: Browser, console: Console, host: FolderHost) -> Iterator[BrowserContext]:
    context = new_context(browser, host.address)
    context.add_init_script(BEEN_HERE)
    context.on("page", console.watch)
    yield context
    context.close()


def opened(context: BrowserContext, address: str) -> Explorer:
    page = context.new_page()
    page.set_default_timeout(WAIT_MILLISECONDS)
    explorer = Explorer(page)
    explorer.open(address)
    return explorer


def pictures_of(explorer: Explorer) -> dict[str, list[str]]:
    """The texts of the pictures, line by line, once they are drawn."""
    explorer.expect_compiled()
    explorer.graphs.provenance.expect_variables("i", "j", "f", "fpos", "p0", "p1")
    regions = {name: explorer.page.get_by_role("region", name=name, exact=True) for name in PICTURES}
    return {name: region.inner_text().split("\n") for name, region in regions.items()}


def test_links_of_a_server_open_in_a_folder_with_the_same_pictures_and_the_other_way_round(
    server: Server, person: BrowserContext, tmp_path: Path
) -> None:
    at_server = opened(person, server.url)
    at_server.schedule.write(SCHEDULE)
    wanted = pictures_of(at_server)
    long = at_server.page.url.removeprefix(server.url)
    short = at_server.share.make_link()
    assert long.startswith("/#")
    links = tmp_path / "links.txt"
    links.write_text(f"# of the paper\n{short}\n")
    build(tmp_path / PLACE, links=links)
    for host in serve_folder(tmp_path):
        for address in (f"{host.address}{long[1:]}", f"{host.address}s/{short.rpartition('/')[2]}/"):
            in_folder = opened(person, address)
            in_folder.schedule.expect_text(SCHEDULE)
            assert pictures_of(in_folder) == wanted, address
        copied = in_folder.share.make_link()
        back = opened(person, f"{server.url}/{copied.removeprefix(host.address)}")
        back.schedule.expect_text(SCHEDULE)
        assert pictures_of(back) == wanted


def test_a_link_that_a_folder_does_not_hold_says_so(person: BrowserContext, host: FolderHost) -> None:
    page = person.new_page()
    page.goto(f"{host.address}#link=Ab12Cd34")
    expect(page.get_by_role("alert")).to_contain_text("A short link needs a Heddle server")


@pytest.fixture
def platform(host: FolderHost) -> Iterator[str]:
    """The address of a page of a learning platform, on another site, that holds a frame."""
    frame = f"{host.address}embed.html?edit=1&panes=schedule,code#j1.{quote(json.dumps(PLAN))}"

    class Platform(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            page = f'<link rel="icon" href="data:,"><iframe width="900" height="600" src="{frame}"></iframe>'
            self.wfile.write(page.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Platform)
    Thread(target=http.serve_forever, daemon=True).start()
    yield f"http://localhost:{http.server_port}/"
    http.shutdown()
    http.server_close()


def test_a_plan_is_edited_in_a_frame_of_a_learning_platform(person: BrowserContext, platform: str) -> None:
    page: Page = person.new_page()
    page.set_default_timeout(WAIT_MILLISECONDS)
    page.goto(platform)
    frame = page.frame_locator("iframe")
    code = frame.get_by_role("region", name="Code").first
    expect(code).to_contain_text("i0 * 8")
    frame.get_by_role("textbox", name="Schedule", exact=True).fill("split(i, i0, i1, 16)")
    expect(code).to_contain_text("i0 * 16")
    expect(frame.get_by_role("link", name="Open in Heddle")).to_have_attribute(
        "href", re.compile(r"^/a%20course/heddle/#plan=z1\.")
    )
