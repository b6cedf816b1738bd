"""Journey: every pass over the loops is a stage with what it changed, in Stages and in each frame of the filmstrip."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer

SCHEDULE = "split(k, k0, k1, 32)\nreorder(i, k0, j, k1)\nparallelize(k1, CPUVector, NoRaces)"


@pytest.fixture
def product(explorer: Explorer) -> Explorer:
    """Columns in tiles of 32 lanes: what a full tile does and what the last one does are written apart."""
    explorer.expression.write("C(i,k) = A(i,j) * B(j,k)")
    explorer.schedule.write(SCHEDULE)
    explorer.expect_compiled()
    return explorer


def test_stages_show_each_pass_with_what_it_changed(product: Explorer) -> None:
    code = product.code
    code.show("Stages")
    apart = code.stages.filter(has_text="Separate full tiles")
    expect(apart).to_have_text(re.compile(r"\+\d+ −\d+"))
    apart.click()
    expect(apart).to_have_attribute("aria-current", "step")
    expect(code.stages_panel).to_contain_text("Moves the test for a full tile out of the loops")
    expect(code.stages_panel.locator(".code-added").first).to_be_visible()
    expect(code.stages.filter(has_text="Partial sums")).to_have_count(0)
    code.idle_passes.locator("summary").click()
    expect(code.idle_passes).to_contain_text("Partial sums")
    code.stages.filter(has_text="Loops, structured").click()
    expect(code.stages_panel).to_contain_text("same text as the stage before")


def test_a_frame_of_the_filmstrip_shows_each_pass(product: Explorer, page: Page) -> None:
    page.get_by_role("tab", name="Filmstrip").click()
    film = page.get_by_role("region", name="Filmstrip")
    frames = film.get_by_role("list", name="Steps of the schedule").get_by_role("button")
    expect(frames).to_have_count(4)
    expect(film.get_by_role("status")).to_contain_text("same result")
    film.get_by_role("button", name=re.compile("^Separate full tiles")).click()
    expect(film.get_by_role("listbox", name=re.compile("^Loops after the pass Separate full tiles"))).to_be_visible()
    expect(film).to_contain_text("passes changed nothing")
    frames.first.click()  # without lanes there are no tiles
    expect(film.get_by_role("button", name=re.compile("^Separate full tiles"))).to_have_count(0)
    expect(film.get_by_role("listbox", name=re.compile("^Code after 0 commands"))).to_be_visible()


@pytest.mark.combinations(2)
@pytest.mark.parametrize(
    ("schedule", "title"), [("unroll(j, 4)", "Partial sums"), ("prefetch(x(j), 16)", "Prefetches")]
)
def test_what_a_command_asks_of_a_pass_is_a_stage(explorer: Explorer, schedule: str, title: str) -> None:
    explorer.schedule.write(schedule)
    explorer.expect_compiled()
    explorer.code.show("Stages")
    expect(explorer.code.stages.filter(has_text=title)).to_have_count(1)
