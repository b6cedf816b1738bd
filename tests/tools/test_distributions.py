"""What the two distributions hold, and that the same commit gives the same bytes."""

from __future__ import annotations

import gzip
import io
import re
import tarfile
from pathlib import Path

import pytest

from heddle.version import VERSION
from tests.search_path import ROOT
from tools import distributions
from tools.progress import SetupError

COMPILER = re.compile(
    r"LICENSE|README\.md|pyproject\.toml|frontend/public/third-party-notices\.txt"
    r"|compiler/heddle/([a-z_]+/)*[a-z_]+\.py"
    r"|compiler/heddle/(py\.typed|notation/grammar\.lark|comprehensions/language/grammar\.lark)"
    r"|compiler/heddle/codegen/([a-z]+/)*functions/[a-z_]+\.(c|h|cl|cu)"
    r"|compiler/heddle/runtime/native/c/([a-z_]+\.(c|h)|thread_pool\.map)"
)
SERVICE = re.compile(
    r"LICENSE|README\.md|VERSION|pyproject\.toml|third-party-notices\.txt"
    r"|heddle_server/([a-z_]+/)*[a-z_]+\.py"
    r"|heddle_server/store/migrations/versions/\d{4}_[a-z0-9_]+\.py"
    r"|heddle_server/(py\.typed|openapi\.json|datasets/[\w-]+\.(json|mtx|tns))"
    r"|heddle_server/static/((compile|record)\.mjs|(offline|short-link|from-file)\.js)"
    r"|heddle_server/static/(vendor/(README\.md|(NumPy|Pyodide|Python)-LICENSE\.txt|numpy-[\w.-]+\.whl))"
    r"|heddle_server/examples/([\w-]+|words/[\w-]+)\.json"
    r"|heddle_server/experiments/(questions/network_schedules|measurements/[\w/-]+)\.json"
    r"|heddle_server/shipped/lessons/\d\d-[a-z-]+\.md"
    r"|heddle_server/shipped/page/(index\.html|heddle\.svg|third-party-notices\.txt)"
    r"|heddle_server/shipped/page/assets/[\w.-]+\.(css|js|png|woff2?)(\.br)?"
)
"""All that may be in the source archives, from which the wheels are built."""


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build with what must not be shipped beside what must."""
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    for name in ("index.html", "heddle.svg", "assets/index-D0ZhY_iM.js", "assets/index-D0ZhY_iM.js.map"):
        (folder / name).write_text(name)
    monkeypatch.setattr(distributions, "DIST", folder)
    return folder


def names(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def test_the_compiler_has_all_that_its_code_reads_and_nothing_else(tmp_path: Path) -> None:
    distributions.stage_compiler(tmp_path)
    staged = names(tmp_path)
    assert [name for name in sorted(staged) if not COMPILER.fullmatch(name)] == []
    assert staged >= {
        str(file.relative_to(ROOT))
        for file in (ROOT / "compiler" / "heddle").rglob("*")
        if file.suffix in {".c", ".cl", ".cu", ".h", ".lark", ".py"} and "__pycache__" not in file.parts
    }
    assert {file.stat().st_mode & 0o777 for file in tmp_path.rglob("*") if file.is_file()} == {0o644}


@pytest.mark.usefixtures("page")
def test_the_service_has_the_page_and_the_lessons_inside(tmp_path: Path) -> None:
    folder = tmp_path / "stage"
    distributions.stage_service(folder)
    staged = names(folder)
    assert [name for name in sorted(staged) if not SERVICE.fullmatch(name)] == []
    assert {name for name in staged if name.startswith("heddle_server/shipped/lessons/")} == {
        f"heddle_server/shipped/lessons/{file.name}" for file in (ROOT / "lessons").iterdir()
    }
    service = ROOT / "backend" / "heddle_server"
    assert staged >= {
        f"heddle_server/{file.relative_to(service)}"
        for file in service.rglob("*")
        if file.suffix in {".json", ".mtx", ".py", ".tns"} and "__pycache__" not in file.parts
    }
    assert "heddle_server/shipped/page/assets/index-D0ZhY_iM.js" in staged
    assert (folder / "VERSION").read_text() == f"{VERSION}\n"
    assert f'"heddle-sparse=={VERSION}",' in (folder / "pyproject.toml").read_text()


def test_what_is_staged_is_what_setuptools_packs() -> None:
    """A kind of file that is copied and not packed would be in no wheel."""
    for project, endings in (
        ("pyproject.toml", distributions.CODE),
        ("backend/pyproject.toml", distributions.PAGE | {".json", ".mtx", ".tns", ".md", ".typed"}),
    ):
        text = (ROOT / project).read_text(encoding="utf-8")
        table = text.split("[tool.setuptools.package-data]")[1].split("\n[")[0]
        packed = {f".{name.rpartition('.')[2]}" for name in re.findall(r'"([*\w]+\.\w+)"', table)}
        files = {
            file.suffix
            for folder in (ROOT / "compiler/heddle", ROOT / "backend/heddle_server")
            for file in folder.rglob("*")
            if file.is_file() and file.is_relative_to(ROOT / ("backend" if "backend" in project else "compiler"))
        }
        assert (files & endings) - {".py", ".pyc"} <= packed, project


def test_the_version_is_read_without_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert distributions.version() == VERSION
    monkeypatch.setattr(distributions, "ROOT", tmp_path)
    file = tmp_path / "compiler" / "heddle" / "version.py"
    file.parent.mkdir(parents=True)
    file.write_text("VERSION = 1\n")
    with pytest.raises(SetupError, match=r"version\.py does not say VERSION"):
        distributions.version()


def test_the_time_of_the_archives_can_be_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert distributions.epoch() == 1_700_000_000
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    monkeypatch.setattr(distributions, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert distributions.epoch() == 315_532_800


def archive(builder: str, time: int, order: list[str]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as file:
        for name in order:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.uname = len(name), time, builder
            file.addfile(entry, io.BytesIO(name.encode()))
    return packed.getvalue()


def test_source_archives_do_not_say_who_built_them_when() -> None:
    ada, bob = archive("ada", 1, ["b", "a"]), archive("bob", 2, ["a", "b"])
    assert ada != bob
    same = distributions.same_for_everybody(ada, 7)
    assert same == distributions.same_for_everybody(bob, 7)
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(same))) as file:
        assert [(each.name, each.mtime, each.uname, each.size) for each in file] == [("a", 7, "", 1), ("b", 7, "", 1)]


def test_the_environment_that_builds_is_made_once_for_its_pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builder, pins, made = tmp_path / "builder", tmp_path / "package.txt", list[str]()

    def create() -> None:
        made.append(pins.read_text())
        (builder / "bin").mkdir(parents=True, exist_ok=True)
        (builder / "bin" / "python").touch()

    monkeypatch.setattr(distributions, "BUILDER", builder)
    monkeypatch.setattr(distributions, "REQUIREMENTS", tmp_path)
    monkeypatch.setattr(distributions, "_create_builder", create)
    for text in ("setuptools==1", "setuptools==1", "setuptools==2"):
        pins.write_text(text)
        assert distributions.ensure_builder() == builder / "bin" / "python"
    assert made == ["setuptools==1", "setuptools==2"]
