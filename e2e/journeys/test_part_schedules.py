"""Journey: a schedule over the parts of an operand, written with completion; and on a GPU, its launches before and
after all parts were put into one."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

from playwright.sync_api import Page, expect

from e2e.accessibility import violations
from e2e.pages.explorer import Explorer
from e2e.pages.palette import Palette
from e2e.pages.window import resize

SPMM = {"expression": "C(i,k) = A(i,j) * B(j,k)", "tensors": {"A": {"format": "hyb(2,1)"}}, "target": "opencl"}
ON_GPU = [
    "A[*]: pos(i, p, A)",
    "A[*]: split(p, b, y, 8 * (widest / width))",
    "A[*]: split(k, k0, k1, 64)",
    "A[*]: split(k1, k2, k3, 2)",
    "A[*]: reorder(b, k0, y, k2, k3, j)",
    "A[*]: parallelize(y, GPUWarp, Atomics)",
    "A[*]: parallelize(k2, GPUThread, NoRaces)",
    "concat(grid, A[*])",
    "parallelize(grid, GPUBlock, IgnoreRaces)",
]


def test_a_command_for_all_parts_is_completed(explorer: Explorer, page: Page) -> None:
    explorer.schedule.write("")
    explorer.formats.write_levels("A", "hyb(1,1)")
    explorer.expect_compiled()
    box = explorer.schedule.box
    offered = page.locator(".cm-tooltip-autocomplete")

    def choose(label: str) -> None:
        """The option of the open list, by the mouse."""
        offered.get_by_role("option", name=re.compile(rf"^{re.escape(label)}")).first.click()

    # Parts in front of a command, then the command, its variable and the constants of a part.
    box.click()
    box.press_sequentially("A", delay=20)
    choose("A[*]:")
    explorer.schedule.expect_text("A[*]: ")
    box.press_sequentially("spl", delay=20)
    choose("split")
    explorer.schedule.expect_text("A[*]: split(")
    box.press_sequentially("i", delay=20)
    expect(offered.get_by_role("option", name=re.compile("^i"))).to_have_count(1)
    choose("i")
    box.press_sequentially(", i0, i1, 4 * ", delay=20)
    page.keyboard.press("Escape")
    box.press_sequentially("widest / wi", delay=20)
    for _ in range(5):  # A list that is just being replaced takes no click.
        if "/ width" not in box.inner_text():
            page.keyboard.press("Control+Space")
            choose("width")
    page.keyboard.press("Escape")
    box.press_sequentially(")", delay=20)
    explorer.schedule.expect_text("A[*]: split(i, i0, i1, 4 * widest / width)")
    explorer.expect_compiled()
    expect(explorer.code.text).to_contain_text("i0_ell1")
    expect(explorer.code.text).to_contain_text("i0_ell2")

    # What one part refuses is refused for all, with the part and the repair that selects the others.
    explorer.schedule.write("A[*]: split(i, i0, i1, 8)\nshare(i0, A[*])\nparallelize(i0, CPUThread, NoRaces)")
    explorer.expect_compiled()
    expect(explorer.code.text).to_contain_text("#pragma omp parallel for")
    explorer.schedule.write("A[ell4]: split(i, i0, i1, 8)")
    expect(explorer.schedule.problems).to_contain_text("A has no part ell4. Its parts are ell1, ell2")
    explorer.schedule.fix("Write A[ell")
    explorer.expect_compiled()
    assert violations(page) == []


def test_launches_before_and_after_fusion(visitor: Explorer, page: Page) -> None:
    page.goto(f"/#j1.{quote(json.dumps({**SPMM, 'schedule': ON_GPU}))}")
    visitor.wait_until_settled()
    Palette(page).choose("Show Generated code")
    page.locator(".launches summary").first.click()
    fusion = page.get_by_role("region", name="Before and after fusion")
    expect(fusion).to_contain_text("Separate: 2 launches")
    expect(fusion).to_contain_text("Fused: 1 launch")
    bars = fusion.get_by_role("img")
    names = [bar.get_attribute("aria-label") or "" for bar in bars.all()]
    separate = [name for name in names if " of ell" in name]
    assert len(separate) == 2
    (fused,) = (name for name in names if " of " not in name)

    def points(name: str) -> list[int]:
        return [int(number) for number in name.partition(" with ")[2].removesuffix(" points").split(", ")]

    assert points(fused) == [number for name in separate for number in points(name)]
    assert len(points(fused)) == 2
    expect(fusion).to_contain_text(
        "The case chain of the one launch: block 0 goes through ell1, block 1 goes through ell2."
    )
    expect(fusion).to_contain_text("Both have the same blocks with the same work on the running example")
    fusion.get_by_text("The schedule of the separate launches").click()
    expect(fusion.locator("pre")).to_contain_text("parallelize(b_ell2, GPUBlock, IgnoreRaces)")
    for scheme, width in (("light", 1440), ("dark", 320)):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        resize(page, width)
        Palette(page).choose("Show Generated code")
        launches = page.locator("details.launches").first
        expect(launches).to_be_visible()
        launches.evaluate("one => { one.open = true; }")  # The other layout has made the panel anew, and closed.
        expect(fusion).to_contain_text("Fused: 1 launch")
        assert violations(page) == []
