"""What the child of a run does not see of a server: each way to start one knows it."""

from __future__ import annotations

from pathlib import Path

from heddle_server.engine.children.sight import sight_of
from heddle_server.engine.cluster.worker_state import embedded_state, joined_state
from heddle_server.settings import Settings


def test_the_data_directory_and_the_certificates_are_hidden_but_for_what_a_job_names(tmp_path: Path) -> None:
    data, certificates = tmp_path / "data", tmp_path / "certificates"
    settings = Settings(data_directory=data, certificates=certificates, timing_lock=tmp_path / "timing.lock")
    mine = data / "uploads" / "sha256" / "mine.mtx"
    mine.parent.mkdir(parents=True)
    certificates.mkdir()
    for sight in (sight_of(settings), embedded_state(settings).sight, joined_state(settings).sight):
        told = sight.to_document({"datasets": {"sha256:0": str(mine)}})
        hidden = [str(data.resolve()), str(certificates.resolve())]
        assert told == {"hidden": hidden, "readable": [str(mine.resolve())], "writable": []}


def test_a_check_of_an_upload_writes_the_file_that_it_unpacks_and_no_other(tmp_path: Path) -> None:
    settings = Settings(data_directory=tmp_path, timing_lock=tmp_path / "timing.lock")
    job = {"path": str(tmp_path / "packed"), "packing": {"into": str(tmp_path / "plain")}}
    told = sight_of(settings).to_document(job)
    assert (told["readable"], told["writable"]) == ([str(tmp_path / "packed")], [str(tmp_path / "plain")])
