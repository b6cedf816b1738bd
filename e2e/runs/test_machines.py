"""Journey: a person sees which machines time runs, what they are, and what becomes of a run when they are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.console import Console
from e2e.pages.explorer import Explorer
from e2e.server import Server
from tests.backend.joined import Joined


@pytest.mark.needs_server("POST /runs")
def test_the_machine_is_shown_with_what_it_runs_and_what_it_measured(explorer: Explorer) -> None:
    run = explorer.run
    run.choose_dataset("A", "karate")
    run.compare_with()
    explorer.expect_compiled()
    run.start()
    run.expect_verified()
    expect(run.outcome).to_contain_text(re.compile(r"Ran on \d+ cores?, "))
    expect(run.machines).to_contain_text("1 worker, free")
    run.machines.get_by_text("Machines: ").click()
    machine = run.machines.get_by_role("listitem")
    expect(machine).to_contain_text("this server Free")
    expect(machine).to_contain_text("CPU (C, OpenMP)")
    expect(machine).to_contain_text(re.compile(r"\d+ cores?, .*; STREAM triad \d"))


@dataclass(frozen=True, slots=True)
class Laboratory:
    """A server that has no worker of its own; the one that joined is called lab-1."""

    server: Server
    worker: Joined
    scheduler: str


@pytest.fixture
def laboratory(tmp_path: Path) -> Iterator[Laboratory]:
    with ExitStack() as stack:
        scheduler = Joined(tmp_path, "scheduler", "scheduler", "--port", "0")
        stack.callback(scheduler.kill)
        address = scheduler.wait_for(r"The scheduler is at (\S+)")[1]
        copies = str(tmp_path / "copies")
        worker = Joined(tmp_path, "worker", "worker", address, "--name", "lab-1", "--data-directory", copies)
        stack.callback(worker.kill)
        (tmp_path / "data").mkdir()
        settings = {"HEDDLE_SCHEDULER": address, "HEDDLE_RUN_UNPLACED_SECONDS": "5"}
        yield Laboratory(stack.enter_context(Server(tmp_path / "data", **settings)), worker, address)


@pytest.fixture
def page_of_laboratory(browser: Browser, laboratory: Laboratory, console: Console) -> Iterator[Page]:
    context = browser.new_context(base_url=laboratory.server.url, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    console.watch(page)
    yield page
    context.close()


@pytest.mark.needs_server("POST /runs")
def test_a_run_says_where_it_ran_and_why_nobody_does_it(laboratory: Laboratory, page_of_laboratory: Page) -> None:
    explorer = Explorer(page_of_laboratory)
    explorer.open()
    run = explorer.run
    run.choose_dataset("A", "karate")
    run.compare_with()
    explorer.expect_compiled()
    expect(run.machines).to_contain_text("1 worker, free")
    run.start()
    run.expect_verified()
    expect(run.outcome).to_contain_text(re.compile(r"Ran on lab-1: \d+ cores?, "))

    run.machines.get_by_text("Machines: ").click()
    expect(run.machines.get_by_role("listitem")).to_contain_text("lab-1 Free")
    laboratory.worker.stop()
    expect(run.machines).to_contain_text("no worker takes runs at present; a run waits for one")
    run.start()
    expect(run.status).to_contain_text(re.compile("Waiting.* for a worker with cpu: none has been connected since"))
    expect(run.problem).to_contain_text("No worker can do this run.")
    expect(run.problem).to_contain_text(f"'./heddle worker {laboratory.scheduler}'")
