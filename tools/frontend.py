"""The page: its npm packages and its build, each made again only when what it is made of has changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from tools.lock import setup_lock
from tools.node import Node, ensure_node
from tools.paths import DIST, DOCS, FRONTEND, NODE_MODULES, STATE
from tools.progress import run

BUILD_STAMP = STATE / "frontend-build.sha256"
NOT_SOURCES = {"node_modules", "dist", "coverage", "__pycache__"}


def ensure_modules() -> Node:
    """Installs the npm packages of package-lock.json unless node_modules already holds exactly these."""
    node = ensure_node()
    if not _modules_match():
        with setup_lock("modules"):
            if not _modules_match():
                run(
                    "Installing the page's npm packages",
                    [node.npm, "ci", "--prefix", FRONTEND, "--no-audit", "--no-fund", "--loglevel", "http"],
                    environment=node.environment,
                    advice="Is the npm registry reachable? Run the same command again.",
                )
    return node


def ensure_build() -> None:
    """Builds the page into frontend/dist unless its sources are those of the last build."""
    wanted = _digest_of_sources()
    if _built() == wanted:
        return
    node = ensure_modules()
    with setup_lock("page"):
        if _built() == wanted:
            return
        BUILD_STAMP.unlink(missing_ok=True)
        run(
            "Building the page",
            [node.npm, "run", "bundle", "--prefix", FRONTEND],
            environment=node.environment,
            advice="The page's sources do not build; `./heddle test frontend` shows more.",
        )
        BUILD_STAMP.write_text(wanted, encoding="utf-8")


def _built() -> str | None:
    complete = BUILD_STAMP.exists() and (DIST / "index.html").exists()
    return BUILD_STAMP.read_text(encoding="utf-8") if complete else None


def _digest_of_sources() -> str:
    digest = hashlib.sha256()
    # The page shows the guide.
    for folder in (FRONTEND, DOCS):
        for path in sorted(_sources(folder)):
            digest.update(f"{path.relative_to(folder)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _sources(folder: Path) -> Iterator[Path]:
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name not in NOT_SOURCES:
            yield from _sources(entry)
        elif entry.is_file():
            yield entry


def _modules_match() -> bool:
    """npm writes node_modules/.package-lock.json last; it lists what is there."""
    listing = NODE_MODULES / ".package-lock.json"
    if not listing.exists():
        return False
    locked = json.loads((FRONTEND / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    present = json.loads(listing.read_text(encoding="utf-8"))["packages"]
    return all(
        path == "" or package.get("optional") or present.get(path, {}).get("version") == package.get("version")
        for path, package in locked.items()
    )
