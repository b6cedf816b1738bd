"""Where an installation finds the page and the lessons, and where it keeps what it is given."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from heddle_server import places
from heddle_server.places import import_folders, user_data
from tests.search_path import ROOT

HOME = Path("/home/ada")
PROGRAM = """
from heddle_server import places
from heddle_server.lessons.course import files
from heddle_server.settings import Settings
print(places.INSTALLED, [file.name for file in files()], Settings().frontend_directory, Settings().data_directory)
"""


def test_a_checkout_has_folders_for_them() -> None:
    assert not places.INSTALLED
    assert ROOT / "lessons" == places.LESSONS
    assert ROOT / "frontend" / "dist" == places.PAGE
    assert (ROOT / "compiler", ROOT / "backend") == places.IMPORT_FOLDERS
    assert places.default_data_directory() == Path(".heddle")


def test_an_installation_has_them_inside(tmp_path: Path) -> None:
    """A copy of the service with what a wheel has, on the search path before the checkout's."""
    package = tmp_path / "heddle_server"
    package.mkdir()
    for entry in (ROOT / "backend" / "heddle_server").iterdir():
        (package / entry.name).symlink_to(entry)
    places_file = package / "places.py"
    places_file.unlink()
    places_file.write_text((ROOT / "backend/heddle_server/places.py").read_text(encoding="utf-8"), encoding="utf-8")
    lessons = package / "shipped" / "lessons"
    lessons.mkdir(parents=True)
    (lessons / "01-first.md").write_text("a lesson")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={"PYTHONPATH": f"{tmp_path}:{ROOT / 'compiler'}", "XDG_DATA_HOME": str(tmp_path / "data")},
        capture_output=True,
        text=True,
        check=False,
    )
    expected = f"True ['01-first.md'] {package.resolve()}/shipped/page {tmp_path}/data/heddle\n"
    assert done.stdout == expected, done.stderr


@pytest.mark.parametrize(
    ("platform", "environment", "folder"),
    [
        ("linux", {}, "/home/ada/.local/share/heddle"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/heddle"),
        ("linux", {"XDG_DATA_HOME": "not/absolute"}, "/home/ada/.local/share/heddle"),
        ("darwin", {}, "/home/ada/Library/Application Support/heddle"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/heddle/data"),
        ("win32", {}, "/home/ada/AppData/Local/heddle/data"),
    ],
)
def test_data_are_kept_where_programs_of_the_user_keep_theirs(
    platform: str, environment: dict[str, str], folder: str
) -> None:
    assert str(user_data(platform, environment, lambda: HOME)) == folder


def test_a_user_without_a_home_keeps_them_in_the_current_folder() -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    assert user_data("linux", {}, homeless) == Path(".heddle")


def test_python_is_told_of_folders_that_it_does_not_know() -> None:
    site, own = Path("/venv/site-packages"), Path("/home/ada/heddle/compiler")
    assert import_folders((site / "heddle", site / "heddle_server"), frozenset({site})) == ()
    assert import_folders((own / "heddle", site / "heddle_server"), frozenset({site})) == (own,)
    assert import_folders((site / "heddle", site / "heddle_server"), frozenset()) == (site,)
