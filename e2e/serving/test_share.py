"""Journey 4: a short link, the address bar, and what another person sees who opens them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.accessibility import violations
from e2e.console import Console
from e2e.pages.explorer import Explorer
from e2e.server import Server

SCHEDULE = "fuse(i, j, f)\npos(f, fpos, A)\nsplit(fpos, p0, p1, 128)\nparallelize(p0, CPUThread, Atomics)"


@pytest.mark.every_commit
def test_the_address_bar_alone_restores_everything(
    explorer: Explorer, page: Page, browser: Browser, console: Console
) -> None:
    explorer.expression.write("y(i) = A(i,j) * x(j) + z(i)")
    explorer.expect_compiled()
    explorer.formats.choose("A", "dcsr")
    explorer.schedule.write("split(i, i0, i1, 8)")
    explorer.expect_compiled()
    expect(page).not_to_have_url(re.compile(r"/$"))
    stranger = browser.new_context(viewport={"width": 1440, "height": 900})
    other = Explorer(stranger.new_page())
    console.watch(other.page)
    other.open(page.url)
    other.expression.expect_text("y(i) = A(i,j) * x(j) + z(i)")
    expect(other.formats.of("A")).to_have_value("dcsr")
    other.schedule.expect_text("split(i, i0, i1, 8)")
    other.expect_compiled()
    stranger.close()


@pytest.mark.needs_server("POST /links")
@pytest.mark.every_commit
def test_a_short_link_opens_the_same_plan_in_another_browser(
    explorer: Explorer, browser: Browser, console: Console, server: Server
) -> None:
    explorer.schedule.write(SCHEDULE)
    explorer.expect_compiled()
    link = explorer.share.make_link()
    assert re.fullmatch(re.escape(server.url) + r"/s/[0-9A-Za-z]+", link)
    stranger = browser.new_context(viewport={"width": 1440, "height": 900})
    other = Explorer(stranger.new_page())
    console.watch(other.page)
    other.open(link)
    other.schedule.expect_text(SCHEDULE)
    other.graphs.provenance.expect_variables("i", "j", "f", "fpos", "p0", "p1")
    stranger.close()


def test_the_popover_closes_with_escape_from_anywhere_and_when_it_is_left(explorer: Explorer, page: Page) -> None:
    explorer.share.make_link()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(explorer.share.dialog).to_have_count(0)
    explorer.share.make_link()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    expect(explorer.share.dialog).to_have_count(0)
    explorer.share.make_link()
    page.keyboard.press("Escape")
    expect(explorer.share.button).to_be_focused()


def test_the_same_plan_has_the_same_link(explorer: Explorer) -> None:
    first = explorer.share.make_link()
    explorer.page.keyboard.press("Escape")
    explorer.schedule.write("split(i, i0, i1, 8)")
    explorer.expect_compiled()
    other = explorer.share.make_link()
    explorer.page.keyboard.press("Escape")
    explorer.schedule.write("split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)")
    explorer.expect_compiled()
    assert other != first
    assert explorer.share.make_link() == first


@pytest.mark.needs_server("POST /links")
def test_whoever_made_a_link_is_told_how_long_it_is_kept_and_deletes_it(
    explorer: Explorer, page: Page, server: Server
) -> None:
    explorer.schedule.write("split(i, i0, i1, 57)")
    explorer.expect_compiled()
    link = explorer.share.make_link()
    expect(explorer.share.dialog.get_by_role("status").first).to_contain_text("It is kept until you delete it.")
    address = f"{server.url}/api/v1/links/{link.rsplit('/', 1)[1]}"
    assert page.request.get(address).status == 200
    explorer.share.delete_link()
    assert page.request.get(address).status == 404


@pytest.mark.needs_server("POST /links")
def test_a_link_that_leads_nowhere_says_so_and_opens_nothing_in_its_place(page: Page, console: Console) -> None:
    console.expect("404")
    page.goto("/s/0000000000")
    expect(page.get_by_role("alert")).to_contain_text("There is no link '0000000000'.")
    expect(page).to_have_url(re.compile("/s/0000000000$"))
    expect(page.get_by_role("button", name="Run", exact=True)).to_have_count(0)
    page.get_by_role("link", name="Open the explorer").click()
    explorer = Explorer(page)
    explorer.expect_compiled()
    explorer.expression.expect_text("y(i) = A(i,j) * x(j)")


def test_a_plan_is_saved_in_every_form_and_refused_with_a_reason(explorer: Explorer) -> None:
    share = explorer.share
    share.make_link()
    expected = {
        "C": ("kernel.c", "#pragma omp parallel for"),
        "Python": ("reproduce.py", "sys.exit(reproduce(PLAN, FILES, STORED"),
        "TACO": ("taco.sh", "-f=A:ds"),
        "BibTeX": ("heddle.bib", "@misc{heddle-"),
        "JSON": ("plan.json", '"split(i, i0, i1, 32)"'),
    }
    for title, (name, part) in expected.items():
        saved, text = share.save_as(title)
        assert saved == name
        assert part in text
        expect(share.dialog.get_by_text(f"Saved as {name}.")).to_be_visible()
    # What the schedule rules out is said before anybody asks for it.
    for title in ("CUDA", "OpenCL"):
        button = share.dialog.get_by_role(
            "button", name=f"{title}: no {title}, because the schedule gives loops to the CPU"
        )
        expect(button).to_be_disabled()
    assert violations(explorer.page) == []
    explorer.page.keyboard.press("Escape")

    explorer.schedule.write(
        "split(i, block, thread, 64)\nparallelize(block, GPUBlock, NoRaces)\nparallelize(thread, GPUThread, NoRaces)"
    )
    share.make_link()
    name, text = share.save_as("OpenCL")
    assert (name, "__kernel" in text) == ("kernel.cl", True)
    name, text = share.save_as("CUDA")
    assert (name, "__global__" in text) == ("kernel.cu", True)
