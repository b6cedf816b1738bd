"""A worker that is not let in, and the scheduler that did not let it in, say so and why."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key

from heddle_server.engine.cluster import admission
from heddle_server.engine.cluster.admission import HANDSHAKES, Refusals, find_obstacle
from heddle_server.engine.cluster.certificates import make_certificates
from heddle_server.engine.cluster.cluster_security import AUTHORITY, CERTIFICATE, KEY, require_protection

GREETING = b"\x05\0\0\0\0\0\0\0hello"
"""As Dask's: its length comes first."""


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
async def scheduler(certificates: Path | None, says: bytes = GREETING) -> AsyncIterator[int]:
    """Speaks first, as Dask does."""
    context = None
    if certificates is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(certificates / AUTHORITY))
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_cert_chain(certificates / CERTIFICATE, certificates / KEY)

    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(says)
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


@pytest.mark.parametrize(
    ("name", "content"),
    [(CERTIFICATE, b"no certificate"), (AUTHORITY, b""), (KEY, None), (CERTIFICATE, None)],
)
async def test_certificates_that_cannot_be_used_are_named(
    ours: Path, tmp_path: Path, name: str, content: bytes | None
) -> None:
    """They ended the worker with a traceback: damaged, of two machines, or taken away while it waits."""
    for each in (AUTHORITY, CERTIFICATE, KEY):
        (tmp_path / each).write_bytes((ours / "lab-1" / each).read_bytes())
    (tmp_path / name).write_bytes(content if content is not None else (ours / "lab-2" / name).read_bytes())
    obstacle = await find_obstacle("tls://127.0.0.1:1", tmp_path)
    assert obstacle is not None
    assert obstacle.startswith(f"the certificates in {tmp_path} cannot be used (")
    obstacle = await find_obstacle("tls://127.0.0.1:1", tmp_path / "nowhere")
    assert obstacle is not None
    assert "no such file" in obstacle


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:99999", "tcp://127.0.0.1:port", "tcp://[::1:1"])
def test_an_address_that_is_none_is_refused_at_once(address: str) -> None:
    """A worker would try it for ever."""
    with pytest.raises(ValueError, match=r"is no address .+; expected one such as tls://lab-1:8786"):
        require_protection(address, None, trusted_network=False)


@pytest.mark.parametrize("says", [b"SSH-2.0-OpenSSH_9.6\r\n", b"220 x\r\n", b"+OK\r\n"])
async def test_what_answers_and_is_no_scheduler_is_named(says: bytes) -> None:
    """A worker waited for half a minute for it to let it in."""
    async with scheduler(None, says) as port:
        obstacle = await find_obstacle(f"tcp://127.0.0.1:{port}", None)
    assert obstacle == f"what answers there is no scheduler: it says {says[:8]!r}"


@pytest.mark.parametrize("days", [(-9, -1), (1, 9)])
async def test_a_certificate_out_of_its_time_is_of_no_other_authority(
    ours: Path, tmp_path: Path, days: tuple[int, int]
) -> None:
    for each in (AUTHORITY, CERTIFICATE, KEY):
        (tmp_path / each).write_bytes((ours / "lab-1" / each).read_bytes())
    _date_otherwise(ours, tmp_path, days)
    async with scheduler(tmp_path) as port:
        obstacle = await find_obstacle(f"tls://127.0.0.1:{port}", ours / "lab-2")
    assert obstacle is not None
    assert obstacle.startswith("its certificate is not valid today by this machine's clock (")
    async with scheduler(ours / "lab-2") as port:
        obstacle = await find_obstacle(f"tls://127.0.0.1:{port}", tmp_path)
    assert obstacle is not None
    assert f"certificate in {tmp_path}" in obstacle


def _date_otherwise(ours: Path, folder: Path, days: tuple[int, int]) -> None:
    """The certificate of a machine, of the same authority, valid so many days from now."""
    authority = x509.load_pem_x509_certificate((ours / AUTHORITY).read_bytes())
    signing = load_pem_private_key((ours / "authority-key.pem").read_bytes(), None)
    machine = x509.load_pem_x509_certificate((folder / CERTIFICATE).read_bytes())
    begin, end = (datetime.now(UTC) + timedelta(days=number) for number in days)
    assert isinstance(signing, EllipticCurvePrivateKey)
    dated = (
        x509.CertificateBuilder()
        .subject_name(machine.subject)
        .issuer_name(authority.subject)
        .public_key(machine.public_key())
        .serial_number(7)
        .not_valid_before(begin)
        .not_valid_after(end)
        .sign(signing, SHA256())
    )
    (folder / CERTIFICATE).write_bytes(dated.public_bytes(Encoding.PEM))


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
        "Refused 10.0.0.7:4711: it has no valid certificate of this cluster's authority, or speaks no TLS (unknown ca)"
    ]
