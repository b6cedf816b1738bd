"""The pinned Pyodide: of the page's npm packages in a checkout, else fetched once into the user's cache."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import shutil
import sys
import tarfile
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from heddle_server.places import INSTALLED, PACKAGE

VERSION = "0.27.7"
ADDRESS = f"https://registry.npmjs.org/pyodide/-/pyodide-{VERSION}.tgz"
INTEGRITY = "sha512-RUSVJlhQdfWfgO9hVHCiXoG+nVZQRS5D9FzgpLJ/VcgGBLSAKoPL8kTiOikxbHQm1kRISeWUBdulEgO26qpSRA=="
"""Of the archive, as the page's package-lock.json has it."""
LIBRARY = "python_stdlib.zip"
FILES = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", LIBRARY, "pyodide-lock.json")
"""What a browser loads of it."""
NUMPY = PACKAGE / "static" / "vendor" / "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl"
_MODULES = PACKAGE.parents[1] / "frontend" / "node_modules" / "pyodide"
SECONDS = 120


class MissingPyodideError(Exception):
    """Pyodide is not here and cannot be had; the text is for a person."""


def pyodide_folder(registry: str = ADDRESS) -> Path:
    """A folder with ``FILES`` of the pinned version. Raises MissingPyodideError."""
    if not INSTALLED:
        if _version_in(_MODULES) != VERSION:
            raise MissingPyodideError(
                f"{_MODULES} does not hold Pyodide {VERSION}. Run npm ci in frontend/, then this again."
            )
        return _MODULES
    folder = user_cache(sys.platform, os.environ) / f"pyodide-{VERSION}"
    if _version_in(folder) != VERSION:
        unpack(fetch(registry), folder)
    return folder


def user_cache(platform: str, environment: Mapping[str, str]) -> Path:
    """Where programs of a user keep what they can fetch again."""
    xdg = environment.get("XDG_CACHE_HOME", "")
    if Path(xdg).is_absolute():
        return Path(xdg) / "heddle"
    match platform:
        case "win32":
            return Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "heddle" / "cache"
        case "darwin":
            return Path.home() / "Library" / "Caches" / "heddle"
        case _:
            return Path.home() / ".cache" / "heddle"


def fetch(address: str) -> bytes:
    """The archive behind ``address``, whose hash is the pinned one. Raises MissingPyodideError."""
    try:
        with urllib.request.urlopen(address, timeout=SECONDS) as answer:
            archive: bytes = answer.read()
    except (urllib.error.URLError, OSError) as error:
        raise MissingPyodideError(
            f"Pyodide {VERSION}, the browser's Python, is fetched once from {address}, which cannot be reached: "
            f"{error}. Run this again where there is a network; afterwards none is needed."
        ) from None
    digest = "sha512-" + base64.b64encode(hashlib.sha512(archive).digest()).decode()
    if digest != INTEGRITY:
        raise MissingPyodideError(
            f"What {address} sent is not Pyodide {VERSION}: expected {INTEGRITY}, found {digest}."
        )
    return archive


def unpack(archive: bytes, folder: Path) -> None:
    """``FILES`` and the package's description into ``folder``, which appears whole."""
    arriving = folder.with_name(f"{folder.name}.{os.getpid()}")
    arriving.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
        for name in (*FILES, "package.json"):
            member = tar.extractfile(f"package/{name}")
            assert member is not None
            (arriving / name).write_bytes(member.read())
    try:
        arriving.replace(folder)
    except OSError:
        shutil.rmtree(arriving)
        if _version_in(folder) != VERSION:  # another process was first otherwise
            raise


def _version_in(folder: Path) -> str | None:
    description = folder / "package.json"
    if not description.is_file() or not all((folder / name).is_file() for name in FILES):
        return None
    version: str = json.loads(description.read_text(encoding="utf-8"))["version"]
    return version
