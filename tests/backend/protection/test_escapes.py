"""Ways out that a stranger may try: through names, addresses, links in archives, and addresses given as data."""

from __future__ import annotations

import io
import socket
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from heddle_server import cli
from tests.backend.http.test_problems import problem
from tests.backend.serving import Server, plan


@pytest.fixture
def bait() -> Iterator[tuple[str, list[bytes]]]:
    """The address of a listener on this machine, and what has reached it."""
    reached: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        ended = threading.Event()

        def listen() -> None:
            while not ended.is_set():
                try:
                    connection, _ = listener.accept()
                except TimeoutError:
                    continue
                reached.append(b"a connection")
                connection.close()

        thread = threading.Thread(target=listen)
        thread.start()
        yield f"127.0.0.1:{listener.getsockname()[1]}", reached
        ended.set()
        thread.join()


@pytest.mark.parametrize(
    "form", ["http://{}/m.mtx", "//{}/m.mtx", "suitesparse:HB/@{}/", "HB/../{}", "file:///etc/passwd"]
)
@pytest.mark.parametrize("field", ["dataset", "upload"])
def test_an_address_as_data_is_not_followed(
    server: Server, bait: tuple[str, list[bytes]], form: str, field: str
) -> None:
    address, reached = bait
    answer = server.client.post("/api/v1/runs", json=plan(inputs={"A": {field: form.format(address)}}))
    assert answer.status_code == 400, answer.text
    assert server.client.post(
        "/api/v1/downloads", json={"collection": "suitesparse", "name": form.format(address)}
    ).status_code in (404, 422)
    assert reached == []


@pytest.mark.parametrize(
    "path", ["/../pyproject.toml", "/%2e%2e/pyproject.toml", "/assets/..%2f..%2fpyproject.toml", "//etc/passwd", "/%00"]
)
def test_no_address_leads_out_of_the_page_s_folder(server: Server, path: str) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        # Sent as it is: a client would tidy the path.
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert b" 404 " in answer.splitlines()[0]
    assert b"[project]" not in answer
    assert b"root:" not in answer


def test_a_link_in_the_uploads_is_not_followed_by_a_hash_that_is_not_in_the_table(server: Server) -> None:
    kept = server.data / "uploads" / "sha256"
    (kept / f"{'0' * 64}.mtx").symlink_to("/etc/passwd")
    try:
        answer = server.client.post("/api/v1/runs", json=plan(inputs={"A": {"upload": f"sha256:{'0' * 64}"}}))
        problem(answer, 400, "Unknown dataset")
    finally:
        (kept / f"{'0' * 64}.mtx").unlink()


def entry(name: str, **changes: object) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    for field, value in changes.items():
        setattr(made, field, value)
    return made


@pytest.mark.parametrize(
    "hostile",
    [
        entry("uploads/sha256/../../../escaped", size=1),
        entry("uploads/sha256/x", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
        entry("uploads/sha256/x", type=tarfile.LNKTYPE, linkname="../../../escaped"),
        entry("uploads/sha256/x", type=tarfile.CHRTYPE, devmajor=1, devminor=3),
    ],
    ids=["path", "symbolic link", "hard link", "device"],
)
def test_a_backup_that_somebody_changed_writes_nothing_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], hostile: tarfile.TarInfo
) -> None:
    source, data = tmp_path / "kept.tar.gz", tmp_path / "a" / "data"
    with tarfile.open(source, "w:gz") as archive:
        archive.addfile(hostile, io.BytesIO(b"x"))
    assert cli.main(["restore", str(source), "--data-directory", str(data)]) == 1
    assert "kept.tar.gz: " in capsys.readouterr().err
    assert not list(tmp_path.rglob("escaped"))
    assert not (data / "uploads" / "sha256" / "x").is_symlink()
