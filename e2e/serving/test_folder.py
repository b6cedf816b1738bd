"""The explorer as a folder of files: served by any host of files, and without one after the first visit."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from e2e.conftest import BEEN_HERE
from e2e.console import Console
from e2e.folder_host import PLACE, READY, FolderHost, serve_folder
from e2e.pages.explorer import Explorer
from e2e.pages.storage import Storage
from e2e.pages.window import resize
from e2e.shared_tab import WAIT_MILLISECONDS, new_context
from heddle_server.static.build import LISTING, write_listing

# Of the header while the compiler starts, and as it will be afterwards.
_HEADER_HEIGHTS = """() => {
  const height = () => document.querySelector('.header').getBoundingClientRect().height;
  const status = document.querySelector('.boot-status');
  const starting = height();
  status.style.display = 'none';
  const ready = height();
  status.style.display = '';
  return [starting, ready];
}"""


@pytest.fixture
def reader(browser: Browser, host: FolderHost, console: Console) -> Iterator[BrowserContext]:
    """Somebody with a network, who was never here; the tour does not offer itself."""
    context = new_context(browser, host.address)
    context.add_init_script(BEEN_HERE)
    context.on("page", console.watch)
    yield context
    context.close()


def visit(context: BrowserContext, address: str) -> Explorer:
    page = context.new_page()
    page.set_default_timeout(WAIT_MILLISECONDS)
    explorer = Explorer(page)
    explorer.open(address)
    return explorer


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

    visitor = visit(context, address)
    page = visitor.page
    expect(visitor.code.text).to_contain_text("i0 * 32 + i1")
    visitor.schedule.write("split(i, i0, i1, 16)")
    expect(visitor.code.text).to_contain_text("i0 * 16 + i1")
    expect(page).to_have_url(re.compile(r"/a%20course/heddle/#plan=z1\."))
    visitor.run.button.click()
    expect(page.get_by_text("A run that is timed needs a Heddle server").first).to_be_visible()
    visitor.schedule.choose_way("Choose one for this browser")
    expect(page.get_by_text("For a browser: one thread, vectors of 16 bytes, no gathers.")).to_be_visible()
    visitor.schedule.write("split(i, i0, i1, 16)")
    visitor.expect_compiled()
    link = visitor.share.make_link()
    assert link == page.url
    page.evaluate(READY)
    of_the_first_visit = len(own_host.asked)
    page.close()

    again = visit(context, link)
    expect(again.code.text).to_contain_text("i0 * 16 + i1")
    again.formats.choose("A", "dcsr")
    again.expect_compiled()
    # All that a second visit may ask, and it is the browser that does: whether there is a newer folder.
    assert {path.rpartition("/")[2] for path in own_host.asked[of_the_first_visit:]} <= {"sw.js"}
    again.page.close()

    own_host.stop()
    context.set_offline(True)
    without = visit(context, link)
    expect(without.code.text).to_contain_text("i0 * 16 + i1")
    without.formats.choose("A", "dcsr")
    without.expect_compiled()
    Storage(without.page).show("A")
    assert without.page.evaluate("() => crossOriginIsolated")
    assert [url for url in asked if not url.startswith(address)] == []
    context.close()


VISITS = 10
"""Until a folder is taken for closed."""


def test_a_newer_folder_takes_the_place_of_the_one_that_a_browser_keeps(
    browser: Browser, console: Console, folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path / "served")
    place = tmp_path / "served" / PLACE
    for host in serve_folder(tmp_path / "served"):
        context = new_context(browser, host.address)
        context.add_init_script(BEEN_HERE)
        context.on("page", console.watch)
        first = visit(context, host.address)
        first.page.evaluate(READY)
        # The next version: the document has another title, a file of the first is gone, and a plan is open meanwhile.
        index = place / "index.html"
        index.write_text(index.read_text("utf-8").replace("<title>Heddle</title>", "<title>Heddle, newer</title>"))
        for written in ("sw.js", LISTING, "data/karate.mtx"):
            (place / written).unlink()
        write_listing(place)
        first.schedule.write("split(i, i0, i1, 16)")
        expect(first.code.text).to_contain_text("i0 * 16 + i1")
        second = visit(context, host.address)  # of what the browser keeps, while the newer one arrives
        second.page.evaluate("() => navigator.serviceWorker.getRegistration().then(known => known.update())")
        second.page.wait_for_function(
            "() => navigator.serviceWorker.getRegistration().then(known => known.waiting !== null)"
        )
        first.page.close()
        second.page.close()
        third = visit(context, host.address)
        for _ in range(VISITS):  # the browser knows when it is done with a page that was closed
            if "newer" in third.page.title():
                break
            third.page.close()
            third = visit(context, host.address)
        expect(third.page).to_have_title(re.compile("newer"))
        third.schedule.write("split(i, i0, i1, 8)")
        expect(third.code.text).to_contain_text("i0 * 8 + i1")
        context.close()


def test_two_tabs_have_a_compiler_each_and_their_own_plans(reader: BrowserContext, host: FolderHost) -> None:
    first, second = visit(reader, host.address), visit(reader, host.address)
    for explorer, size in ((first, 16), (second, 64), (first, 128)):
        explorer.schedule.write(f"split(i, i0, i1, {size})")
        expect(explorer.code.text).to_contain_text(f"i0 * {size} + i1")
    expect(second.code.text).to_contain_text("i0 * 64 + i1")


def test_where_nothing_may_be_kept_the_folder_works_all_the_same(reader: BrowserContext, host: FolderHost) -> None:
    """As in a private window, whose browser refuses service workers and storage."""
    reader.add_init_script("""
      const refused = () => new DOMException('refused', 'SecurityError');
      if (navigator.serviceWorker) navigator.serviceWorker.register = () => Promise.reject(refused());
      for (const name of ['localStorage', 'sessionStorage', 'caches'])
        Object.defineProperty(window, name, {get: () => { throw refused(); }});
    """)
    explorer = visit(reader, host.address)
    explorer.schedule.write("split(i, i0, i1, 16)")
    expect(explorer.code.text).to_contain_text("i0 * 16 + i1")


def test_a_journey_cannot_hold_back_what_the_browser_keeps(page: Page) -> None:
    said = r"^no request of a kept folder comes to the route \*\*/assets/\*\*: use a context of a first visit$"
    with pytest.raises(AssertionError, match=said):
        page.route("**/assets/**", lambda route: route.abort())


@pytest.mark.parametrize("lacking", ["WebAssembly", "Worker"])
def test_a_browser_without_what_is_needed_gets_a_sentence(
    reader: BrowserContext, host: FolderHost, lacking: str
) -> None:
    reader.add_init_script(f"delete window.{lacking}")
    explorer = visit(reader, host.address)  # the stored view of the first plan is there to be read
    expect(explorer.code.text).to_contain_text("i0 * 32 + i1")
    explorer.schedule.write("split(i, i0, i1, 16)")
    alert = explorer.page.get_by_role("alert").filter(has_text="This browser cannot run the compiler")
    expect(alert).to_have_text(
        "This browser cannot run the compiler: it has no WebAssembly or no workers. A current Firefox or Chromium can."
    )


def test_a_folder_that_was_opened_as_a_file_says_how_to_serve_it(browser: Browser, folder: Path) -> None:
    """Browsers run no modules of files: what is said has to stand in the document."""
    page = browser.new_page()
    page.goto((folder / PLACE / "index.html").as_uri())
    expect(page.get_by_role("status")).to_have_text(
        "A browser does not start Heddle from a file. In its folder: python3 -m http.server, then open "
        "http://localhost:8000/."
    )
    page.close()


def test_a_slow_network_shows_how_much_has_come_and_the_page_is_read_meanwhile(
    reader: BrowserContext, host: FolderHost
) -> None:
    page: Page = reader.new_page()
    page.set_default_timeout(WAIT_MILLISECONDS)
    session = reader.new_cdp_session(page)
    session.send("Network.enable")
    page.route("**/python/*.whl", lambda route: None)  # never arrives
    explorer = Explorer(page)
    page.goto(host.address)
    expect(explorer.code.text).to_contain_text("i0 * 32 + i1")
    explorer.schedule.write("split(i, i0, i1, 16)")
    expect(page.get_by_text(re.compile(r"Starting the compiler in this browser \(\d+\.\d of 1\d MB\)"))).to_be_visible()
    for width in (390, 1440):
        resize(page, width)
        starting, ready = page.evaluate(_HEADER_HEIGHTS)
        assert starting == ready
    page.get_by_role("button", name="Examples").first.click()
    expect(page.get_by_role("dialog", name="Examples")).to_be_visible()
