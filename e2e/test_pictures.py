"""The pictures of the reference: ``./heddle test e2e -k pictures --update-screenshots`` renews them."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer
from e2e.pages.gpu_work import GpuWork
from e2e.pages.palette import Palette
from e2e.pages.space import Space

SHARED_ROWS = "fuse(i, j, f)\npos(f, fpos, A)\nsplit(fpos, p0, p1, 3)\nparallelize(p0, CPUThread, Atomics)"
LARGEST_PICTURE = 300_000


@pytest.fixture
def pictures(explorer: Explorer, page: Page, screenshots: Path) -> Path:
    """On a page with nonzeros shared out, whose Understand pane stands above the others."""
    explorer.schedule.write(SHARED_ROWS)
    explorer.expect_compiled()
    return screenshots


def keep(page: Page, file: Path) -> None:
    """Without the pointer's marks, and small enough for a page of text."""
    page.mouse.move(2, 2)
    expect(page.get_by_role("tooltip").filter(visible=True)).to_have_count(0)
    expect(page.get_by_text("Loading…")).to_have_count(0)
    page.screenshot(path=file, clip={"x": 0, "y": 0, "width": 1440, "height": 574})
    assert file.stat().st_size < LARGEST_PICTURE


def test_pictures_of_the_provenance_graph(pictures: Path, explorer: Explorer, page: Page) -> None:
    explorer.graphs.show("Provenance")
    panel = page.get_by_role("region", name="Provenance graph")
    for name in ("Bounds", "Numbers"):
        panel.get_by_role("button", name=name).click()
    for _ in range(4):
        panel.get_by_role("button", name="Step", exact=True).click()
    expect(panel.locator(".value-badge").first).to_be_visible()
    keep(page, pictures / "provenance.png")


def test_pictures_of_the_iteration_space(pictures: Path, page: Page) -> None:
    space = Space(page)
    space.open()
    space.show("Workers")
    keep(page, pictures / "space.png")


def test_pictures_of_the_lanes_of_a_gpu(pictures: Path, explorer: Explorer, page: Page) -> None:
    explorer.choose_example("SpMV on a GPU, a warp for each row")
    work = GpuWork(page)
    work.open()
    work.show("Workers")
    work.choose_data("Power law, 30 × 30")
    expect(work.load).not_to_have_attribute("data-total", "7")
    work.map.evaluate("map => map.scrollIntoView({block: 'start'})")
    keep(page, pictures / "gpu.png")


def test_pictures_of_the_storage(pictures: Path, page: Page) -> None:
    Palette(page).choose("Show Storage")
    expect(page.get_by_role("region", name="Understand").get_by_text("Coordinate tree")).to_be_visible()
    keep(page, pictures / "storage.png")
