"""What a server keeps is for its user alone."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from heddle_server.file_lock import open_shared, try_lock
from heddle_server.services.services import make_private
from heddle_server.settings import Settings
from heddle_server.start_failure import start_failure
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
    kept = [path for path in data.rglob("*") if ".lock" not in path.name and path.name != "server.log"]
    assert {"heddle.sqlite3", "uploads"} <= {path.name for path in kept}
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
