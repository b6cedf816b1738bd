"""The folder that ``heddle static`` writes: its files, its document, and what is refused."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from heddle_server.command_line.write_static import write_static
from heddle_server.static import build
from heddle_server.static.build import checked_address, page_of_folder
from heddle_server.static.bytecode import BuildError

MEGABYTES = {
    "python/heddle.tar.gz": 2.8,
    "python/numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.tar.gz": 1.8,  # 1.6 where Node.js compiles its modules
    "python/pyodide.asm.js": 1.3,
    "python/pyodide.asm.wasm": 10.2,
    "python/python_stdlib.zip": 2.4,
    "answers/post-compile.json": 0.03,
}
"""The most that a file may have: what a first visit loads."""


def test_every_file_is_listed_with_its_content(folder: Path) -> None:
    listed = json.loads((folder / "files.json").read_text(encoding="utf-8"))
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    assert set(files) - set(listed) == {"files.json", "sw.js"}
    assert {name: hashlib.sha256(files[name].read_bytes()).hexdigest() for name in listed} == listed
    worker = (folder / "sw.js").read_text(encoding="utf-8")
    assert json.loads(worker[len("const FILES = ") : worker.index(";")]) == listed


def test_files_are_as_small_as_they_were(folder: Path) -> None:
    sizes = {name: (folder / name).stat().st_size / 1e6 for name in MEGABYTES}
    assert [name for name, size in sizes.items() if size > MEGABYTES[name]] == []


def test_answers_are_indexed(folder: Path) -> None:
    index = json.loads((folder / "answers" / "index.json").read_text(encoding="utf-8"))
    assert {entry["file"] for entry in index} | {"index.json"} == {path.name for path in (folder / "answers").iterdir()}
    assert len({json.dumps([entry["method"], entry["path"], entry["body"]]) for entry in index}) == len(index)


def test_the_document_has_relative_addresses_and_asks_nobody_else(folder: Path) -> None:
    html = (folder / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'(?:src|href)="([^"]*)"', html) == [
        "./from-file.js",
        "./answers/index.json",
        "./answers/get-catalogue.json",
        "./heddle.svg",
        "./assets/index-1.js",
    ]
    assert '<meta name="heddle-transport" content="worker" />' in html
    assert "connect-src 'self'" in html
    assert not list(folder.rglob("*.map"))


def test_a_base_address_is_named() -> None:
    html = page_of_folder('<meta charset="utf-8" />', "https://example.org/heddle")
    assert '<link rel="canonical" href="https://example.org/heddle/" />' in html
    for wrong in ("example.org", "ftp://example.org/", 'https://example.org/"><script>'):
        with pytest.raises(BuildError, match=r"expected the address of the folder, as https://example\.org/heddle/"):
            checked_address(wrong)


def test_what_somebody_else_wrote_is_not_replaced(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "PAGE", folder)
    (tmp_path / "thesis.txt").write_text("years of work")
    assert write_static(tmp_path, None) == 1
    assert "holds files that this command did not write; expected a folder that is new" in capsys.readouterr().err
    assert write_static(tmp_path / "thesis.txt", None) == 1
    assert "thesis.txt is a file; expected a folder that is new" in capsys.readouterr().err
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


@pytest.mark.parametrize("target", ["itself", "nowhere"])
def test_a_link_that_leads_nowhere_is_refused_before_anything_is_built(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.html").write_text("")
    monkeypatch.setattr(build, "PAGE", tmp_path)
    link = tmp_path / "itself"
    link.symlink_to(target)
    assert write_static(link, None) == 1
    text = f"heddle: {link} is a link that leads nowhere; expected a folder, or a name that nothing has yet.\n"
    assert capsys.readouterr().err == text


def test_a_page_that_is_not_built_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "PAGE", tmp_path / "none")
    assert write_static(tmp_path / "out", None) == 1
    assert "The page is not built: " in capsys.readouterr().err


def test_an_earlier_folder_is_replaced(tmp_path: Path) -> None:
    for number in (1, 2):
        fresh = tmp_path / f"fresh{number}"
        fresh.mkdir()
        (fresh / f"file{number}").write_text("")
        build.replace_files(fresh, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["file2"]
