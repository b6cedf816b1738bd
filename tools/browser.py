"""A Chromium for the end-to-end tests. Playwright's own download is not needed: any Chromium or Chrome is used."""

from __future__ import annotations

import os
import shutil
import subprocess

from tools.lock import setup_lock
from tools.progress import SetupError, run

# Without windows: a page takes half the processor time that it takes a whole browser.
HEADLESS_NAMES = ("chromium-headless-shell", "chrome-headless-shell", "headless_shell")
NAMES = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)

ADVICE = "The end-to-end tests need a Chromium; install one, or set HEDDLE_CHROMIUM to its path."


def ensure_browser() -> str:
    """The path of a browser that can show itself; installs Debian's where this user may.

    Raises
    ------
    SetupError
        there is none, with what to install.
    """
    return _found_or_installed(NAMES, ("chromium", 350))


def ensure_headless_browser() -> str:
    """The path of the quickest browser that there is; where there is none, one without windows is installed.

    Raises
    ------
    SetupError
        there is none, with what to install.
    """
    return _found_or_installed((*HEADLESS_NAMES, *NAMES), ("chromium-headless-shell", 220), ("chromium", 350))


def _found_or_installed(names: tuple[str, ...], *packages: tuple[str, int]) -> str:
    """The first of ``names`` that is there, else the first of ``packages`` (and their megabytes) that Debian has."""
    if found := _find(names):
        return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        with setup_lock("browser"):
            run("Reading Debian's package lists", ["apt-get", "update"], environment=quiet, advice=ADVICE)
            package, megabytes = next((one for one in packages if _has(one[0])), packages[-1])
            run(
                f"Installing {package} for the end-to-end tests (apt-get, about {megabytes} MB)",
                ["apt-get", "install", "--yes", "--no-install-recommends", package, "fonts-dejavu-core"],
                environment=quiet,
                advice=ADVICE,
            )
        if found := _find(names):
            return found
    raise SetupError(
        "the end-to-end tests need Chromium or Chrome, and none is on the PATH.\n"
        "        Install one (Debian: apt-get install chromium), or set HEDDLE_CHROMIUM to the path of one."
    )


def _has(package: str) -> bool:
    """Whether the lists of Debian's packages have this one: a release may be older than it."""
    command = ["apt-cache", "show", package]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def _find(names: tuple[str, ...]) -> str | None:
    chosen = os.environ.get("HEDDLE_CHROMIUM")
    if chosen:
        if not shutil.which(chosen):
            raise SetupError(f"HEDDLE_CHROMIUM is {chosen!r}, which is not a program that can be started")
        return chosen
    candidates = (shutil.which(name) for name in names)
    return next((path for path in candidates if path), None)
