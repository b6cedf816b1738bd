"""Whose work is shipped with Heddle is said in a file that the lock files determine."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tools import notices
from tools.notices import FILE, HEAD, IMAGE, PAGE, TEXTS, Shipped, licence_of, locked_of_image, locked_of_page
from tools.paths import FRONTEND

RENEW = "not what the lock files say: .venv/bin/python -m tools.notices"


def parts() -> tuple[str, str, str]:
    """The list of the page's packages, that of the image's, and the licences."""
    text = FILE.read_text(encoding="utf-8")
    assert text.startswith(HEAD + PAGE)
    page, _, rest = text.removeprefix(HEAD + PAGE).partition(IMAGE)
    image, _, texts = rest.partition(TEXTS)
    return page, image, texts


def test_the_notices_are_those_of_the_lock_files() -> None:
    page, image, texts = parts()
    packages = locked_of_page()
    assert page.split("\n")[1:-1] == [f"- {package}" for package in packages], RENEW
    listed = [re.fullmatch(r"- (\S+) (\S+): \S.*", line) for line in image.strip().splitlines()]
    assert [(line[1], line[2]) for line in listed if line is not None] == locked_of_image(), RENEW
    assert None not in listed
    headed = [name for line in re.findall(r"^### (.*)$", texts, re.MULTILINE) for name in line.split(", ")]
    assert sorted(headed) == sorted(f"{package.name} {package.version}" for package in packages), RENEW
    assert all(len(text.split()) > 80 for text in re.split(r"^### .*$", texts, flags=re.MULTILINE)[1:])


def test_fonts_and_proprietary_libraries_are_among_them() -> None:
    page, image, _ = parts()
    assert re.search(r"^- @fontsource/jetbrains-mono \S+: OFL-1.1$", page, re.MULTILINE)
    assert re.search(r"^- mkl \S+: Intel Simplified Software License$", image, re.MULTILINE)


def test_the_page_links_to_them() -> None:
    assert FILE.parent == FRONTEND / "public"  # which the build copies
    assert f"fileAddress('{FILE.name}')" in (FRONTEND / "src/layout/Footer.tsx").read_text()


def test_what_only_builds_the_page_is_not_shipped(tmp_path: Path) -> None:
    packages = {
        "": {"version": "1"},
        "node_modules/a": {"version": "1", "license": "MIT"},
        "node_modules/a/node_modules/@b/c": {"version": "2", "license": "ISC"},
        "node_modules/d": {"version": "3", "license": "MIT", "dev": True},
        "node_modules/e": {"version": "4", "license": "MIT", "optional": True},
    }
    lock = tmp_path / "package-lock.json"
    lock.write_text(json.dumps({"packages": packages}))
    assert locked_of_page(lock) == [Shipped("a", "1", "MIT"), Shipped("@b/c", "2", "ISC")]


def test_another_version_than_the_pinned_one_is_not_described() -> None:
    with pytest.raises(SystemExit, match=r"lark 0\.1 is pinned, \S+ is installed here: \./heddle test lint"):
        licence_of("lark", "0.1")
    with pytest.raises(SystemExit, match=r"no-such-thing is pinned and not installed here"):
        licence_of("no-such-thing", "1")


def test_a_package_without_a_licence_is_not_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "ROOT", tmp_path)
    (tmp_path / "package").mkdir()
    with pytest.raises(SystemExit, match="package has no licence file"):
        notices._text(tmp_path / "package", "package")
