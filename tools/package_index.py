"""What the package index says of a release: the digests of the files that ``./heddle`` may install of it."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Mapping, Sequence
from typing import TypedDict

from packaging.tags import Tag
from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, parse_sdist_filename, parse_wheel_filename
from packaging.version import Version

INDEX = "https://pypi.org/simple"
PYTHONS = ("11", "12", "13", "14")
"""The minor versions of Python 3 that Heddle runs on."""

PLATFORMS = re.compile(r"any|(?:many|musl)?linux.*_(?:x86_64|aarch64)|macosx_.*")
"""Where ``./heddle`` sets itself up. On Windows people install the wheels with pip."""


class IndexFile(TypedDict):
    """A file in an answer of the index (PEP 691), as far as it is read here."""

    filename: str
    hashes: Mapping[str, str]


def digests(name: str, version: str) -> list[str]:
    """Of the files of a release that ``./heddle`` may install somewhere, sorted: ``sha256:…``."""
    request = urllib.request.Request(
        f"{INDEX}/{re.sub(r'[-_.]+', '-', name).lower()}/",
        headers={"Accept": "application/vnd.pypi.simple.v1+json", "User-Agent": "heddle-pins"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return chosen(json.load(answer)["files"], version)


def chosen(files: Sequence[IndexFile], version: str) -> list[str]:
    """Of all files of a package those of one version: its source, and wheels for the Pythons and platforms above.

    Raises
    ------
    LookupError
        There is none, or the index does not tell its SHA-256.
    """
    wanted = [file for file in files if _release(file["filename"]) == Version(version) and installs(file["filename"])]
    if not wanted or any("sha256" not in file["hashes"] for file in wanted):
        raise LookupError(f"the index has no file of version {version} with a SHA-256")
    return sorted(f"sha256:{file['hashes']['sha256']}" for file in wanted)


def installs(filename: str) -> bool:
    """Whether pip would take this file on a machine that ``./heddle`` is for."""
    try:
        _, _, _, tags = parse_wheel_filename(filename)
    except InvalidWheelFilename:
        return _release(filename) is not None
    return any(_fits(tag) for tag in tags)


def _fits(tag: Tag) -> bool:
    python = re.fullmatch(r"(py|cp)3(\d*)", tag.interpreter)
    if python is None or PLATFORMS.fullmatch(tag.platform) is None:
        return False
    if tag.abi in {"none", "abi3"} and (python[1] == "py" or tag.abi == "abi3"):
        return int(python[2] or 0) <= int(PYTHONS[-1])  # this version and later ones
    return python[2] in PYTHONS and tag.abi in {"none", f"cp3{python[2]}"}


def _release(filename: str) -> Version | None:
    try:
        return parse_wheel_filename(filename)[1]
    except InvalidWheelFilename:
        pass
    try:
        return parse_sdist_filename(filename)[1]
    except InvalidSdistFilename:
        return None
