"""What a server keeps is for its user alone."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from heddle_server.file_lock import open_shared, try_lock
from heddle_server.settings import Settings
from heddle_server.start_failure import start_failure
from heddle_server.store.private_files import CONTENTS, make_contents_private, make_private
from heddle_server.store.server_lock import server_lock
from tests.backend.serving import Server, plan


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_other_users_cannot_look_into_the_data_directory(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)  # as earlier versions made it
    server = Server(data).start()
    try:
        server.wait(server.run(plan()))
        matrix = b"%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n"
        assert server.client.put("/api/v1/datasets", params={"name": "a.mtx"}, content=matrix).status_code == 201
    finally:
        server.stop()
    assert mode(data) == 0o700
    test_s_own = ("server.log", "timing.lock")
    kept = [path for path in data.rglob("*") if not path.name.startswith(test_s_own)]
    assert {"heddle.sqlite3", "uploads"} <= {path.name for path in kept}
    assert {path.name for path in kept if path.parent == data} <= set(CONTENTS)
    assert {str(path): oct(mode(path)) for path in kept if mode(path) & 0o077} == {}


def test_a_directory_is_made_private(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tmp_path / "new" / "data"
    make_private(made)
    assert mode(made) == 0o700
    assert capsys.readouterr().err == ""
    made.chmod(0o755)  # as earlier versions made it
    make_private(made)
    assert mode(made) == 0o700
    assert capsys.readouterr().err == (
        f"heddle: warning: {made} is for its owner alone from now on, because results and uploads are in it: its mode "
        "was 755 and is 700\n"
    )


def test_what_an_earlier_version_left_is_made_private_at_every_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The directory was 0700, and the database 644, the uploads 755 and the lock 666 in it."""
    (tmp_path / "uploads" / "sha256").mkdir(parents=True)
    theirs = tmp_path / "notes.txt"
    files = (
        "heddle.sqlite3",
        "other.sqlite3",
        "machine.json",
        "uploads/sha256/ab.mtx",
        "server.lock",
        theirs.name,
    )
    for _ in range(2):
        for name, old in zip(files, (0o644, 0o644, 0o644, 0o644, 0o666, 0o644), strict=True):
            (tmp_path / name).touch()
            (tmp_path / name).chmod(old)
        (tmp_path / "uploads").chmod(0o755)
        (tmp_path / "uploads" / "sha256").chmod(0o2755)
        database = Settings(database_url=f"sqlite+aiosqlite:///{tmp_path / 'other.sqlite3'}").database_file
        make_contents_private(tmp_path, database)
        assert [mode(tmp_path / name) for name in ("uploads", "uploads/sha256")] == [0o700, 0o700]
        assert {mode(tmp_path / name) for name in files[:-1]} == {0o600}
        assert mode(theirs) == 0o644
        assert "7 files and folders in" in capsys.readouterr().err
    make_contents_private(tmp_path, database)
    assert capsys.readouterr().err == ""
    assert Settings(database_url="postgresql+asyncpg://other/heddle").database_file is None


def test_what_a_link_leads_to_keeps_its_mode(tmp_path: Path) -> None:
    elsewhere, data = tmp_path / "elsewhere", tmp_path / "data"
    (data / "uploads").mkdir(parents=True)
    elsewhere.mkdir()
    (elsewhere / "theirs").touch(0o644)
    for name in ("uploads/folder", "machine.json"):
        (data / name).symlink_to(elsewhere if name == "uploads/folder" else elsewhere / "theirs")
    elsewhere.chmod(0o755)
    make_contents_private(data)
    assert (mode(elsewhere), mode(elsewhere / "theirs")) == (0o755, 0o644)


def test_the_lock_of_a_server_is_for_its_user_alone(tmp_path: Path) -> None:
    with server_lock(tmp_path):
        assert mode(tmp_path / "server.lock") == 0o600


def test_a_directory_that_its_owner_closed_stays_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(PermissionError) as caught:
            make_private(tmp_path)
        assert mode(tmp_path) == 0o555
    finally:
        tmp_path.chmod(0o700)
    told = start_failure(caught.value, Settings(data_directory=tmp_path))
    assert told == (
        f"The data directory {tmp_path} cannot be used: Permission denied ({tmp_path}). It must be a directory that "
        "this user may write to; --data-directory gives another."
    )


def test_a_shared_lock_is_locked_by_all_and_written_by_none(tmp_path: Path) -> None:
    first, second = open_shared(tmp_path / "timing.lock"), open_shared(tmp_path / "timing.lock")
    assert mode(tmp_path / "timing.lock") == 0o444
    assert try_lock(first)
    assert not try_lock(second)
