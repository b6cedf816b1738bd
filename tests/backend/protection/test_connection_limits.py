"""Raw connections that send too much, too slowly or nothing, to a real server: each is refused by name, the next
request is answered, and the server's memory stays where it was."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.backend.serving import SPMV, Server

pytestmark = pytest.mark.takes_turns(4)

CONNECTIONS = 60
ALLOWED_GROWTH = 50 << 20


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(
        tmp_path_factory.mktemp("guarded"),
        header_seconds=1.5,
        body_seconds=2,
        address_connections=CONNECTIONS,
        json_body_bytes=1 << 20,
        quota_factor=0,
    ).start()
    yield server
    server.stop()


@contextlib.contextmanager
def connection(server: Server) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as opened:
        yield opened


def answer_to(server: Server, *pieces: bytes) -> bytes:
    """What the server says to these pieces, until it closes."""
    with connection(server) as opened:
        for piece in pieces:
            try:
                opened.sendall(piece)
            except OSError:
                break  # Refused, and cut off while we went on.
        return everything(opened)


def everything(opened: socket.socket) -> bytes:
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := opened.recv(65_536):
            said += piece
    return said


def status(said: bytes) -> int:
    return int(said.split(b" ", 2)[1]) if said else 0


def detail(said: bytes) -> str:
    return str(json.loads(said.partition(b"\r\n\r\n")[2])["detail"])


def resident(server: Server) -> int:
    assert server.process is not None
    return int(psutil.Process(server.process.pid).memory_info().rss)


def assert_answers(server: Server) -> None:
    assert server.client.post("/api/v1/compile", json=SPMV).status_code == 200


HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


def test_headers_of_megabytes_are_refused_and_not_kept(guarded: Server) -> None:
    assert_answers(guarded)
    before = resident(guarded)
    said = answer_to(guarded, HEAD, *[b"X-Long: " + b"a" * (1 << 20)] * 64)
    assert status(said) in (431, 0)  # 0: cut off before the answer was read
    said = answer_to(guarded, HEAD, b"X-Long: " + b"a" * (33 << 10))
    assert status(said) == 431
    assert detail(said) == "The headers of a request take at most 32,768 bytes."
    assert resident(guarded) - before < ALLOWED_GROWTH
    assert_answers(guarded)


@pytest.mark.parametrize(
    ("pieces", "code", "text"),
    [
        ((HEAD, b"a: b\r\n" * 200, b"\r\n"), 431, "A request has at most 100 headers."),
        ((b"GET /" + b"a" * (40 << 10),), 431, "The headers of a request take at most 32,768 bytes."),
        ((HEAD, b"X-Slow: a"), 408, "The headers of a request must come within 1.5 s."),
        ((b"\r\n" * 20,), 408, "The headers of a request must come within 1.5 s."),
        ((b"no http\r\n\r\n",), 400, "This is not a request of HTTP/1.1."),
    ],
    ids=["many", "long address", "slow", "only line ends", "no request"],
)
def test_a_request_that_is_out_of_bounds_is_refused_by_name(
    guarded: Server, pieces: tuple[bytes, ...], code: int, text: str
) -> None:
    said = answer_to(guarded, *pieces)
    assert (status(said), detail(said)) == (code, text)
    assert b"application/problem+json" in said
    assert b"connection: close" in said


def test_headers_after_a_body_in_pieces_count_too(guarded: Server) -> None:
    start = (
        b"POST /api/v1/compile HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
    )
    said = answer_to(guarded, start, b"a: b\r\n" * 300)
    assert status(said) == 431


SLOW = (
    b"POST /api/v1/compile HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"
)


def test_a_body_that_stops_is_refused(guarded: Server) -> None:
    said = answer_to(guarded, SLOW)
    assert (status(said), detail(said)) == (408, "Nothing of the body came for 2 s.")


def test_a_body_that_trickles_is_refused(guarded: Server) -> None:
    with connection(guarded) as opened:
        opened.sendall(SLOW)
        opened.settimeout(0.3)
        said = b""
        while not said:
            with contextlib.suppress(TimeoutError):
                said = opened.recv(65_536)
            with contextlib.suppress(OSError):
                opened.sendall(b" ")
    assert (status(said), detail(said)) == (408, "The body came too slowly: below 500 bytes a second.")


def test_who_says_nothing_is_forgotten(guarded: Server) -> None:
    with connection(guarded) as silent:
        assert everything(silent) == b""


def test_an_address_has_so_many_connections_and_gets_them_back(guarded: Server) -> None:
    guarded.client.close()
    guarded.client = type(guarded.client)(base_url=guarded.url, timeout=60)
    assert_answers(guarded)  # One connection is ours.
    with contextlib.ExitStack() as opened:
        for _ in range(CONNECTIONS - 1):
            one = opened.enter_context(connection(guarded))
            one.sendall(HEAD + b"\r\n")  # It says something at once, and is idle then.
            assert status(one.recv(65_536)) == 200
        said = answer_to(guarded)
        assert status(said) == 503
        assert detail(said) == f"Your address has {CONNECTIONS} connections to this server, which is the limit."
        assert b"retry-after: 10" in said
        assert_answers(guarded)
    deadline = time.monotonic() + 30
    while status(answer_to(guarded, HEAD + b"Connection: close\r\n\r\n")) != 200:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_requests_that_wait_on_one_connection_are_few(guarded: Server) -> None:
    said = answer_to(guarded, (HEAD + b"\r\n") * 5_000)
    assert said.count(b"HTTP/1.1 200") <= 10


def test_bodies_in_memory_at_a_time_are_bounded(guarded: Server) -> None:
    before = resident(guarded)
    body = b" " * ((1 << 20) - 1)
    start = (
        b"POST /api/v1/compile HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 1048576\r\nConnection: close\r\n\r\n"
    )
    said: list[bytes] = []

    def hold() -> None:
        said.append(answer_to(guarded, start, body))

    holders = [threading.Thread(target=hold) for _ in range(24)]
    for one in holders:
        one.start()
    assert_answers(guarded)
    for one in holders:
        one.join(timeout=60)
    codes = sorted(status(each) for each in said)
    assert 503 in codes
    assert set(codes) <= {408, 503, 0}
    assert resident(guarded) - before < ALLOWED_GROWTH
    assert_answers(guarded)


def test_an_answer_that_nobody_reads_is_given_up(guarded: Server) -> None:
    """The page's largest file, asked for by many who do not read it."""
    before = resident(guarded)
    ask = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with contextlib.ExitStack() as opened:
        for _ in range(CONNECTIONS - 5):
            deaf = socket.socket()
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.connect(("127.0.0.1", guarded.port))
            opened.enter_context(deaf)
            deaf.sendall(ask * 8)
        assert_answers(guarded)
        assert resident(guarded) - before < ALLOWED_GROWTH
    assert_answers(guarded)


def answered(server: Server) -> float:
    """Requests that were answered for the description of the API."""
    lines = server.client.get("/metrics").text.splitlines()
    counts = [line for line in lines if line.startswith("heddle_requests_total") and "openapi.json" in line]
    return sum(float(line.rsplit(" ", 1)[1]) for line in counts)


def test_requests_that_wait_behind_an_unread_answer_are_not_begun(guarded: Server) -> None:
    """Work for who does not read kept everybody else waiting: 2,400 requests in a moment, 16 s for the next visitor."""
    before = answered(guarded)
    ask = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with contextlib.ExitStack() as opened:
        for _ in range(20):
            deaf = socket.socket()
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.connect(("127.0.0.1", guarded.port))
            opened.enter_context(deaf)
            deaf.sendall(ask * 8)
        begun = time.monotonic()
        assert_answers(guarded)
        while answered(guarded) - before < 20:
            assert time.monotonic() < begun + 60
        time.sleep(1)
        # Each first answer, and those that the system's own buffers took; never all eight.
        assert answered(guarded) - before < 20 * 7


def test_requests_that_are_sent_at_once_are_answered_one_after_another(guarded: Server) -> None:
    with connection(guarded) as opened:
        opened.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2 + HEAD + b"Connection: close\r\n\r\n")
        begun = time.monotonic()
        said = everything(opened)
    assert said.count(b"HTTP/1.1 200 OK") == 3
    assert time.monotonic() - begun > 0.4


def test_a_name_of_two_hosts_is_refused(guarded: Server) -> None:
    said = answer_to(guarded, HEAD + b"Host: elsewhere\r\nConnection: close\r\n\r\n")
    assert status(said) == 400
    assert detail(said) == "A request names its host once; this one has 2 Host headers."


def test_logs_tell_nothing_of_it(guarded: Server) -> None:
    """What strangers send must not fill the disk with warnings."""
    log = Path(guarded.data / "server.log")
    before = log.stat().st_size
    for _ in range(20):
        answer_to(guarded, b"no http\r\n\r\n")
    assert log.stat().st_size == before
