"""Journey: a plan in a frame on another site: to look at, with the way into Heddle, and nothing kept."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from e2e.console import Console
from e2e.pages.explorer import Explorer


@pytest.fixture
def other_site() -> Iterator[http.server.ThreadingHTTPServer]:
    """A web page somewhere else that holds one frame; the test writes its address."""

    class Host(http.server.BaseHTTPRequestHandler):
        frame = ""

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            icon = '<link rel="icon" href="data:,">'
            self.wfile.write(f'{icon}<iframe width="900" height="500" src="{Host.frame}"></iframe>'.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def show(page: Page, site: http.server.ThreadingHTTPServer, address: str) -> None:
    site.RequestHandlerClass.frame = address  # type: ignore[attr-defined]
    page.goto(f"http://localhost:{site.server_address[1]}/")


@pytest.mark.needs_server("POST /links")
def test_another_site_shows_the_chosen_panes_read_only(
    explorer: Explorer, page: Page, other_site: http.server.ThreadingHTTPServer
) -> None:
    link = explorer.share.make_link()
    address = link.replace("/s/", "/embed/") + "?panes=schedule,code"
    show(page, other_site, address)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("region", name="Code").first).to_contain_text("#pragma omp parallel for")
    expect(frame.get_by_role("region", name="Schedule")).to_contain_text("split(i, i0, i1, 32)")
    expect(frame.get_by_role("region", name="Iteration graph")).to_have_count(0)
    expect(frame.get_by_role("textbox")).to_have_count(0)
    inside = page.frames[1]
    assert inside.url == address
    assert inside.evaluate("document.cookie") == ""
    expect(frame.get_by_role("link", name="Open in Heddle")).to_have_attribute("href", "/s/" + link.split("/s/")[1])


@pytest.mark.needs_server("POST /links")
def test_a_frame_that_may_be_edited_compiles_runs_and_hands_on_what_was_changed(
    explorer: Explorer, page: Page, other_site: http.server.ThreadingHTTPServer
) -> None:
    explorer.run.choose_dataset("A", "karate")
    explorer.expect_compiled()
    link = explorer.share.make_link()
    show(page, other_site, link.replace("/s/", "/embed/") + "?edit=1")
    frame = page.frame_locator("iframe")
    onward = frame.get_by_role("link", name="Open in Heddle")
    expect(onward).to_have_attribute("href", "/s/" + link.split("/s/")[1])
    frame.get_by_role("textbox", name="Schedule", exact=True).fill("split(i, i0, i1, 8)")
    expect(frame.get_by_role("region", name="Code").first).to_contain_text("i0 * 8 + i1")
    frame.get_by_role("button", name="Run", exact=True).click()
    expect(frame.get_by_text("Verified against")).to_be_visible()
    changed = onward.get_attribute("href")
    assert changed is not None
    page.goto(changed)
    explorer.expect_compiled()
    expect(explorer.code.text).to_contain_text("i0 * 8 + i1")


@pytest.mark.needs_server("POST /links")
def test_the_explorer_itself_refuses_to_stand_in_a_frame(
    explorer: Explorer, page: Page, console: Console, other_site: http.server.ThreadingHTTPServer
) -> None:
    console.expect("frame-ancestors|Framing|ERR_BLOCKED_BY_RESPONSE")
    link = explorer.share.make_link()
    show(page, other_site, link)
    expect(page.frame_locator("iframe").get_by_role("textbox")).to_have_count(0)


@pytest.mark.needs_server("POST /links")
def test_a_frame_of_a_plan_that_is_not_there_says_so(page: Page, console: Console) -> None:
    console.expect("404")
    page.goto("/embed/0000000000")
    expect(page.get_by_role("alert")).to_contain_text("could not be opened")
