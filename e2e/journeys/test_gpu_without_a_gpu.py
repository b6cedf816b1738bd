"""Journey: GPU lanes without a GPU. Every step of the schedule runs, mapped or not yet; then the lanes are read."""

from __future__ import annotations

import json
from urllib.parse import quote

from playwright.sync_api import Page, expect

from e2e.journeys.tally import Tally
from e2e.pages.explorer import Explorer
from e2e.pages.gpu_work import GpuWork

PLAN = {
    "version": 2,
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "target": "opencl",
    "schedule": [
        "fuse(i, j, f)",
        "pos(f, fpos, A)",
        "split(fpos, block, fpos1, 4)",
        "split(fpos1, warp, thread, 2)",
        "parallelize(block, GPUBlock, IgnoreRaces)",
        "parallelize(warp, GPUWarp, Atomics)",
    ],
    "view": {"understand": "filmstrip"},
}


def test_every_frame_of_a_gpu_schedule_runs_and_gives_the_same_result(page: Page, visitor: Explorer) -> None:
    page.goto(f"/#j1.{quote(json.dumps(PLAN))}")
    visitor.wait_until_settled()
    tally = Tally(page)
    film = page.get_by_role("region", name="Filmstrip")
    frames = film.get_by_role("list", name="Steps of the schedule").get_by_role("button")
    count = len(PLAN["schedule"]) + 1
    expect(frames).to_have_count(count)
    # The last frame is chosen, and the strip is scrolled to it.
    expect(frames.last).to_have_attribute("aria-current", "step")
    expect(frames.last).to_be_in_viewport(ratio=0.9)
    for number in range(count):
        frames.nth(number).click()
        expect(film.get_by_role("status")).to_contain_text("same result")
        preview = film.get_by_text("Preview on the CPU")
        # Blocks alone are refused until the next command protects the result.
        expect(preview).to_have_count(1 if number < count - 1 else 0)
        expect(film).not_to_contain_text("refused")
    expect(frames.nth(2)).to_contain_text("unmapped")
    page.keyboard.press("Home")
    expect(frames.first).to_be_in_viewport(ratio=0.9)

    work = GpuWork(page)
    work.open()
    work.show("Workers")
    expect(work.load).to_have_attribute("data-total", "7")
    expect(work.map.get_by_role("img")).to_be_visible()
    tally.expect("GPU lanes without a GPU")
