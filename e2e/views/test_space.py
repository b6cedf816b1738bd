"""Journey: the iteration space of a schedule, step by step; cuts, workers and writes by number."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from e2e.folder_host import Api
from e2e.pages.explorer import Explorer
from e2e.pages.space import Space

BALANCED = "fuse(i, j, f)\npos(f, p, A)\nsplit(p, p0, p1, 3)\nparallelize(p0, CPUThread, Atomics)"
NONZEROS = [[0, 0], [0, 2], [2, 0], [2, 3], [2, 5], [3, 1], [3, 4]]


@pytest.fixture
def space(explorer: Explorer, page: Page) -> Space:
    explorer.schedule.write(BALANCED)
    explorer.expect_compiled()
    space = Space(page)
    space.open()
    return space


def trace_of(api: Api) -> dict[str, Any]:
    plan = {
        "version": 1,
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": "csr"}},
        "schedule": BALANCED.split("\n"),
    }
    return dict(api.post("/trace", {"plan": plan}))


def test_the_order_on_the_page_is_that_of_the_trace(space: Space, page: Page, api: Api) -> None:
    visits = [step["visit"] for step in trace_of(api)["steps"] if step["visit"] is not None]
    assert [[visit["i"], visit["j"]] for visit in visits] == NONZEROS
    shown = [[int(cell) for cell in row[1:3]] for row in space.points()]
    assert shown == NONZEROS
    for number, (i, j) in enumerate(NONZEROS, start=1):
        space.step()
        expect(space.status).to_contain_text(f"{number} of 7 points visited, now at i = {i}, j = {j}.")
    space.to_end()
    expect(space.status).to_contain_text("7 of 7 points visited")


def test_the_keyboard_moves_the_step_and_play_ends_at_the_end(space: Space, page: Page) -> None:
    space.slider.focus()
    page.keyboard.press("End")
    expect(space.status).to_have_attribute("data-visited", "7")
    page.keyboard.press("Home")
    expect(space.status).to_have_attribute("data-visited", "0")
    space.panel.get_by_label("Speed").select_option("60")
    space.panel.get_by_role("button", name="Play").press("Enter")
    expect(space.status).to_have_attribute("data-visited", "7")
    expect(space.panel.get_by_role("button", name="Play")).to_be_visible()


def test_cuts_give_the_loads_of_the_running_example(space: Space, explorer: Explorer) -> None:
    space.show("Cuts")
    cut = space.panel.get_by_label("Cut", exact=True)
    size = space.panel.get_by_role("slider", name=" in split(p, p0, p1, ")
    expect(space.status).to_have_attribute("data-loads", "3 3 1")
    expect(space.status).to_contain_text("i = 2, 3 are split across tiles")
    # Tiles of positions are as equal as whole entries allow.
    for place, tile in enumerate((1, 2, 3, 4, 6)):
        size.fill(str(place))
        explorer.schedule.expect_text(BALANCED.replace("p1, 3", f"p1, {tile}"))
        loads = [min(tile, 7 - start) for start in range(0, 7, tile)]
        expect(space.status).to_have_attribute("data-loads", " ".join(map(str, loads)))
        ratio = max(loads) * len(loads) / 7
        expect(space.status).to_contain_text(f"max / mean {ratio:.2f}.")
        assert ratio <= 1 + tile * len(loads) / 7
    size.fill("1")
    for choice, loads in (("coordinates of i", "2 5"), ("coordinates of j", "3 2 2")):
        cut.select_option(label=choice)
        expect(space.status).to_have_attribute("data-loads", loads)
    real = space.panel.locator("[data-nonzeros]")
    expect(real).to_have_attribute("data-nonzeros", "83883")
    space.panel.get_by_role("button", name="Step through its densest block").click()
    space.show("Order")
    space.expect_ready()
    expect(space.status).not_to_contain_text("of 7 points")
    expect(space.panel).to_contain_text("its block of 32 × 32 at")


def test_the_work_of_the_lanes_adds_up(space: Space) -> None:
    space.show("Workers")
    expect(space.status).to_have_attribute("data-total", "7")
    expect(space.status).to_have_attribute("data-idle", f"{1 - 7 / 3 / 3:.4f}")
    expect(space.status).to_contain_text("y(2), y(3)")
    expect(space.panel.get_by_role("list", name="Lanes").get_by_role("listitem")).to_have_count(3)
    space.panel.get_by_label("Threads").fill("2")
    expect(space.status).to_have_attribute("data-total", "7")
    expect(space.panel.get_by_text("A model:")).to_be_visible()


def test_writes_and_atomics_are_those_of_the_trace(space: Space, page: Page, api: Api) -> None:
    trace = trace_of(api)
    space.show("Writes")
    expect(space.status).to_have_attribute("data-stores", str(trace["stores"]))
    expect(space.status).to_have_attribute("data-atomics", str(trace["atomics"]))
    for step in trace["steps"]:
        if step["store"] is not None:
            expect(space.cell(step["store"]["index"], step["worker"]["p0"])).to_have_attribute("data-atomics", "1")
    expect(space.cell(1, 0)).to_have_text("")


def test_before_and_after_a_command(space: Space) -> None:
    space.show("Before / after")
    space.to_end()
    for side in ("Before", "After"):
        expect(space.panel.get_by_role("figure", name=side, exact=True)).to_contain_text(f"{side}: 7 of 7 points")


def test_a_tensor_of_order_three_is_shown_in_slices(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("")
    explorer.expression.write("C(i,j) = T(i,j,k) * v(k)")
    explorer.expect_compiled()
    explorer.formats.choose("T", "csf")
    explorer.expect_compiled()
    space = Space(page)
    space.open()
    space.choose_data("Scattered, 8 × 8 × 8")
    expect(space.panel.locator(".space-grid figcaption")).to_have_count(8)
    expect(space.status).to_contain_text("0 of 40 points visited")
    space.to_end()
    expect(space.status).to_contain_text("40 of 40 points visited")


def test_a_64_by_64_matrix_has_all_its_points(space: Space) -> None:
    space.choose_data("Scattered, 64 × 64")
    space.expect_ready()
    expect(space.status).not_to_contain_text("of 7 points")
    nonzeros = (space.status.text_content() or "").split("A has ")[1].split()[0]
    space.to_end()
    expect(space.status).to_contain_text(f"{nonzeros} of {nonzeros} points visited")
