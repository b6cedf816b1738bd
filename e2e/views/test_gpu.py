"""Journey: a GPU schedule where there is no GPU: who does what by block, warp and lane; memory, atomics, launches."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from e2e.accessibility import violations
from e2e.folder_host import Api
from e2e.pages.explorer import Explorer
from e2e.pages.gpu_work import GpuWork
from e2e.pages.palette import Palette
from e2e.pages.window import resize

SPMV = {"version": 1, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}, "target": "cuda"}
WARP_PER_ROW = [
    "split(i, block, warp, 4)",
    "parallelize(block, GPUBlock, NoRaces)",
    "parallelize(warp, GPUWarp, NoRaces)",
    "parallelize(j, GPUThread, ParallelReduction)",
]
ATOMICS = [
    "fuse(i, j, f)",
    "pos(f, fpos, A)",
    "split(fpos, block, fpos1, 4)",
    "split(fpos1, thread, entry, 2)",
    "parallelize(block, GPUBlock, IgnoreRaces)",
    "parallelize(thread, GPUThread, Atomics)",
]


def opened(page: Page, explorer: Explorer, schedule: list[str]) -> GpuWork:
    page.goto("about:blank")
    explorer.open(f"/#j1.{quote(json.dumps({**SPMV, 'schedule': schedule}))}")
    work = GpuWork(page)
    work.open()
    work.show("Workers")
    return work


def trace_of(api: Api, schedule: list[str]) -> dict[str, Any]:
    return dict(api.post("/trace", {"plan": {**SPMV, "schedule": schedule}}))


def test_the_lanes_of_the_map_add_up_to_the_nonzeros(page: Page, explorer: Explorer, api: Api) -> None:
    work = opened(page, explorer, WARP_PER_ROW)
    (launch,) = trace_of(api, WARP_PER_ROW)["launches"]
    lanes = [points for block in launch["blocks"] for points in block["work"]]
    assert sum(lanes) == 7
    expect(work.load).to_have_attribute("data-total", "7")
    expect(work.load).to_have_attribute("data-idle", f"{1 - sum(lanes) / len(lanes) / max(lanes):.4f}")
    expect(work.load).to_have_attribute("data-divergence", f"{1 - 7 / (3 * 32):.4f}")  # row 1 is empty
    expect(work.map.get_by_role("img")).to_have_attribute("aria-label", "4 warps; 7 of 128 lanes compute 7 points")


def test_the_keyboard_reads_lanes_lights_their_loops_and_goes_to_their_work(
    page: Page, explorer: Explorer, api: Api
) -> None:
    work = opened(page, explorer, WARP_PER_ROW)
    work.map.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(work.lane).to_have_text("Block 0, warp 2, lane 2 (thread 66): 1 point.")
    for variable in ("block", "warp", "j"):
        expect(work.map.locator(f"[data-link='var:{variable}'][data-linked]")).to_have_count(1)
    page.keyboard.press("Enter")
    visits = [step for step in trace_of(api, WARP_PER_ROW)["steps"] if step["visit"] is not None]
    assert {"block": 0, "warp": 2, "jA_index": 2} in [step["worker"] for step in visits]
    expect(work.map.locator(".gpu-current")).to_have_count(1)
    work.show("Order")
    expect(work.panel.get_by_role("status")).to_contain_text("now at i = 2, j = 5.")


def test_sectors_are_those_of_the_trace(page: Page, explorer: Explorer, api: Api) -> None:
    work = opened(page, explorer, WARP_PER_ROW)
    (launch,) = trace_of(api, WARP_PER_ROW)["launches"]
    for access in launch["memory"]:
        shown = work.access(access["array"], access["kind"]).and_(page.locator(f"[data-sectors='{access['sectors']}']"))
        expect(shown.first).to_be_visible()
    values = work.access("A_vals", "load")
    expect(values).to_contain_text("in 3 requests")
    values.get_by_role("button", name="Array A_vals").focus()
    expect(explorer.linked(page.get_by_role("region", name="Define")).first).to_be_visible()


def test_atomics_by_block_warp_and_lane(page: Page, explorer: Explorer, api: Api) -> None:
    work = opened(page, explorer, ATOMICS)
    trace = trace_of(api, ATOMICS)
    work.show("Writes")
    expect(work.writes).to_have_attribute("data-atomics", str(trace["atomics"]))
    expect(work.writes).to_contain_text("written by two blocks or more")
    for worker in ("block", "lane"):
        work.each(worker)
        counts = [int(one) for one in work.panel.locator("td[data-stores]").evaluate_all(
            "cells => cells.map((cell) => cell.dataset.stores)"
        )]  # fmt: skip
        assert sum(counts) == len(
            [step for step in trace["steps"] if step["store"] and step["store"]["array"] == "y_vals"]
        )


@pytest.mark.needs_server("POST /occupancy")
def test_the_launches_say_grid_block_and_registers(page: Page, explorer: Explorer, api: Api) -> None:
    launches = opened(page, explorer, WARP_PER_ROW).launches()
    expect(launches).to_contain_text("128 threads: 4 warps of 32 lanes")
    expect(launches).to_contain_text("(A1_dimension + 3) // 4")
    answer = api.post("/occupancy", {**SPMV, "schedule": WARP_PER_ROW})
    if answer["ok"]:
        for figures in answer["kernels"]:
            expect(launches).to_contain_text(f"{figures['registers']} registers per thread")
    else:
        expect(launches).to_contain_text(answer["diagnostics"][0]["message"])


def test_the_schedule_that_a_gpu_gets_by_itself_can_be_written_down(page: Page, explorer: Explorer) -> None:
    opened(page, explorer, [])
    define = page.get_by_role("region", name="Define")
    expect(define).to_contain_text("a GPU needs one, and this one is used")
    define.get_by_role("button", name="Write it into the schedule").click()
    explorer.expect_compiled()
    expect(explorer.schedule.box).to_contain_text("parallelize(thread, GPUThread")


@pytest.mark.combinations(4)
@pytest.mark.parametrize("width", [1280, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_that_axe_can_see_is_wrong(page: Page, explorer: Explorer, scheme: Any, width: int) -> None:
    page.emulate_media(color_scheme=scheme)
    work = opened(page, explorer, ATOMICS)
    resize(page, width)
    Palette(page).choose("Show Space")
    expect(work.map).to_be_visible()
    found = violations(page)
    work.show("Writes")
    assert found + violations(page) == []
