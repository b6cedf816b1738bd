"""What counts as installed is read from the environment's folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tools import paths, progress, python_environment
from tools.progress import SetupError


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package folder of its own environment, with requirements/some.txt that pins two packages."""
    (tmp_path / "some.txt").write_text("PyYAML==6.0.3\nlark==1.3.1\n")
    folder = tmp_path / "venv" / "lib" / "python3.11" / "site-packages"
    folder.mkdir(parents=True)
    (tmp_path / "venv" / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.2\n")
    monkeypatch.setattr(paths, "VENV", tmp_path / "venv")
    monkeypatch.setattr(python_environment, "REQUIREMENTS", tmp_path)
    return folder


def install(packages: Path, name: str, *, complete: bool = True) -> Path:
    folder = packages / f"{name}.dist-info"
    folder.mkdir()
    (folder / "METADATA").touch()
    if complete:
        (folder / "RECORD").touch()
    return folder


def test_an_existing_environment_is_adopted(packages: Path) -> None:
    install(packages, "pyyaml-6.0.3")
    install(packages, "lark-1.3.1")
    assert python_environment._missing(("some",)) == []


def test_another_version_counts_as_missing(packages: Path) -> None:
    install(packages, "PyYAML-6.0.3")
    install(packages, "lark-1.2.0")
    assert python_environment._missing(("some",)) == ["lark==1.3.1"]


def test_an_installation_that_was_cut_off_counts_as_missing_and_is_forgotten(packages: Path) -> None:
    whole = install(packages, "PyYAML-6.0.3")
    cut_off = install(packages, "lark-1.3.1", complete=False)
    assert python_environment._missing(("some",)) == ["lark==1.3.1"]
    python_environment._forget_cut_off_installations()
    assert (whole.exists(), cut_off.exists()) == (True, False)


def test_a_line_that_is_no_pin_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_environment, "ROOT", tmp_path)
    (tmp_path / "pins.txt").write_text("numpy>=2\n")
    with pytest.raises(SetupError, match=r"pins.txt: expected 'name==version', found 'numpy>=2'"):
        python_environment.read_pins(tmp_path / "pins.txt")


def test_the_callers_folders_come_behind_our_packages(packages: Path, tmp_path: Path) -> None:
    """Where somebody has PyTorch in a folder of its own, ./heddle bench and serve find it, and our NumPy stays ours."""
    folders, theirs = [str(folder) for folder in python_environment.IMPORT_FOLDERS], str(tmp_path / "torch")
    own = os.pathsep.join(folders)
    assert python_environment.search_path("") == own
    assert python_environment.search_path(own) == own
    found = python_environment.search_path(os.pathsep.join([own, theirs, "", theirs, os.path.relpath(tmp_path)]))
    assert found.split(os.pathsep) == [*folders, str(packages), theirs, str(tmp_path)]
    assert python_environment.search_path(found) == found


def test_packages_are_compiled_but_not_their_tests_and_not_what_is_of_another_python(
    packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder itself lies below one that is called tests."""
    folder = packages.rename(packages.parent / "tests")
    monkeypatch.setattr(python_environment, "site_packages", lambda: folder)
    monkeypatch.setattr(python_environment, "PYTHON", sys.executable)
    monkeypatch.setattr(progress, "LOGS", folder.parent)
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    for name, text in {"some/it.py": "x = 1", "some/old.py": "print 1", "some/tests/test_it.py": "y = 2"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    python_environment._compile_packages()
    assert [path.name.partition(".")[0] for path in folder.rglob("*.pyc")] == ["it"]
