"""Built-in data and uploads: kept by content, read before they are believed, gone when cut off."""

from __future__ import annotations

import hashlib
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backend.http.test_problems import problem
from tests.backend.serving import PATIENCE_SECONDS, Server, plan

pytestmark = pytest.mark.takes_turns(4)

MTX = b"%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 1.5\n3 4 2.5\n"
TNS = b"1 1 1 1.0\n2 3 4 2.0\n"
MALFORMED = Path(__file__).resolve().parents[2] / "data" / "malformed"


def incoming(server: Server) -> list[Path]:
    return list((server.data / "uploads" / "incoming").iterdir())


def test_the_built_in_data_is_listed_with_its_facts(server: Server) -> None:
    datasets = {dataset["id"]: dataset for dataset in server.client.get("/api/v1/datasets").json()}
    assert datasets["bcsstk13"]["shape"] == [2003, 2003]
    assert datasets["bcsstk13"]["nnz"] == 83_883
    assert datasets["bcsstk13"]["origin"] == "builtin"


@pytest.mark.parametrize(("name", "content", "shape"), [("my matrix ü.mtx", MTX, [3, 4]), ("T.TNS", TNS, [2, 3, 4])])
def test_an_upload_is_named_by_its_content_and_can_be_run(
    server: Server, name: str, content: bytes, shape: list[int]
) -> None:
    answer = server.client.put("/api/v1/datasets", params={"name": name}, content=content)
    assert answer.status_code == 201, answer.text
    identity = f"sha256:{hashlib.sha256(content).hexdigest()}"
    assert answer.json() == {
        "id": identity,
        "name": name,
        "origin": "upload",
        "shape": shape,
        "nnz": 2,
        "summary": f"Uploaded file, {' × '.join(map(str, shape))}, 2 nonzeros",
        "bytes": len(content),
        "own": True,
        "kept_days": 90,
    }
    assert identity in [dataset["id"] for dataset in server.client.get("/api/v1/datasets").json()]
    assert server.wait(server.run(plan(inputs={"A": {"upload": identity}})))["state"] == "done"


def test_the_same_bytes_are_one_dataset(server: Server) -> None:
    content = MTX.replace(b"2.5", b"3.5")
    first = server.client.put("/api/v1/datasets", params={"name": "first.mtx"}, content=content).json()
    second = server.client.put("/api/v1/datasets", params={"name": "second.mtx"}, content=content).json()
    assert second == first


@pytest.mark.parametrize("path", sorted(MALFORMED.glob("*.mtx")), ids=lambda path: path.stem)
def test_a_malformed_file_is_refused_with_its_line(server: Server, path: Path) -> None:
    answer = server.client.put("/api/v1/datasets", params={"name": path.name}, content=path.read_bytes())
    assert "Line " in problem(answer, 422, "The file cannot be read")
    assert answer.json()["diagnostics"][0]["location"]["part"] == "input"
    assert incoming(server) == []


def test_a_header_that_promises_more_than_the_file_holds(server: Server) -> None:
    content = MTX.replace(b"3 4 2", b"3 4 2000000000")
    answer = server.client.put("/api/v1/datasets", params={"name": "x.mtx"}, content=content)
    assert "2,000,000,000" in problem(answer, 422, "The file cannot be read")


@pytest.mark.parametrize("name", ["", "a/b.mtx", "..\\b.mtx", "a\x00.mtx", "x" * 201 + ".mtx"])
def test_a_name_that_is_no_file_name(server: Server, name: str) -> None:
    answer = server.client.put("/api/v1/datasets", params={"name": name}, content=MTX)
    assert "1 to 200 characters" in problem(answer, 422, "This is not a valid file name")


def test_names_never_become_paths(server: Server) -> None:
    content = MTX.replace(b"2.5", b"4.5")
    answer = server.client.put("/api/v1/datasets", params={"name": "...mtx"}, content=content)
    assert answer.status_code == 201
    kept = [path.name for path in (server.data / "uploads" / "sha256").iterdir() if path.suffix == ".mtx"]
    assert f"{hashlib.sha256(content).hexdigest()}.mtx" in kept
    assert all(len(name) == 68 for name in kept)


@pytest.mark.parametrize("name", ["x.csv", "mtx", "x.gz"])
def test_another_kind_of_file(server: Server, name: str) -> None:
    answer = server.client.put("/api/v1/datasets", params={"name": name}, content=MTX)
    assert "ends in .mtx (Matrix Market), .tns (FROSTT) or .smtx (DLMC)" in problem(answer, 415, "Unknown kind of file")


def test_a_missing_name(server: Server) -> None:
    answer = server.client.put("/api/v1/datasets", content=MTX)
    assert "query.name: Field required" in problem(answer, 422, "The request is not valid")


def test_a_file_that_announces_too_much(server: Server) -> None:
    answer = server.client.put("/api/v1/datasets", params={"name": "x.mtx"}, content=b" " * ((2 << 20) + 1))
    assert "at most 2,097,152 bytes" in problem(answer, 413, "Content Too Large")


def test_a_file_that_turns_out_too_large(server: Server) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(40):
            yield b"%" * 65_536

    answer = server.client.put("/api/v1/datasets", params={"name": "x.mtx"}, content=chunks())
    assert "at most 2,097,152 bytes" in problem(answer, 413, "Content Too Large")
    assert incoming(server) == []


def test_an_upload_that_is_cut_off_leaves_nothing(server: Server) -> None:
    head = (
        b"PUT /api/v1/datasets?name=cut.mtx HTTP/1.1\r\nHost: localhost\r\n"
        b"Content-Type: application/octet-stream\r\nContent-Length: 100000\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        connection.sendall(head + MTX)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not incoming(server):
            assert time.monotonic() < deadline, "the upload never began"
            time.sleep(0.02)
    deadline = time.monotonic() + PATIENCE_SECONDS
    while incoming(server):
        assert time.monotonic() < deadline, "the cut-off upload is still there"
        time.sleep(0.02)
    assert "cut.mtx" not in [dataset["name"] for dataset in server.client.get("/api/v1/datasets").json()]
