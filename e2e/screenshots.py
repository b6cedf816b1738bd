"""Pictures of every panel at four sizes, light, dark and in forced colours, to be looked at with one's own
eyes after a change of layout.

``python -m e2e.screenshots FOLDER``, with HEDDLE_CHROMIUM as the journeys have it; ``--scene``, ``--width`` and
``--theme`` choose some of them. ``HEDDLE_FRONTEND_DIRECTORY`` shows another build of the page, to compare with.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from e2e.conftest import BEEN_HERE
from e2e.scenes import SCENES
from e2e.server import Server

HEIGHTS = {1440: 900, 1280: 720, 1024: 768, 390: 844}
"""Of the windows, by their widths: two laptops, a tablet and a phone."""
Theme = Literal["light", "dark", "forced"]
THEMES: tuple[Theme, ...] = ("light", "dark", "forced")
"""``forced``: the few colours that a person has chosen for everything."""


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m e2e.screenshots", description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--scene", nargs="*", default=list(SCENES), choices=SCENES, metavar="SCENE")
    arguments.add_argument("--width", nargs="*", type=int, default=list(HEIGHTS), choices=HEIGHTS)
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


def pages(browser: Browser, url: str, width: int, theme: Theme, names: list[str]) -> Iterator[tuple[Page, str]]:
    """The page as it stands in each scene."""
    context = browser.new_context(
        base_url=url,
        viewport={"width": width, "height": HEIGHTS[width]},
        color_scheme="dark" if theme == "dark" else "light",
        forced_colors="active" if theme == "forced" else "none",
        reduced_motion="reduce",
    )
    context.add_init_script(BEEN_HERE)
    for name in names:
        scene = SCENES[name]
        page = context.new_page()
        scene.open(page)
        yield page, name
        page.close()
    context.close()


if __name__ == "__main__":
    main()
