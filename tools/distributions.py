"""Builds the two distributions into dist/: ``./heddle package``.

Each is built from a copy that holds what belongs to it and nothing else, with times and modes that the checkout does
not decide: the same commit gives the same bytes, and what an earlier build left behind is in none of them.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.frontend import ensure_build
from tools.lock import setup_lock
from tools.paths import DIST, FRONTEND, REQUIREMENTS, ROOT, STATE
from tools.progress import SetupError, run, say

BUILDER = STATE / "builder"
"""A Python environment with setuptools alone."""
STAMP = "pins.txt"

BUILD = """
import sys
from setuptools import build_meta
folder = sys.argv[1]  # which setuptools takes away
build_meta.build_sdist(folder)
build_meta.build_wheel(folder)
"""
CODE = frozenset([".c", ".cl", ".cu", ".h", ".json", ".lark", ".map", ".mtx", ".py", ".tns", ".typed"])
FOLDERS = frozenset([".js", ".md", ".mjs", ".txt", ".whl"])
"""Besides: of ``heddle static``, which writes the page as a folder."""
PAGE = frozenset([".br", ".css", ".html", ".js", ".png", ".svg", ".txt", ".woff", ".woff2"])
"""Without the maps to its sources, which are larger than the page."""

NOT_SHIPPED = frozenset({"__pycache__", "heddle_sparse.egg-info"})


def package(into: Path) -> list[Path]:
    """The wheels and source archives of both distributions, in ``into``, which holds nothing else of theirs then."""
    ensure_build()
    with setup_lock("package"):
        python = ensure_builder()
        into.mkdir(parents=True, exist_ok=True)
        for old in [*into.glob("heddle_sparse-*"), *into.glob("heddle_server-*")]:
            old.unlink()
        for name, stage in (("heddle-sparse", stage_compiler), ("heddle-server", stage_service)):
            with tempfile.TemporaryDirectory(prefix="heddle-package-") as folder:
                stage(Path(folder))
                _build(python, name, Path(folder), into)
    return sorted(into.glob("heddle_s*-*"))


def stage_compiler(folder: Path) -> None:
    """The compiler, as its distribution's source archive has it."""
    for file in ("LICENSE", "README.md", "pyproject.toml"):
        _place(ROOT / file, folder / file)
    _copy(ROOT / "compiler" / "heddle", folder / "compiler" / "heddle", CODE)
    _place(NOTICES, folder / NOTICES.relative_to(ROOT))


def stage_service(folder: Path) -> None:
    """The service with the page and the lessons inside. It asks for the compiler of the same version."""
    for file in ("LICENSE", "README.md"):
        _place(ROOT / file, folder / file)
    text = (ROOT / "backend" / "pyproject.toml").read_text(encoding="utf-8")
    asked = text.replace('"heddle-sparse",', f'"heddle-sparse=={version()}",')
    if asked == text:
        raise SetupError("backend/pyproject.toml does not ask for heddle-sparse")
    _write(folder / "pyproject.toml", asked.encode())
    _write(folder / "VERSION", f"{version()}\n".encode())
    inside = folder / "heddle_server"
    _copy(ROOT / "backend" / "heddle_server", inside, CODE)
    _copy(ROOT / "backend" / "heddle_server" / "static", inside / "static", FOLDERS)
    _copy(DIST, inside / "shipped" / "page", PAGE)
    _copy(ROOT / "lessons", inside / "shipped" / "lessons", frozenset({".md"}))
    _place(NOTICES, folder / NOTICES.name)


NOTICES = FRONTEND / "public" / "third-party-notices.txt"


def version() -> str:
    """Of both, read from the file that says it, as nothing here imports the compiler."""
    text = (ROOT / "compiler" / "heddle" / "version.py").read_text(encoding="utf-8")
    found = re.search(r'^VERSION = "([^"]+)"$', text, re.MULTILINE)
    if found is None:
        raise SetupError("compiler/heddle/version.py does not say VERSION")
    return found[1]


def epoch() -> int:
    """When the commit was made; a copy without git is as old as the first day that a ZIP archive knows."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    try:
        command = ["git", "log", "-1", "--format=%ct"]
        return int(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    except (OSError, subprocess.CalledProcessError, ValueError):
        return 315_532_800


def ensure_builder() -> Path:
    """The Python that builds, with what requirements/package.txt pins; installed when that has changed."""
    wanted = (REQUIREMENTS / "package.txt").read_text(encoding="utf-8")
    if _built_with() != wanted:
        with setup_lock("builder"):
            if _built_with() != wanted:
                _create_builder()
                (BUILDER / STAMP).write_text(wanted, encoding="utf-8")
    return BUILDER / "bin" / "python"


def _built_with() -> str | None:
    """The pins that the environment was made of, which are written last."""
    stamp = BUILDER / STAMP
    return stamp.read_text(encoding="utf-8") if stamp.exists() and (BUILDER / "bin" / "python").exists() else None


def _create_builder() -> None:
    advice = "Is the package index reachable? Run the same command again."
    run("Creating the environment that builds", [sys.executable, "-m", "venv", "--clear", BUILDER], advice=advice)
    pip: list[str | Path] = [BUILDER / "bin" / "python", "-m", "pip", "install", "--no-input", "--require-hashes"]
    run("Installing what builds", [*pip, "--requirement", REQUIREMENTS / "package.txt"], advice=advice)


def _build(python: Path, name: str, stage: Path, into: Path) -> None:
    """Both archives of a staged distribution. What setuptools says is shown where it fails."""
    say(f"building {name} {version()}")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"SOURCE_DATE_EPOCH": str(epoch()), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [python, "-c", BUILD, into],
        cwd=stage,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        umask=0o022,
        check=False,
    )
    if done.returncode != 0:
        raise SetupError(f"{name} cannot be built:\n\n{done.stdout[-4000:]}")
    for archive in into.glob(f"{name.replace('-', '_')}-*.tar.gz"):
        archive.write_bytes(same_for_everybody(archive.read_bytes(), epoch()))


def same_for_everybody(archive: bytes, time: int) -> bytes:
    """A .tar.gz with the same files in order, of nobody, of one time: setuptools writes who built it, and when."""
    tarred, packed = io.BytesIO(), io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as source,
        tarfile.open(fileobj=tarred, mode="w", format=tarfile.PAX_FORMAT) as target,
    ):
        for member in sorted(source.getmembers(), key=lambda member: member.name):
            entry = tarfile.TarInfo(member.name)
            entry.type, entry.size, entry.mtime = member.type, member.size, time
            entry.mode = 0o755 if member.isdir() else 0o644
            target.addfile(entry, source.extractfile(member) if member.isfile() else None)
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=time) as file:
        file.write(tarred.getvalue())
    return packed.getvalue()


def _copy(source: Path, target: Path, endings: frozenset[str]) -> None:
    for file in _files(source):
        if file.suffix in endings:
            _place(file, target / file.relative_to(source))


def _files(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.is_dir() and entry.name not in NOT_SHIPPED:
            yield from _files(entry)
        elif entry.is_file():
            yield entry


def _place(source: Path, target: Path) -> None:
    _write(target, source.read_bytes())


def _write(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    target.chmod(0o644)
