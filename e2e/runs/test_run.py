"""Journey 3: choose an input, run, watch, and read a verified comparison."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from e2e.console import Console
from e2e.pages.explorer import Explorer
from e2e.pages.run import RUN_MILLISECONDS

SMALL = "%%MatrixMarket matrix coordinate real general\n4 6 7\n1 1 6\n1 3 9\n3 1 5\n3 4 7\n3 6 1\n4 2 2\n4 5 8\n"


@pytest.mark.every_commit
@pytest.mark.needs_server("POST /runs")
def test_a_real_matrix_is_verified_and_timed_beside_the_baselines(
    explorer: Explorer, page: Page, browser: Browser, console: Console, screenshots: Path
) -> None:
    run = explorer.run
    expect(run.input_of("A")).to_have_value("dataset bcsstk13")
    run.start()
    expect(run.status).to_have_text(re.compile("Waiting|Starting|Running|done"))  # at once, when it was measured before
    run.expect_verified()
    said = re.compile(r"^The run is done\..*Heddle \d.*SciPy \d")
    expect(run.announced).to_have_text(said)
    for label in ("Heddle", "Heddle, unscheduled", "SciPy", "MKL"):
        expect(run.row(label)).to_contain_text(re.compile(r"\d (ns|µs|ms)"))
    expect(run.row("Heddle")).to_contain_text(re.compile(r"GB/s.* % of STREAM"))
    expect(run.outcome).to_contain_text("measured STREAM triad")
    expect(run.outcome).to_contain_text(re.compile(r"\d+ cores?"))
    run.open_figures()
    expect(run.figures.first).to_be_visible()
    expect(run.plot).to_be_visible()
    page.screenshot(path=screenshots / "explorer.png")

    link = explorer.share.make_link()
    expect(explorer.share.dialog).to_contain_text("this plan and its result")
    stranger = browser.new_context(viewport={"width": 1440, "height": 900})
    other = Explorer(stranger.new_page())
    console.watch(other.page)
    other.open(link)
    other.run.expect_verified()
    expect(other.run.outcome).to_contain_text("Stored result of")
    assert other.run.timings.inner_text() == run.timings.inner_text()
    other.run.open_figures()
    expect(other.run.plot).to_be_visible()
    stranger.close()


@pytest.mark.combinations(4)
@pytest.mark.parametrize("generator", ["uniform", "rmat", "banded"])
@pytest.mark.needs_server("POST /runs")
def test_a_generated_matrix_runs(explorer: Explorer, generator: str) -> None:
    run = explorer.run
    run.choose_generator("A", generator)
    run.set_parameter("A", "size of i", "500")
    run.set_parameter("A", "size of j", "500")
    run.compare_with("SciPy")
    explorer.expect_compiled()
    run.start()
    run.expect_verified()
    expect(run.outcome).to_contain_text("500 × 500")
    expect(run.timings).not_to_contain_text("MKL")


@pytest.mark.needs_server("PUT /datasets")
def test_an_uploaded_matrix_runs(explorer: Explorer, tmp_path: Path) -> None:
    file = tmp_path / "running example.mtx"
    file.write_text(SMALL)
    explorer.run.upload("A", file)
    expect(explorer.run.input_of("A")).to_have_value(re.compile("^dataset sha256:[0-9a-f]{64}$"))
    explorer.run.compare_with("SciPy")
    explorer.expect_compiled()
    explorer.run.start()
    explorer.run.expect_verified()
    expect(explorer.run.outcome).to_contain_text("4 × 6")


@pytest.mark.needs_server("POST /runs")
def test_a_run_can_be_cancelled(explorer: Explorer) -> None:
    # Its own plan: what was measured before is answered at once.
    explorer.schedule.write("split(i, i0, i1, 48)\nparallelize(i0, CPUThread, NoRaces)")
    explorer.expect_compiled()
    explorer.run.start()
    explorer.run.cancel.click()
    expect(explorer.run.status).to_contain_text("Cancelled")
    expect(explorer.run.button).to_be_enabled()


@pytest.mark.needs_server("POST /runs")
def test_a_long_run_says_about_how_long_it_takes(explorer: Explorer, page: Page) -> None:
    """What the service reports of a long run: its events are replaced, since no run here is long."""
    told = {"phase": "measure", "fraction": 0.4, "message": "round 12 of 30", "seconds_left": 42.0}
    running = {"state": "running", "queue_position": None}
    explorer.run.replace_events(("state", running), ("progress", told))
    explorer.run.choose_generator("A", "skew")
    shuffle = explorer.run.pane.get_by_role("group", name="Generator of A").get_by_role("checkbox")
    expect(shuffle).to_have_accessible_name("Shuffle the rows")
    expect(shuffle).to_be_checked()
    shuffle.uncheck()
    explorer.run.set_parameter("A", "size of i", "500")
    explorer.run.set_parameter("A", "size of j", "500")
    explorer.expect_compiled()
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/runs")) as asked:
        explorer.run.start()
    assert asked.value.post_data_json["inputs"]["A"]["shuffle"] == 0
    expect(explorer.run.status).to_contain_text("about 42 s left")
    explorer.run.cancel.click()


@pytest.mark.needs_server("POST /runs")
def test_a_run_whose_service_is_gone_says_so_at_once(explorer: Explorer, page: Page, console: Console) -> None:
    console.expect("ERR_CONNECTION_REFUSED")
    told = {"phase": "measure", "fraction": 0.4, "message": "round 12 of 30", "seconds_left": 42.0}
    running = {"state": "running", "queue_position": None}
    explorer.run.replace_events(("state", running), ("progress", told))
    explorer.schedule.write("split(i, i0, i1, 40)")
    explorer.expect_compiled()
    explorer.run.start()
    expect(explorer.run.status).to_contain_text("about 42 s left")
    page.route("**/api/**", lambda route: route.abort("connectionrefused"))
    explorer.run.cut_events()
    expect(explorer.run.status).to_contain_text("Not connected. The run goes on")
    expect(explorer.run.status).not_to_contain_text("left")
    expect(explorer.status).to_contain_text("Not connected; trying again")
    page.unroute("**/api/**")
    expect(explorer.status).to_contain_text("Compiled")
    page.evaluate("""data => window.runStream.dispatchEvent(new MessageEvent('progress', {data}))""", json.dumps(told))
    expect(explorer.run.status).to_contain_text("about 42 s left")
    explorer.run.cancel.click()


@pytest.mark.needs_server("POST /runs")
def test_a_result_is_marked_when_the_plan_moves_on(explorer: Explorer) -> None:
    explorer.run.choose_dataset("A", "karate")
    explorer.run.compare_with()
    explorer.expect_compiled()
    explorer.run.start()
    explorer.run.expect_verified()
    explorer.schedule.write("split(i, i0, i1, 8)")
    expect(explorer.run.outcome).to_contain_text("This result belongs to an earlier plan")
    explorer.run.outcome.get_by_role("button", name="Open that plan").click()
    explorer.schedule.expect_text("split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)")


def test_a_plan_that_does_not_compile_cannot_be_run(explorer: Explorer) -> None:
    explorer.schedule.write("split(k, k0, k1, 4)")
    explorer.expect_errors()
    expect(explorer.run.button).to_be_disabled()
    expect(explorer.run.pane).to_contain_text("The plan must compile before it can run")


@pytest.mark.needs_server("POST /runs")
def test_a_run_goes_on_while_the_page_is_loaded_again(explorer: Explorer, page: Page) -> None:
    explorer.run.choose_dataset("A", "west0067")
    explorer.expect_compiled()
    explorer.run.start()
    page.reload()
    explorer.wait_until_settled()
    expect(explorer.run.input_of("A")).to_have_value("dataset west0067", timeout=RUN_MILLISECONDS)
