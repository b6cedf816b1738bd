"""The pinned files and pyproject.toml say the same."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from heddle.version import VERSION
from tools import pins
from tools.package_index import IndexFile, chosen
from tools.python_environment import read_pins

ROOT = Path(__file__).resolve().parent.parent


def normal(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[\[;<>=! ]", requirement)[0]).lower()


@pytest.mark.parametrize(
    ("of", "files"),
    [
        ("runtime", ["runtime"]),
        ("test", ["runtime", "test"]),
        ("devices", ["runtime", "devices"]),
        ("docs", ["runtime", "docs"]),
    ],
)
def test_every_dependency_is_pinned(of: str, files: list[str]) -> None:
    pinned = {
        normal(line)
        for file in files
        for line in (ROOT / "requirements" / f"{file}.txt").read_text().splitlines()
        if not line.startswith((" ", "#"))
    }
    wanted = {normal(requirement) for requirement in pins.declared()[of]}
    assert wanted
    assert wanted - pinned == set()


def test_every_pin_accepts_the_oldest_python() -> None:
    """As far as they are installed here: a Debian 12 has Python 3.11.2."""
    names = {
        name for file in ("runtime", "test", "docs") for name, _ in read_pins(ROOT / "requirements" / f"{file}.txt")
    }
    installed = [package for name in names for package in Distribution.discover(name=name)]
    assert len(installed) > 30
    assert [package.name for package in installed if not pins.accepts_oldest_python(package)] == []


def test_the_compiler_asks_for_little() -> None:
    """Who multiplies two matrices installs three packages."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["dependencies"] == ["lark", "numpy>=2", "typing_extensions>=4.4"]


def test_the_service_goes_without_mkl() -> None:
    project = tomllib.loads((ROOT / "backend/pyproject.toml").read_text())["project"]
    assert "mkl" not in {normal(requirement) for requirement in project["dependencies"]}


def test_markers_and_comments_of_pin_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / "pins.txt"
    file.write_text(
        "# a comment\nnumpy==2.4.6 \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\n"
        'mkl==1.0 ; platform_machine == "pdp11" \\\n    --hash=sha256:22\nlark==1.3.1\n'
    )
    assert read_pins(file) == [("numpy", "2.4.6"), ("lark", "1.3.1")]


@pytest.mark.parametrize("file", sorted((ROOT / "requirements").glob("*.txt")), ids=lambda file: file.name)
def test_every_pin_has_the_hashes_of_its_files(file: Path) -> None:
    """Of a source and a wheel, or of several wheels; else a machine of another kind could not install it."""
    logical = [line for line in file.read_text().replace("\\\n", " ").splitlines() if not line.startswith("#")]
    assert logical
    for line in logical:
        digests = re.findall(r" --hash=sha256:([0-9a-f]{64})(?= |$)", line)
        assert digests, f"{line}: python -m tools.pins"
        assert digests == sorted(set(digests))
        assert re.fullmatch(r"\S+==\S+( ; platform_machine == \"\w+\")?(\s+--hash=\S+)+", line)


INDEXED: list[IndexFile] = [
    {"filename": filename, "hashes": {"sha256": f"{number:064x}"}}
    for number, filename in enumerate(
        (
            "lark-1.3.1.tar.gz",
            "lark-1.3.1-py3-none-any.whl",
            "lark-1.3.0-py3-none-any.whl",
            "lark-1.3.1-cp311-cp311-manylinux_2_17_aarch64.manylinux2014_aarch64.whl",
            "lark-1.3.1-cp314-cp314-musllinux_1_2_x86_64.whl",
            "lark-1.3.1-cp39-abi3-macosx_11_0_arm64.whl",
            "lark-1.3.1-cp310-cp310-manylinux_2_17_x86_64.whl",
            "lark-1.3.1-cp314-cp314t-manylinux_2_17_x86_64.whl",
            "lark-1.3.1-pp311-pypy311_pp73-manylinux_2_17_x86_64.whl",
            "lark-1.3.1-cp311-cp311-win_amd64.whl",
            "lark-1.3.1-cp311-cp311-manylinux_2_17_i686.whl",
            "lark-1.3.1-py2-none-any.whl",
            "lark-1.3.1.exe",
        )
    )
]


def test_the_files_of_a_version_for_the_machines_that_set_themselves_up_have_their_hashes() -> None:
    assert chosen(INDEXED, "1.3.1") == [f"sha256:{number:064x}" for number in (0, 1, 3, 4, 5)]


@pytest.mark.parametrize(
    ("files", "version"), [(INDEXED, "1.4"), ([{"filename": "lark-1.tar.gz", "hashes": {"md5": "0"}}], "1")]
)
def test_a_version_without_files_or_digests_is_named(files: list[IndexFile], version: str) -> None:
    with pytest.raises(LookupError, match=f"no file of version {re.escape(version)} with a SHA-256"):
        chosen(files, version)


def test_digests_are_renewed_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins, "digests", lambda name, version: [f"sha256:{name}{version}", "sha256:other"])
    text = '# head\nlark==1.3.1 \\\n    --hash=sha256:old\nmkl==1.0 ; platform_machine == "x86_64"\n'
    renewed = (
        "# head\nlark==1.3.1 \\\n    --hash=sha256:lark1.3.1 \\\n    --hash=sha256:other\n"
        'mkl==1.0 ; platform_machine == "x86_64" \\\n    --hash=sha256:mkl1.0 \\\n    --hash=sha256:other\n'
    )
    assert pins.with_digests(text) == renewed
    assert pins.with_digests(renewed) == renewed


@pytest.mark.parametrize("file", ["tools/python_environment.py", "Dockerfile"])
def test_who_installs_the_pins_asks_for_their_hashes(file: str) -> None:
    assert "--require-hashes" in (ROOT / file).read_text()


def test_versions_of_the_page_and_the_package_agree() -> None:
    """In the page's spelling: 1.0.0rc1 is 1.0.0-rc.1 there."""
    ours = re.sub(r"(a|b|rc)(\d+)$", r"-\1.\2", VERSION)
    for file in ("package.json", "package-lock.json"):
        assert json.loads((ROOT / "frontend" / file).read_text())["version"] == ours


def test_the_image_holds_its_own_modules_translated() -> None:
    """No process of it writes them, so that every start would translate them anew."""
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    (translated,) = (at for at, line in enumerate(lines) if "-m compileall" in line)
    assert lines[translated].endswith(" compiler backend")
    for line in ("COPY compiler/ compiler/", "COPY backend/ backend/"):
        assert lines.index(line) < translated < lines.index("USER 10001:10001")


def test_the_build_context_of_the_image_has_what_is_copied() -> None:
    """.dockerignore leaves out all that it does not name."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    context = {line[1:] for line in lines if line.startswith("!")}
    copied = {
        source.rstrip("/")
        for line in (ROOT / "Dockerfile").read_text().splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for source in line.split()[1:-1]
    }
    assert "*" in lines
    assert copied >= {"requirements/runtime.txt", "compiler"}
    assert [source for source in sorted(copied) if not {source, source.split("/")[0]} & context] == []
