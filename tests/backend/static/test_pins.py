"""What a folder holds of others is what their own lists say, to the byte."""

from __future__ import annotations

import _imp
import gzip
import hashlib
import io
import json
import shutil
import tarfile
import urllib.error
import zipfile
from pathlib import Path
from typing import Any

import pytest

from heddle_server.static import pyodide_package
from heddle_server.static.browser_start import entries
from heddle_server.static.build import PACKED_NUMPY
from heddle_server.static.pyodide_package import (
    ADDRESS,
    FILES,
    INTEGRITY,
    LIBRARY,
    NUMPY,
    VERSION,
    MissingPyodideError,
    fetch,
    pyodide_folder,
    unpack,
    user_cache,
)
from tests.backend.serving import ROOT
from tools.frontend import ensure_modules


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def members(archive: Path) -> dict[str, bytes]:
    if archive.suffix == ".gz":
        tar = gzip.decompress(archive.read_bytes())
        return {name: tar[at : at + size] for name, at, size in entries(tar)}
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def is_bytecode_of(bytecode: bytes, source: bytes) -> bool:
    """PEP 552: behind its magic number a file names the hash of its source."""
    return bytecode[8:16] == _imp.source_hash(int.from_bytes(bytecode[:4], "little"), source)


def locked() -> Any:
    packages = json.loads((ROOT / "frontend/package-lock.json").read_text(encoding="utf-8"))["packages"]
    return packages["node_modules/pyodide"]


def test_pyodide_is_the_one_of_the_lock_file() -> None:
    assert (locked()["version"], locked()["integrity"]) == (VERSION, INTEGRITY)


def test_numpy_is_the_one_that_pyodide_names() -> None:
    ensure_modules()
    named = json.loads((pyodide_folder() / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]["numpy"]
    assert (NUMPY.name, sha256(NUMPY)) == (named["file_name"], named["sha256"])
    assert sha256(NUMPY) in (NUMPY.parent / "README.md").read_text(encoding="utf-8")


def test_files_of_others_are_in_the_folder_as_they_came(folder: Path) -> None:
    listed = json.loads((folder / "files.json").read_text(encoding="utf-8"))
    for name in set(FILES) - {LIBRARY}:
        assert listed[f"python/{name.replace('.mjs', '.js')}"] == sha256(pyodide_folder() / name)
    for whole, part in ((pyodide_folder() / LIBRARY, LIBRARY), (NUMPY, PACKED_NUMPY)):
        came, kept = members(whole), members(folder / "python" / part)
        compiled = {name for name in kept if name.endswith(".pyc")}
        assert {name: kept[name] for name in set(kept) - compiled}.items() <= came.items()
        assert [name for name in compiled if not is_bytecode_of(kept[name], came[name.removesuffix("c")])] == []
        assert len(compiled) > 100 or shutil.which("node") is None  # by which they are compiled
        assert 0.3 * len(came) < len(kept) < len(came)
    notices = (folder / "third-party-notices.txt").read_text(encoding="utf-8")
    for words in (
        "Mozilla Public License",
        "PYTHON SOFTWARE FOUNDATION LICENSE",
        "NumPy Developers",
        "### lark",
        "YAML",
    ):
        assert words in notices


def test_without_a_network_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise urllib.error.URLError("no route to host")

    monkeypatch.setattr(pyodide_package.urllib.request, "urlopen", refuse)
    with pytest.raises(MissingPyodideError) as raised:
        fetch(ADDRESS)
    assert str(raised.value) == (
        f"Pyodide {VERSION}, the browser's Python, is fetched once from {ADDRESS}, which cannot be reached: "
        "<urlopen error no route to host>. Run this again where there is a network; afterwards none is needed."
    )


def test_another_archive_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyodide_package.urllib.request, "urlopen", lambda *_, **__: io.BytesIO(b"something else"))
    with pytest.raises(MissingPyodideError, match=r"is not Pyodide 0\.27\.7: expected sha512-RUSV\S+, found sha512-"):
        fetch(ADDRESS)


def test_an_installation_fetches_it_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as tar:
        for name in (*FILES, "package.json"):
            content = json.dumps({"version": VERSION}).encode()
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    asked: list[str] = []
    monkeypatch.setattr(pyodide_package, "INSTALLED", True)
    monkeypatch.setattr(pyodide_package, "user_cache", lambda *_: tmp_path / "cache")
    monkeypatch.setattr(pyodide_package, "fetch", lambda address: asked.append(address) or archive.getvalue())
    first = pyodide_folder()
    assert {path.name for path in first.iterdir()} == {*FILES, "package.json"}
    assert pyodide_folder() == first
    assert asked == [ADDRESS]
    unpack(archive.getvalue(), first)  # by another process, which was slower
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [first.name]


def test_where_what_can_be_fetched_again_is_kept(tmp_path: Path) -> None:
    assert user_cache("linux", {"XDG_CACHE_HOME": str(tmp_path)}) == tmp_path / "heddle"
    assert user_cache("linux", {"XDG_CACHE_HOME": "relative"}) == Path.home() / ".cache" / "heddle"
    assert user_cache("darwin", {}) == Path.home() / "Library" / "Caches" / "heddle"
    assert user_cache("win32", {"LOCALAPPDATA": str(tmp_path)}) == tmp_path / "heddle" / "cache"
