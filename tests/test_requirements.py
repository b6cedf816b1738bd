"""The pinned files and pyproject.toml say the same."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from tools.python_environment import read_pins

ROOT = Path(__file__).resolve().parent.parent


def normal(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[\[;<>=! ]", requirement)[0]).lower()


@pytest.mark.parametrize(
    ("extra", "files"),
    [
        (None, ["runtime"]),
        ("test", ["runtime", "test"]),
        ("opencl", ["runtime", "devices"]),
        ("nvrtc", ["runtime", "devices"]),
    ],
)
def test_every_dependency_is_pinned(extra: str | None, files: list[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] if extra is None else project["optional-dependencies"][extra]
    pinned = {
        normal(line) for file in files for line in (ROOT / "requirements" / f"{file}.txt").read_text().splitlines()
    }
    assert {normal(requirement) for requirement in wanted} - pinned == set()


def test_markers_and_comments_of_pin_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / "pins.txt"
    file.write_text('# a comment\nnumpy==2.4.6\nmkl==1.0 ; platform_machine == "pdp11"\n')
    assert read_pins(file) == [("numpy", "2.4.6")]


def test_versions_of_the_page_and_the_package_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert json.loads((ROOT / "frontend/package.json").read_text())["version"] == project["version"]
