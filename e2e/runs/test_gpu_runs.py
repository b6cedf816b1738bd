"""Journey: a person chooses the GPU where there is none: the page says so, and others do the run."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer
from heddle.runtime.devices import cuda, opencl_devices

pytestmark = [
    pytest.mark.skipif(cuda.missing() is None, reason="this machine has a GPU"),
    pytest.mark.skipif(not opencl_devices.devices(), reason="no OpenCL device here"),
]

THREAD_PER_ROW = [
    "split(i, block, thread, 32)",
    "parallelize(block, GPUBlock, NoRaces)",
    "parallelize(thread, GPUThread, NoRaces)",
]


def choose_gpu(explorer: Explorer) -> None:
    explorer.schedule.write("")
    explorer.run.target.select_option(label="GPU (CUDA)")
    explorer.expect_compiled()


@pytest.mark.needs_server("POST /runs")
def test_without_a_gpu_opencl_does_the_run_beside_scipy_and_mkl(page: Page, explorer: Explorer) -> None:
    run = explorer.run
    choose_gpu(explorer)
    note = run.pane.get_by_role("note").filter(has_text="No machine here")
    expect(note).to_contain_text("No machine here has an NVIDIA GPU with CuPy, so this target cannot run now.")
    for name in ("cuSPARSE", "PyTorch"):
        library = run.pane.get_by_role("checkbox", name=name)
        expect(library).to_be_disabled() if name == "PyTorch" else expect(library).to_be_checked()
    expect(run.button).to_be_disabled()
    expect(run.pane.locator("#run-reason")).to_have_text("No machine here has an NVIDIA GPU with CuPy.")
    for name in ("SciPy", "MKL"):
        run.pane.get_by_role("checkbox", name=name).check()
    note.get_by_role("button", name="Run with OpenCL").click()
    run.expect_verified()
    expect(note).to_have_count(0)
    expect(run.target).to_have_value("opencl")
    for label in ("Heddle", "SciPy", "MKL"):
        expect(run.row(label)).to_contain_text("s")
    expect(run.row("cuSPARSE")).to_contain_text("Not available: No GPU: ")
    expect(run.outcome.locator(".result-verdict")).to_contain_text(re.compile(r"On .*OpenCL"))
    launched = re.compile(r"Launched kernel_1: .*; then kernel_2: \d+ blocks? of 256 threads: 8 warps of 32 lanes, no ")
    expect(run.outcome).to_contain_text(launched)
    page.goto(explorer.share.make_link())
    expect(run.outcome).to_contain_text("Stored result of")
    expect(run.outcome).to_contain_text(launched)


def test_a_schedule_for_the_cpu_gets_one_for_the_gpu_with_one_click(explorer: Explorer) -> None:
    explorer.schedule.write("parallelize(i, CPUThread, NoRaces)")
    explorer.expect_compiled()
    target = explorer.run.target
    target.select_option(label="GPU (CUDA)")
    explorer.expect_errors()
    expect(explorer.schedule.problems).to_contain_text("CPUThread, which the target cuda does not have")
    explorer.schedule.fix("Let the rules choose a schedule for cuda")
    explorer.expect_compiled()
    expect(explorer.schedule.box).to_contain_text("parallelize(thread, GPUThread, ParallelReduction)")
    target.select_option(label="CPU (C, OpenMP)")
    explorer.expect_errors()
    explorer.schedule.fix("Let the rules choose a schedule for c")
    explorer.expect_compiled()
    expect(explorer.schedule.box).not_to_contain_text("GPU")


@pytest.mark.needs_server("POST /runs")
def test_without_a_gpu_the_interpreter_checks_the_schedule(page: Page, explorer: Explorer) -> None:
    small = {"A": {"generator": "rmat", "shape": [64, 64], "nnz": 200, "seed": 1}}
    plan = {
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": "csr"}},
        "inputs": small,
        "target": "cuda",
    }
    link = page.request.post("/api/v1/links", data={"plan": {"version": 1, **plan, "schedule": THREAD_PER_ROW}})
    page.goto(link.json()["url"])
    explorer.expect_compiled()
    explorer.run.pane.get_by_role("button", name="Run in the checked interpreter").click()
    explorer.run.expect_verified()
    expect(explorer.run.outcome).to_contain_text("Run by the checked interpreter, not compiled.")
