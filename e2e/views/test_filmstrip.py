"""Journey: fold the schedule back to any step; every frame runs and gives the same result (docs/sources.toml V8)."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from e2e.pages.explorer import Explorer

SCHEDULE = "fuse(i, j, f)\npos(f, fpos, A)\nsplit(fpos, p0, p1, 4)\nparallelize(p0, CPUThread, Atomics)"


def test_every_frame_runs_and_gives_the_same_result(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write(SCHEDULE)
    explorer.expect_compiled()
    page.get_by_role("tab", name="Filmstrip").click()
    film = page.get_by_role("region", name="Filmstrip")
    frames = film.get_by_role("list", name="Steps of the schedule").get_by_role("button")
    expect(frames).to_have_count(5)
    for number in range(5):
        frames.nth(number).click()
        expect(film.get_by_role("status")).to_contain_text("same result")
    expect(film.get_by_role("status")).to_contain_text("atomics")
    page.keyboard.press("Home")
    expect(frames.first).to_have_attribute("aria-current", "step")
    page.keyboard.press("ArrowRight")
    expect(frames.nth(1)).to_be_focused()
    expect(film.get_by_role("button", name="Loop 1: f")).to_be_visible()
    film.get_by_role("button", name="Fold the schedule back").click()
    explorer.schedule.expect_text("fuse(i, j, f)\n" + "\n".join(f"# {line}" for line in SCHEDULE.split("\n")[1:]))
    expect(frames).to_have_count(2)
