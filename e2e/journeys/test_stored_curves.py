"""Journey: skew and roofline before anything is measured here: a stored curve that says where it comes from, and a
point that the slider moves over it (docs/sources.toml V17, V18)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from e2e.folder_host import Api
from e2e.legibility import unreadable
from e2e.pages.explorer import Explorer
from e2e.pages.palette import Palette
from e2e.pages.window import expect_measured, resize

# Texts of the figure that reach past its frame, where they are cut.
_CUT = """figure => {
  const frame = figure.getBoundingClientRect();
  return [...figure.querySelectorAll('.main-svg text')].filter(text => {
    const box = text.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  }).map(text => text.textContent);
}"""


@pytest.mark.combinations(3)
@pytest.mark.parametrize(("name", "width"), [("skew", 1440), ("skew", 1024), ("roofline", 1440)])
def test_the_slider_moves_a_point_over_the_stored_curve(
    explorer: Explorer, page: Page, name: str, width: int, api: Api
) -> None:
    resize(page, width)
    experiments = {one["id"]: one for one in api.get("/experiments")}
    experiment, stored = experiments[name], api.get(f"/experiments/{name}/stored")
    Palette(page).choose("Show the experiments")
    panel = page.get_by_role("region", name="Experiments")
    panel.get_by_role("combobox", name="Experiment").select_option(name)
    note = panel.get_by_text("Stored measurement, not of this visit:")
    expect(note.locator("..")).to_contain_text(experiment["stored"])
    expect(note.locator("..")).to_contain_text(re.compile(r"\d{4}-\d\d-\d\d"))
    expect(note.locator("..")).to_contain_text("keeps the fastest median")
    figure = panel.locator(".plot")
    expect(figure.locator(".main-svg").first).to_be_visible()
    # The curve is in sight as it opens, with its axes named in full, and what measuring takes is said.
    expect(figure).to_be_in_viewport(ratio=0.95)
    expect_measured(figure, f"figure => ({_CUT})(figure).length === 0")
    duration = r", about \d+ (s|min)" if "seconds_per_run" in experiment else "$"  # which a folder cannot know
    expect(panel.get_by_role("status").first).to_contain_text(re.compile(rf"^0 of \d+ runs{duration}"))
    assert unreadable(page) == []
    # The numbers below it are read without scrolling sideways.
    table = panel.get_by_role("group", name="Table of the experiment")
    assert table.evaluate("table => table.scrollWidth <= table.clientWidth")
    reading = panel.locator(".experiment-reading")
    handle = panel.get_by_role("slider", name=experiment["parameter"])
    labels = [point["label"] for point in sorted(experiment["points"], key=lambda one: one["value"])]
    for key, label in (("Home", labels[0]), ("End", labels[-1])):
        handle.press(key)
        expect(reading).to_contain_text(f"{experiment['parameter']} {label}: ")
        # What is known without a run moves too: the rows and what each thread gets of them, or the bytes.
        here = [point for point in experiment["points"] if point["label"] == label]
        rows = here[0]["rows"]
        if rows:
            said = f"from {min(rows):,} to {max(rows):,} nonzeros"
            expect(panel.get_by_role("img", name=f"Parts of the rows hold {said}")).to_be_visible()
            for point in here:
                for thread, count in enumerate(point["lanes"], start=1):
                    lane = panel.get_by_role("img", name=f"thread {thread}: {count:,} nonzeros", exact=True)
                    expect(lane.first).to_be_visible()
        assert here[0]["model"]
        expect(panel).to_contain_text(here[0]["model"])
        # What is read is what is stored at this value.
        read = 0
        for line in stored["data"]:
            xs = [str(x) for x in line.get("x") or []]
            if label in xs and line.get("text"):
                expect(reading).to_contain_text(f"{line['name']} {line['text'][xs.index(label)]}")
                read += 1
        assert read >= 2


def test_an_experiment_without_a_stored_curve_says_what_to_do(explorer: Explorer, page: Page, api: Api) -> None:
    listed = api.get("/experiments")
    without = next(one for one in listed if not one.get("stored"))
    Palette(page).choose("Show the experiments")
    panel = page.get_by_role("region", name="Experiments")
    panel.get_by_role("combobox", name="Experiment").select_option(without["id"])
    expect(panel).to_contain_text("No curve of this experiment is stored: press Measure here")
