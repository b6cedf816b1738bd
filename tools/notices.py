"""Writes frontend/public/third-party-notices.txt: whose work is shipped with Heddle, and under which licences.

``.venv/bin/python -m tools.notices`` after a change of requirements/ or frontend/package-lock.json, with everything
installed that these pin (``./heddle test lint`` does it). The page serves the file, and both wheels hold it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from tools.paths import FRONTEND, NODE_MODULES, REQUIREMENTS, ROOT
from tools.python_environment import PIN

FILE = FRONTEND / "public" / "third-party-notices.txt"
LOCK = FRONTEND / "package-lock.json"
IN_THE_IMAGE = ("runtime", "devices")
"""The requirements files whose packages an image holds."""

HEAD = """Third-party notices
===================

Heddle is free software under the MIT licence. It is shipped with the work of others, whom this file names.
Made by `python -m tools.notices` from frontend/package-lock.json and requirements/; do not edit.
"""
PAGE = """
1. The page
-----------

The page's scripts, styles and fonts contain these packages. Their licences stand at the end.
"""
IMAGE = """
2. Python packages
------------------

The wheels contain none of these: pip fetches what somebody asks for, each under its own licence. A container image
holds them all, with their licences in the folders *.dist-info of its site-packages. An image also holds Debian's
packages, whose licences lie in /usr/share/doc. Licences are named as each package's metadata does.
"""
TEXTS = """
3. Licences of the page's packages
----------------------------------
"""


@dataclass(frozen=True, slots=True)
class Shipped:
    """``text`` is the licence itself, for what is inside our own files."""

    name: str
    version: str
    licence: str
    text: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version}: {self.licence}"


def locked_of_page(lock: Path = LOCK) -> list[Shipped]:
    """What the page is built from, without what only builds or tests it."""
    packages: Mapping[str, Mapping[str, str]] = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    return [
        Shipped(path.rpartition("node_modules/")[2], package["version"], package["license"])
        for path, package in sorted(packages.items())
        if path and not package.get("dev") and not package.get("optional")
    ]


def locked_of_image() -> list[tuple[str, str]]:
    """The names and versions of the Python packages of an image for any machine."""
    pins = (
        PIN.match(line)
        for name in IN_THE_IMAGE
        for line in (REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    )
    return sorted({(pin["name"], pin["version"]) for pin in pins if pin is not None}, key=lambda pin: pin[0].lower())


def notices() -> str:
    page = [
        Shipped(one.name, one.version, one.licence, _text(NODE_MODULES / one.name, one.name))
        for one in locked_of_page()
    ]
    image = [Shipped(name, version, licence_of(name, version)) for name, version in locked_of_image()]
    return "".join((HEAD, PAGE, *_table(page), IMAGE, *_table(image), TEXTS, *_texts(page)))


def _table(packages: Sequence[Shipped]) -> Iterator[str]:
    yield "\n"
    yield from (f"- {one}\n" for one in packages)


def _texts(packages: Sequence[Shipped]) -> Iterator[str]:
    """Each text once, under the names of all packages that have it."""
    holders: dict[str, list[str]] = {}
    for one in packages:
        holders.setdefault(one.text, []).append(f"{one.name} {one.version}")
    for text, names in holders.items():
        yield f"\n### {', '.join(names)}\n\n{text}\n"


def _text(package: Path, name: str) -> str:
    files = sorted(file for file in package.iterdir() if file.name.lower().startswith(("licen", "notice")))
    if not files:
        raise SystemExit(f"{package.relative_to(ROOT)} has no licence file: what may be shipped of {name}?")
    texts = (file.read_text(encoding="utf-8-sig") for file in files)
    return "\n\n".join("\n".join(line.rstrip() for line in text.strip().splitlines()) for text in texts)


def licence_of(name: str, version: str) -> str:
    """As the metadata of an installed package say: an SPDX expression, the licence's name or its classifiers."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        raise SystemExit(f"{name} is pinned and not installed here: ./heddle test lint") from None
    if found.version != version:
        raise SystemExit(f"{name} {version} is pinned, {found.version} is installed here: ./heddle test lint")
    metadata = found.metadata
    stated = next((metadata[field] for field in ("License-Expression", "License") if field in metadata), "")
    if stated and len(stated) < 100 and "\n" not in stated:
        return stated
    classifiers = [text for text in metadata.get_all("Classifier") or () if text.startswith("License :: ")]
    return ", ".join(text.rpartition(" :: ")[2] for text in classifiers) or "see the licence files of the package"


if __name__ == "__main__":
    FILE.write_text(notices(), encoding="utf-8")
    sys.stdout.write(f"{FILE.relative_to(ROOT)}: {len(locked_of_page())} packages of the page, ")
    sys.stdout.write(f"{len(locked_of_image())} Python packages\n")
