"""The code is stepped with the traced run, and a guard that is taken away shows what it prevents
(docs/sources.toml V7)."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from e2e.folder_host import Api
from e2e.pages.explorer import Explorer

PLAN = {
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "schedule": ["split(i, i0, i1, 3)"],
}
GPU_SCHEDULE = [
    "split(i, block, thread, 32)",
    "parallelize(block, GPUBlock, NoRaces)",
    "parallelize(thread, GPUThread, NoRaces)",
]


def test_the_marked_line_is_the_one_that_runs(page: Page, visitor: Explorer, api: Api) -> None:
    visitor.open(f"/#j1.{quote(json.dumps(PLAN))}")
    trace = api.post("/trace", {"plan": PLAN | {"version": 1}})
    pane = visitor.code.pane
    pane.get_by_role("button", name="Step", exact=True).click()
    controls = pane.get_by_role("group", name="Playback")
    controls.get_by_label("Step by").select_option("statement")
    running = visitor.code.text.locator("[data-executing]")
    for step in trace["steps"][:6]:
        expect(running).to_have_attribute("data-line", str(step["c_line"] - 1))
        controls.get_by_role("button", name="Step", exact=True).click()
    expect(pane.get_by_role("list", name="Values now").get_by_text("i0 = 0")).to_be_visible()
    # Each coloured line says its role, and which command made it.
    coloured = visitor.code.text.get_by_role("option").filter(has=page.locator(".code-tint"))
    roles = set()
    for line in coloured.all():
        line.hover()
        expect(visitor.code.explanation).to_contain_text(re.compile(r"^Line \d+: (end of )?[a-z]+: "))
        said = visitor.code.explanation.inner_text()
        roles.add(said.split(": ")[1].removeprefix("end of "))
        assert ("from command 1 split(i, i0, i1, 3)" in said) == (line.get_attribute("data-link") == "command:0"), said
    assert {"bounds", "guard", "recovery"} <= roles


def test_the_code_of_a_gpu_is_stepped_and_stops_at_its_breakpoints(page: Page, visitor: Explorer, api: Api) -> None:
    plan = PLAN | {"target": "opencl", "schedule": GPU_SCHEDULE}
    page.goto(f"/#j1.{quote(json.dumps(plan))}")
    visitor.expect_compiled()
    trace = api.post("/trace", {"plan": plan | {"version": 1}})
    wanted = trace["steps"][-1]["c_line"]
    pane = visitor.code.pane
    pane.get_by_role("button", name="Step", exact=True).click()
    text = pane.get_by_role("listbox", name="OpenCL code, line by line")
    running = text.locator("[data-executing]")
    expect(running).to_have_attribute("data-line", str(trace["steps"][0]["c_line"] - 1))
    text.locator(f"[data-line='{wanted - 1}'] .code-number").click()
    pane.get_by_role("button", name="Run to the next breakpoint").click()
    expect(running).to_have_attribute("data-line", str(wanted - 1))


def test_without_its_guard_the_tail_leaves_the_array(page: Page, visitor: Explorer) -> None:
    visitor.open(f"/#j1.{quote(json.dumps(PLAN))}")
    pane = visitor.code.pane
    pane.get_by_text("What if a guard were gone?").click()
    pane.get_by_role("button", name="Run without it").click()
    outcome = pane.locator("[data-outcome=fault]")
    expect(outcome).to_contain_text("Without this guard the run goes wrong.")
    expect(outcome).to_contain_text("Load of A2_pos[5], which has 5 elements")


def test_a_division_in_the_loops_is_not_coloured_as_a_comment(page: Page, visitor: Explorer) -> None:
    schedule = ["split(i, i0, i1, 32)", "parallelize(i0, CPUThread, NoRaces)"]
    visitor.open(f"/#j1.{quote(json.dumps(PLAN | {'schedule': schedule}))}")
    for tab in ("Loops, structured", "Loops, flat"):
        visitor.code.show(tab)
        division = visitor.code.pane.get_by_role("option").filter(has_text="// 32) on CPUThread:")
        expect(division).to_have_count(1)
        expect(division.locator(".syntax-comment")).to_have_count(0)
        expect(division.locator(".syntax-number").last).to_have_text("32")


@pytest.mark.needs_server("POST /assembly")
def test_the_machine_code_stands_below_its_lines_of_c_and_lights_them_elsewhere(explorer: Explorer, page: Page) -> None:
    if page.request.get("/api/v1/catalogue").json()["no_assembly"] is not None:
        expect(page.get_by_role("tab", name="Assembly")).to_be_disabled()
        return
    page.get_by_role("tab", name="Assembly").click()
    code = page.get_by_role("region", name="Machine code")
    expect(code).to_contain_text("for processors of the class")
    product = code.get_by_role("button", name=re.compile(r"y_sum \+= A_vals\[jA\] \* x_vals\[j\];")).first
    product.hover()
    expect(explorer.formats.chip("y")).to_have_attribute("data-linked", "")
    code.get_by_text("Flags").click()
    expect(code).to_contain_text("-O3")
    # What is interpreted has none.
    explorer.run.target.select_option("interpreter")
    expect(page.get_by_role("tab", name="Assembly")).to_have_count(0)
