"""When the page is installed and built again, and when not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import frontend
from tools.node import Node


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "frontend"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "main.ts").write_text("first")
    (folder / "node_modules").mkdir()
    (tmp_path / "docs").mkdir()
    for name, path in {
        "DOCS": tmp_path / "docs",
        "FRONTEND": folder,
        "NODE_MODULES": folder / "node_modules",
        "DIST": folder / "dist",
        "BUILD_STAMP": tmp_path / "stamp",
    }.items():
        monkeypatch.setattr(frontend, name, path)
    return folder


def test_the_page_is_built_again_only_after_a_change(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builds: list[str] = []

    def build(title: str, argv: list[str], **_: object) -> None:
        builds.append(title)
        (page / "dist").mkdir(exist_ok=True)
        (page / "dist" / "index.html").touch()

    monkeypatch.setattr(frontend, "run", build)
    monkeypatch.setattr(frontend, "ensure_modules", lambda: Node("node", "npm", {}))
    frontend.ensure_build()
    frontend.ensure_build()
    (page / "node_modules" / "package.js").write_text("not a source")
    frontend.ensure_build()
    assert len(builds) == 1
    (page / "src" / "main.ts").write_text("second")
    frontend.ensure_build()
    assert len(builds) == 2
    (page / "dist" / "index.html").unlink()
    frontend.ensure_build()
    assert len(builds) == 3
    (page.parent / "docs" / "explorer.md").write_text("The page shows it.")
    frontend.ensure_build()
    assert len(builds) == 4


def test_installed_packages_are_compared_with_the_lock(page: Path) -> None:
    def write(path: Path, version: str) -> None:
        packages = {"node_modules/react": {"version": version}}
        if path.name == "package-lock.json":
            packages |= {"": {"version": "0.1.0"}, "node_modules/other-system": {"version": "1", "optional": True}}  # type: ignore[dict-item]
        path.write_text(json.dumps({"packages": packages}))

    write(page / "package-lock.json", "19.3.1")
    assert not frontend._modules_match(), "nothing is installed"
    write(page / "node_modules" / ".package-lock.json", "19.3.0")
    assert not frontend._modules_match(), "another version is installed"
    write(page / "node_modules" / ".package-lock.json", "19.3.1")
    assert frontend._modules_match()
