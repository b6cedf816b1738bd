"""``heddle replay``, ``backup`` and ``restore``."""

from __future__ import annotations

import base64
import hashlib
import json
import sqlite3
import tarfile
from pathlib import Path

import pytest

from heddle.algorithms.decompose import AlgorithmRun
from heddle.algorithms.document.reader import parse_algorithm
from heddle_server.command_line.replay import comparison, read_source, replay
from heddle_server.settings import Settings
from heddle_server.store.backup import backup, restore
from heddle_server.worker.decomposition.run import model_of
from heddle_server.worker.decomposition.tensor import tensor_of
from tests.backend.fake_child import RESULT
from tests.backend.serving import plan


def test_a_link_s_file_holds_plan_and_result(tmp_path: Path) -> None:
    file = tmp_path / "link.json"
    file.write_text(json.dumps({"id": "x", "plan": plan(), "run": {"result": RESULT}}))
    assert read_source(str(file)) == (plan(), RESULT)
    file.write_text(json.dumps(plan()))
    assert read_source(str(file)) == (plan(), None)
    file.write_text(json.dumps({"plan": plan(), "run": None}))
    assert read_source(str(file)) == (plan(), None)


@pytest.mark.parametrize("address", ["http://h/s/", "http://h/s/a%2Fb", "https://h/s/ü"])
def test_an_address_that_is_no_link_is_named(address: str) -> None:
    with pytest.raises(ValueError, match="expected the address of a link"):
        read_source(address)


def test_both_measurements_side_by_side() -> None:
    faster = {**RESULT, "entries": [{**entry, "median_ns": entry["median_ns"] / 2} for entry in RESULT["entries"]]}
    lines = comparison(RESULT, faster).splitlines()
    assert lines[1].split() == ["Heddle", "100", "ns", "50", "ns", "2.00", "×"]
    assert lines[2].split()[0] == "SciPy"
    assert "nothing to compare" in comparison(None, RESULT)


ALGORITHM = {
    "algorithm": "cp-als",
    "inputs": {"X": {"generator": "kruskal", "shape": [9, 10, 11], "rank": 2, "support": 5, "seed": 3}},
    "parameters": {"rank": 2, "sweeps": 50, "tolerance": 0},
}


def test_a_shared_decomposition_is_made_again_to_the_bit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also one that was stopped before its document says, which has as many sweeps as it has."""
    algorithm = parse_algorithm({**ALGORITHM, "parameters": {"rank": 2, "sweeps": 4, "tolerance": 0}})
    run = AlgorithmRun(algorithm, tensor_of(algorithm, {}))
    list(run)
    found = run.finish()
    artifact = f"sha256:{hashlib.sha256(base64.b64decode(model_of(found)['data'])).hexdigest()}"
    result = {
        "document": {**found.document, "parameters": ALGORITHM["parameters"]},
        "history": [sweep.to_json() for sweep in found.history],
        "fit": found.fit,
        "model": {"artifact": artifact, "bytes": 1},
    }
    file = tmp_path / "link.json"
    file.write_text(json.dumps({"id": "x", "plan": ALGORITHM, "run": {"result": result}}))
    assert replay(str(file), as_json=False) == 0
    assert capsys.readouterr().out.endswith("The same to the bit.\n")
    file.write_text(json.dumps({"plan": ALGORITHM, "run": {"result": {**result, "model": {"artifact": "sha256:0"}}}}))
    assert replay(str(file), as_json=True) == 1
    assert json.loads(capsys.readouterr().out)["same"] is False


def database(folder: Path, text: str) -> None:
    folder.mkdir()
    connection = sqlite3.connect(folder / "heddle.sqlite3")
    with connection:
        connection.execute("CREATE TABLE kept (text)")
        connection.execute("INSERT INTO kept VALUES (?)", (text,))
    connection.close()


def test_what_was_backed_up_is_restored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database(tmp_path / "old", "precious")
    uploads = tmp_path / "old" / "uploads" / "sha256"
    uploads.mkdir(parents=True)
    (uploads / "a.mtx").write_text("matrix")
    target = tmp_path / "kept.tar.gz"
    assert backup(Settings(data_directory=tmp_path / "old"), target) == 0
    assert backup(Settings(data_directory=tmp_path / "old"), target) == 1
    assert "File exists" in capsys.readouterr().err
    assert restore(Settings(data_directory=tmp_path / "new"), target) == 0
    connection = sqlite3.connect(tmp_path / "new" / "heddle.sqlite3")
    assert connection.execute("SELECT text FROM kept").fetchall() == [("precious",)]
    connection.close()
    assert (tmp_path / "new" / "uploads" / "sha256" / "a.mtx").read_text() == "matrix"
    assert restore(Settings(data_directory=tmp_path / "new"), target) == 1
    assert "already holds a database" in capsys.readouterr().err


def test_an_archive_that_leads_elsewhere_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evil = tmp_path / "evil.tar.gz"
    (tmp_path / "x").write_text("x")
    with tarfile.open(evil, "w:gz") as archive:
        archive.add(tmp_path / "x", "uploads/sha256/../../../escaped")
    assert restore(Settings(data_directory=tmp_path / "deep" / "data"), evil) == 1
    assert "outside" in capsys.readouterr().err
    assert not (tmp_path / "escaped").exists()


def test_nothing_to_back_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert backup(Settings(data_directory=tmp_path), tmp_path / "x.tar.gz") == 1
    assert "there is no SQLite database" in capsys.readouterr().err
