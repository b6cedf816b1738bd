"""A Chromium for the end-to-end tests. Playwright's own download is not needed: any Chromium or Chrome will do."""

from __future__ import annotations

import os
import shutil

from tools.lock import setup_lock
from tools.progress import SetupError, run

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
APPLICATIONS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


def ensure_browser() -> str:
    """The path of a browser; installs Debian's where this user may. Raises SetupError with what to install."""
    if found := _find():
        return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        with setup_lock():
            advice = "The end-to-end tests need a Chromium; install one, or set HEDDLE_CHROMIUM to its path."
            quiet = {"DEBIAN_FRONTEND": "noninteractive"}
            run("Reading Debian's package lists", ["apt-get", "update"], environment=quiet, advice=advice)
            run(
                "Installing Chromium for the end-to-end tests (apt-get, about 350 MB)",
                ["apt-get", "install", "--yes", "--no-install-recommends", "chromium", "fonts-dejavu-core"],
                environment=quiet,
                advice=advice,
            )
        if found := _find():
            return found
    raise SetupError(
        "the end-to-end tests need Chromium or Chrome, and none is on the PATH.\n"
        "        Install one (Debian: apt-get install chromium), or set HEDDLE_CHROMIUM to the path of one."
    )


def _find() -> str | None:
    chosen = os.environ.get("HEDDLE_CHROMIUM")
    if chosen:
        if not shutil.which(chosen):
            raise SetupError(f"HEDDLE_CHROMIUM is {chosen!r}, which is no program that can be started")
        return chosen
    candidates = (shutil.which(name) for name in (*NAMES, *APPLICATIONS))
    return next((path for path in candidates if path), None)
