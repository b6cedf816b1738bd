"""One definition of a ratio: table, words, chart, list of results, shell and JSON say the same, or all that the run was
noisy. What a run measures is chance, so contradictions are put into a link's answer, and the service's own rule judges
them."""

from __future__ import annotations

import json
import re
from typing import Any, cast

import pytest
from playwright.sync_api import Page, Route, expect

from e2e.pages.explorer import Explorer
from heddle.measuring.verdicts import conclude
from heddle_server.command_line.result_table import result_table
from heddle_server.schema.run import RunResult

# Of every bar of the figure: name and speed relative to the baseline, at which bars start.
_BARS = """() => Object.fromEntries(
  [...document.querySelectorAll('.figures .js-plotly-plot')].flatMap(plot => plot.data)
    .filter(bar => bar.type === 'bar').map(bar => [bar.name, 1 + bar.x[0]])
)"""


@pytest.fixture
def link(explorer: Explorer) -> str:
    """Of a run beside SciPy, which the page shows."""
    explorer.run.choose_dataset("A", "karate")
    explorer.run.compare_with("SciPy")
    explorer.expect_compiled()
    explorer.run.start()
    explorer.run.expect_verified()
    return explorer.share.make_link()


def stored(page: Page, link: str) -> dict[str, Any]:
    answer = page.request.get(f"/api/v1/links/{link.rsplit('/', 1)[1]}")
    assert answer.ok
    return dict(answer.json()["run"]["result"])


def number_before_times(text: str) -> float:
    found = re.search(r"([\d.,\u202f]+) ×", text)
    assert found is not None, text
    return float(found[1].replace("\u202f", "").replace(",", ""))


@pytest.mark.needs_server("POST /runs")
def test_all_places_show_one_ratio(explorer: Explorer, page: Page, link: str) -> None:
    page.keyboard.press("Escape")
    result = stored(page, link)
    ours = result["entries"][0]["median_ns"]
    table = result_table(result)
    explorer.run.open_figures()
    expect(explorer.run.plot).to_be_visible()
    bars = page.evaluate(_BARS)
    others = [entry for entry in result["entries"] if entry["ratio_to_heddle"]]
    assert {entry["id"] for entry in others} == {"unscheduled", "scipy"}
    for entry in others:
        ratio = entry["ratio_to_heddle"]
        assert ratio["value"] == pytest.approx(entry["median_ns"] / ours)
        row = explorer.run.row(entry["label"])
        expect(row).to_contain_text(ratio["statement"])
        assert number_before_times(row.get_by_role("cell").nth(2).inner_text()) == pytest.approx(
            ratio["value"], rel=0.01, abs=0.005
        )
        assert bars["Heddle"] / bars[entry["label"]] == pytest.approx(ratio["value"])
        assert f"{ratio['value']:.2f} × ({ratio['low']:.2f} to {ratio['high']:.2f}): {ratio['statement']}" in table
    explorer.run.pane.get_by_role("tab", name="All results").click()
    cells = page.get_by_role("region", name="All results").locator("tbody tr").first
    (scipy,) = [entry["ratio_to_heddle"]["value"] for entry in others if entry["id"] == "scipy"]
    listed = [float(one) for one in re.findall(r"([\d.]+) ×", cells.inner_text())]
    assert any(one == pytest.approx(scipy, rel=0.01, abs=0.005) for one in listed), listed


@pytest.mark.needs_server("POST /runs")
def test_what_contradicts_itself_is_noisy_else_it_says_who_is_slower(explorer: Explorer, page: Page, link: str) -> None:
    page.keyboard.press("Escape")
    measured = stored(page, link)
    for known in ("conclusion", "control", "load", "judged_by"):
        measured.pop(known, None)

    def scipy_takes(times: float, paired: float) -> RunResult:
        """The result with SciPy's median and its ratio by rounds as they might have been, judged by the service."""
        unknown = ("control", "flagged", "flagged_share")
        ours, *others = (
            {key: value for key, value in entry.items() if key not in unknown} for entry in measured["entries"]
        )
        middle = ours["median_ns"]
        for entry in (ours, *others):
            value = times if entry["id"] == "scipy" else 1.0
            spread = {"median_ns": value * middle, "low_ns": 0.99 * value * middle, "high_ns": 1.01 * value * middle}
            ratio = {"value": paired, "low": paired, "high": paired, "verdict": "slower"}  # as it was stored before
            if entry["id"] != "scipy":
                ratio |= {"value": 1.0, "low": 1.0, "high": 1.0}
            entry |= spread | {"ratio_to_heddle": None if entry is ours else ratio}
        return conclude(cast(RunResult, {**measured, "entries": [ours, *others]}))

    answers: list[RunResult] = []

    def altered(route: Route) -> None:
        answer = route.fetch()
        body: dict[str, Any] = answer.json()
        body["run"]["result"] = answers[-1]
        route.fulfill(response=answer, body=json.dumps(body))

    page.route("**/api/v1/links/*", altered)
    run = explorer.run
    answers.append(scipy_takes(0.22, 0.22))
    explorer.open(link)
    expect(run.row("SciPy")).to_contain_text("Heddle takes 4.5 times as long as SciPy")
    # The figure is still that of the run, which may have been noisy.
    expect(run.outcome.get_by_role("note").filter(has_text="not conclusive")).to_have_count(0)

    answers.append(scipy_takes(0.22, 0.58))
    explorer.open(link)
    noise = run.outcome.get_by_role("note").filter(has_text="not conclusive.")
    expect(noise).to_contain_text(re.compile(r"^Heddle \d.*, SciPy \d"))
    expect(run.timings.get_by_role("row").last).to_be_in_viewport(ratio=1)
    expect(noise.get_by_text("by the medians")).to_be_hidden()
    noise.get_by_text("Why?").click()
    expect(noise.get_by_text("by the medians")).to_be_visible()
    expect(noise).to_contain_text(
        "SciPy takes 0.22 times as long as Heddle by the medians, but 0.58 times round by round."
    )
    expect(noise).to_be_in_viewport()
    expect(run.row("SciPy")).to_contain_text("Noisy: not conclusive")
    expect(run.row("SciPy")).not_to_contain_text("times as long")
    noise.get_by_role("button", name="Measure again").click()
    expect(run.cancel).to_be_visible()
    run.cancel.click()
    expect(run.cancel).to_be_hidden()
