"""What the child of a run does not see of a server: each way to start one knows it."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest

from heddle.runtime.native.cache_folder import cache_root
from heddle_server.engine.children.sight import Sight, sight_of
from heddle_server.engine.cluster.worker_state import embedded_state, joined_state
from heddle_server.places import PACKAGE
from heddle_server.settings import Settings


def test_the_data_directory_and_the_certificates_are_hidden_but_for_what_a_job_names(tmp_path: Path) -> None:
    data, certificates = tmp_path / "data", tmp_path / "certificates"
    settings = Settings(data_directory=data, certificates=certificates, timing_lock=tmp_path / "timing.lock")
    mine = data / "uploads" / "sha256" / "mine.mtx"
    mine.parent.mkdir(parents=True)
    certificates.mkdir()
    for sight in (sight_of(settings), embedded_state(settings).sight, joined_state(settings).sight):
        told = sight.to_document({"datasets": {"sha256:0": str(mine)}})
        assert told["hidden"][:2] == [str(data.resolve()), str(certificates.resolve())]
        assert told["readable"][-1:] == [str(mine.resolve())]
        assert told["writable"] == []


def test_a_check_of_an_upload_writes_the_file_that_it_unpacks_and_no_other(tmp_path: Path) -> None:
    settings = Settings(data_directory=tmp_path, timing_lock=tmp_path / "timing.lock")
    job = {"path": str(tmp_path / "packed"), "packing": {"into": str(tmp_path / "plain")}}
    told = sight_of(settings).to_document(job)
    assert (told["readable"][-1:], told["writable"]) == ([str(tmp_path / "packed")], [str(tmp_path / "plain")])


def test_whatever_is_no_program_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The home, the key that seals the server's kernels, temporary files, what other servers of this user keep."""
    monkeypatch.setenv("HOME", str(tmp_path))
    told = Sight().to_document({})
    home, here = str(tmp_path), str(Path(tempfile.gettempdir()).resolve())
    assert {home, here, str(cache_root().resolve())} <= set(told["hidden"])
    assert {f"/{name}" for name in ("var", "srv", "home", "root", "run") if Path(f"/{name}").is_dir()} <= set(
        told["hidden"]
    )
    assert not {"/usr", "/etc", "/opt", "/"} & set(told["hidden"])
    for needed in (sys.prefix, os.path.realpath(sys.base_prefix), str(PACKAGE.parent), os.path.dirname(os.__file__)):
        assert any(Path(needed).is_relative_to(folder) for folder in told["readable"]), needed


def test_a_home_among_the_programs_stays_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of system users often is a folder of programs."""
    for home in ("/", "/usr/sbin", "/bin"):
        monkeypatch.setenv("HOME", home)
        assert home not in Sight().to_document({})["hidden"]


@pytest.mark.skipif(os.geteuid() != 0, reason="other users may not read it anyway")
def test_what_the_root_user_alone_may_read_of_the_system_is_hidden() -> None:
    assert "/etc/shadow" in Sight().to_document({})["hidden"]
