"""Pictures of every panel at four widths, light and dark, to be looked at with one's own eyes after a change of layout.

``python -m e2e.screenshots FOLDER``, with HEDDLE_CHROMIUM as the journeys have it; ``--scene``, ``--width`` and
``--theme`` choose some of them. ``HEDDLE_FRONTEND_DIRECTORY`` shows another build of the page, to compare with.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from playwright.sync_api import Browser, Page, expect, sync_playwright

from e2e.conftest import BEEN_HERE
from e2e.pages.explorer import Explorer
from e2e.server import ROOT, Server

WIDTHS = (1440, 1280, 1024, 390)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
HEIGHT = 900

Plan = dict[str, Any]


def spmv(*schedule: str, **more: Any) -> Plan:
    return {"version": 2, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}} | {
        "schedule": schedule,
        **more,
    }


def example(start: str) -> Plan:
    (file,) = (ROOT / "backend" / "examples").glob(f"{start}*.json")
    plan: Plan = json.loads(file.read_text(encoding="utf-8"))["plan"]
    return plan


BALANCED = spmv("fuse(i, j, f)", "pos(f, fpos, A)", "split(fpos, p0, p1, 3)", "parallelize(p0, CPUThread, Atomics)")
PLAIN = spmv()
RACE = spmv("parallelize(j, CPUThread, NoRaces)")
BLOCKS = PLAIN | {"tensors": {"A": {"format": "bcsr(2,3)"}}}
MTTKRP = example("10")
SPGEMM = example("15")
GPU = example("11")
ADDITION = example("07")


def nothing(page: Page) -> None:
    """The scene is its plan and its view."""


def press(role: Literal["button", "tab"], name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role(role, name=name).first.click()


def command(name: str) -> Callable[[Page], None]:
    def choose(page: Page) -> None:
        page.keyboard.press("Control+k")
        page.keyboard.type(name)
        page.keyboard.press("Enter")

    return choose


def choose_other_plan(page: Page) -> None:
    page.get_by_text("Choose the other plan").click()


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: what is opened, and what is done there."""

    plan: Plan
    view: dict[str, Any] = field(default_factory=dict)
    act: Callable[[Page], None] = nothing

    @property
    def address(self) -> str:
        return "/#j1." + quote(json.dumps(self.plan | {"view": self.view}))


def understand(plan: Plan, tab: str, **view: str) -> Scene:
    return Scene(plan, {"understand": tab, "front": "understand", **view})


def code(plan: Plan, tab: str) -> Scene:
    return Scene(plan, {"code": tab, "front": "code"})


def compared(tab: str, act: Callable[[Page], None] = nothing) -> Scene:
    plan = BALANCED | {"compare": PLAIN | {"name": "No schedule"}}
    return Scene(plan, {"compare": tab, "front": "understand"}, act)


SCENES = {
    "define": Scene(BALANCED),
    "define-empty": Scene(PLAIN),
    "define-race": Scene(RACE),
    "define-rows": Scene(BALANCED, {"schedule": "rows"}),
    "define-next": Scene(PLAIN, {"next": True}),
    "define-blocks": Scene(BLOCKS),
    "define-spgemm": Scene(SPGEMM),
    "graphs": understand(BALANCED, "graphs"),
    "graphs-plain": understand(PLAIN, "graphs"),
    "graphs-mttkrp": understand(MTTKRP, "graphs"),
    "graphs-spgemm": understand(SPGEMM, "graphs"),
    "graphs-gpu": understand(GPU, "graphs"),
    "iteration": understand(SPGEMM, "iteration"),
    "provenance": understand(SPGEMM, "provenance"),
    "provenance-plain": understand(PLAIN, "provenance"),
    "provenance-numbers": Scene(
        BALANCED, {"understand": "provenance", "front": "understand"}, press("button", "Numbers")
    ),
    "space": understand(BALANCED, "space"),
    "space-compare": understand(BALANCED, "space", space="compare"),
    "space-cuts": understand(BALANCED, "space", space="cuts"),
    "space-workers": understand(BALANCED, "space", space="workers"),
    "space-writes": understand(BALANCED, "space", space="writes"),
    "space-gpu": understand(GPU, "space", space="workers"),
    "lattice": understand(ADDITION, "lattice"),
    "storage": understand(PLAIN, "storage", storage="A"),
    "storage-blocks": understand(BLOCKS, "storage", storage="A"),
    "storage-tensor": understand(MTTKRP, "storage", storage="B"),
    "filmstrip": understand(SPGEMM, "filmstrip"),
    "filmstrip-gpu": understand(GPU, "filmstrip"),
    "code": code(BALANCED, "target"),
    "code-spgemm": code(SPGEMM, "target"),
    "code-gpu": code(GPU, "target"),
    "loops": code(BALANCED, "structured"),
    "loops-flat": code(BALANCED, "flat"),
    "stages": code(BALANCED, "stages"),
    "run": Scene(BALANCED, {"front": "run"}),
    "run-results": Scene(BALANCED, {"front": "run", "run": "results"}),
    "run-experiments": Scene(BALANCED, {"front": "run", "run": "experiments"}),
    "compare": compared("summary"),
    "compare-graphs": compared("graphs"),
    "compare-code": compared("code"),
    "compare-choose": compared("summary", choose_other_plan),
    "presentation": Scene(BALANCED, {"present": True}),
    "share": Scene(BALANCED, act=press("button", "Share")),
    "examples": Scene(BALANCED, act=press("button", "Examples")),
    "history": Scene(BALANCED, act=command("History of changes")),
    "keys": Scene(BALANCED, act=command("Keyboard")),
    "palette": Scene(BALANCED, act=lambda page: page.keyboard.press("Control+k")),
    "tour": Scene(PLAIN, act=command("tour")),
}


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m e2e.screenshots", description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--scene", nargs="*", default=list(SCENES), choices=SCENES, metavar="SCENE")
    arguments.add_argument("--width", nargs="*", type=int, default=list(WIDTHS))
    arguments.add_argument("--theme", nargs="*", default=list(THEMES), choices=THEMES)
    chosen = arguments.parse_args()
    with (
        tempfile.TemporaryDirectory() as data,
        Server(Path(data)) as server,
        sync_playwright() as playwright,
    ):
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=os.environ["HEDDLE_CHROMIUM"], args=sandbox)
        for width in chosen.width:
            for theme in chosen.theme:
                for page, name in pages(browser, server.url, width, theme, chosen.scene):
                    page.screenshot(path=chosen.folder / f"{name}-{width}-{theme}.png")
        browser.close()


def pages(
    browser: Browser, url: str, width: int, theme: Literal["light", "dark"], names: list[str]
) -> Iterator[tuple[Page, str]]:
    """The page as it stands in each scene."""
    context = browser.new_context(
        base_url=url, viewport={"width": width, "height": HEIGHT}, color_scheme=theme, reduced_motion="reduce"
    )
    context.add_init_script(BEEN_HERE)
    for name in names:
        scene = SCENES[name]
        page = context.new_page()
        page.goto(scene.address)
        Explorer(page).wait_until_settled()
        scene.act(page)
        expect(page.get_by_text("Loading…")).to_have_count(0)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(300)  # layouts are computed in a worker, and nothing says that they are drawn
        yield page, name
        page.close()
    context.close()


if __name__ == "__main__":
    main()
