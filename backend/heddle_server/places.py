"""Where the service finds its page and its lessons, and keeps what it is given: in an installation and in a checkout.

A wheel has the page and the lessons inside the package (``./heddle package`` puts them there); in a checkout they have
folders of their own.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path

import heddle

PACKAGE = Path(str(files("heddle_server"))).resolve()
COMPILER = Path(heddle.__file__).resolve().parent
SHIPPED = PACKAGE / "shipped"
"""What only a wheel has."""

_CHECKOUT = PACKAGE.parents[1]
INSTALLED = SHIPPED.is_dir()
PAGE = SHIPPED / "page" if INSTALLED else _CHECKOUT / "frontend" / "dist"
DOCUMENTS = SHIPPED / "docs" if INSTALLED else _CHECKOUT / "build" / "docs"
"""The documents as a site, where it is built."""
LESSONS = SHIPPED / "lessons" if INSTALLED else _CHECKOUT / "lessons"


def import_folders(packages: tuple[Path, ...], known: frozenset[Path]) -> tuple[Path, ...]:
    """Where Python finds these packages, of folders that it does not know by itself."""
    return tuple(dict.fromkeys(folder for package in packages if (folder := package.parent) not in known))


IMPORT_FOLDERS = import_folders(
    (COMPILER, PACKAGE), frozenset(Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib"))
)
"""What a process of our own is told, which does not know of its user's packages."""


def default_data_directory() -> Path:
    """Where runs, links and uploads are kept where nobody says it: in a checkout ``.heddle`` of the current folder."""
    return user_data(sys.platform, os.environ, Path.home) if INSTALLED else Path(".heddle")


def user_data(platform: str, environment: Mapping[str, str], home: Callable[[], Path]) -> Path:
    """Where the programs of a user keep data, by the XDG rules, on macOS and Windows by theirs; for a user without a
    home ``.heddle`` of the current folder."""
    xdg = environment.get("XDG_DATA_HOME", "")
    if Path(xdg).is_absolute():  # others are to be ignored, the rules say
        return Path(xdg) / "heddle"
    try:
        match platform:
            case "win32":
                return Path(environment.get("LOCALAPPDATA") or home() / "AppData" / "Local") / "heddle" / "data"
            case "darwin":
                return home() / "Library" / "Application Support" / "heddle"
            case _:
                return home() / ".local" / "share" / "heddle"
    except RuntimeError:
        return Path(".heddle")
