"""A worker that is not let in, and the scheduler that did not let it in, say so and why."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from heddle_server.engine.cluster import admission
from heddle_server.engine.cluster.admission import HANDSHAKES, Refusals, find_obstacle
from heddle_server.engine.cluster.certificates import make_certificates
from heddle_server.engine.cluster.cluster_security import AUTHORITY, CERTIFICATE, KEY


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ours")
    make_certificates(folder, ["lab-1", "lab-2"])
    return folder


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("foreign")
    make_certificates(folder, ["lab-1"])
    return folder / "lab-1"


@asynccontextmanager
async def scheduler(certificates: Path | None) -> AsyncIterator[int]:
    """Speaks first, as Dask does."""
    context = None
    if certificates is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(certificates / AUTHORITY))
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_cert_chain(certificates / CERTIFICATE, certificates / KEY)

    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello")
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def test_who_has_a_certificate_of_the_authority_is_let_in(ours: Path) -> None:
    async with scheduler(ours / "lab-1") as port:
        assert await find_obstacle(f"tls://127.0.0.1:{port}", ours / "lab-2") is None
    async with scheduler(None) as port:
        assert await find_obstacle(f"tcp://127.0.0.1:{port}", None) is None


async def test_a_scheduler_of_another_authority_is_named(ours: Path, foreign: Path) -> None:
    async with scheduler(ours / "lab-1") as port:
        obstacle = await find_obstacle(f"tls://127.0.0.1:{port}", foreign)
    assert obstacle == f"its certificate is of another authority than {foreign / AUTHORITY}"


async def test_a_certificate_that_is_refused_is_named(ours: Path, foreign: Path, tmp_path: Path) -> None:
    for name, folder in ((AUTHORITY, ours / "lab-1"), (CERTIFICATE, foreign), (KEY, foreign)):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    async with scheduler(ours / "lab-1") as port:
        obstacle = await find_obstacle(f"tls://127.0.0.1:{port}", tmp_path)
    assert obstacle is not None
    assert f"certificate in {tmp_path}" in obstacle  # whether its alert or the end of the connection comes first


async def test_tls_on_one_side_alone_is_named(ours: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with scheduler(None) as port:
        obstacle = await find_obstacle(f"tls://127.0.0.1:{port}", ours / "lab-2")
    assert obstacle == "it does not speak TLS: write tcp:// before the host, or start it with --certificates"
    monkeypatch.setattr(admission, "ANSWER_SECONDS", 0.2)
    async with scheduler(ours / "lab-1") as port:
        obstacle = await find_obstacle(f"tcp://127.0.0.1:{port}", None)
    assert obstacle == "nothing came from it within 0.2 s; it may speak TLS (tls://, with --certificates)"


async def test_a_port_at_which_nobody_listens_is_named(ours: Path) -> None:
    async with scheduler(None) as port:
        pass
    obstacle = await find_obstacle(f"tls://127.0.0.1:{port}", ours / "lab-2")
    assert obstacle is not None
    assert "refused" in obstacle.lower() or "connect" in obstacle.lower()


def test_a_scheduler_says_whom_it_refused() -> None:
    said: list[str] = []
    handler = Refusals(said.append)
    record = logging.makeLogRecord
    handler.emit(
        record(
            {
                "msg": "Listener on %r: TLS handshake failed with remote %r: %s",
                "args": ("tls://h:1", ("10.0.0.7", 4711), "unknown ca"),
                "name": HANDSHAKES,
            }
        )
    )
    handler.emit(record({"msg": "anything else", "args": ()}))
    assert said == [
        "Refused 10.0.0.7:4711: it has no certificate of this cluster's authority, or speaks no TLS (unknown ca)"
    ]
