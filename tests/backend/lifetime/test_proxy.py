"""Behind a real nginx, set up by the very file that docs/how-to/operate.md offers."""

from __future__ import annotations

import json
import os
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from heddle_server.engine.cluster.certificates import make_certificates
from tests.backend.programs import find_program
from tests.backend.serving import PATIENCE_SECONDS, ROOT, Server, plan

NGINX = find_program("nginx")
pytestmark = [
    pytest.mark.takes_turns(4),
    pytest.mark.skipif(NGINX is None, reason="nginx is not installed, and there is no wheel of it for here"),
]
NAME = "heddle.example.org"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def configuration(folder: Path, upstream: int, secure: int, plain: int) -> str:
    """The recipe with this test's ports and certificate, and what Debian's nginx.conf has around it."""
    text = (ROOT / "docs" / "nginx.conf").read_text(encoding="utf-8")
    certificates = make_certificates(folder / "certificates", [NAME])[0]
    for old, new in (
        ("127.0.0.1:8000", f"127.0.0.1:{upstream}"),
        ("listen 443 ssl http2", f"listen 127.0.0.1:{secure} ssl"),
        ("listen 80", f"listen 127.0.0.1:{plain}"),
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(certificates / "certificate.pem")),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(certificates / "key.pem")),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "\n".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    user = "user root;" if os.geteuid() == 0 else ""
    return (
        f"daemon off; {user} pid {folder / 'pid'}; error_log {folder / 'error.log'};\n"
        f"events {{ }}\nhttp {{ access_log off;\n{temporary}\n{text}\n}}\n"
    )


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, int]]:
    """A server, and the port at which nginx speaks TLS for it."""
    folder = tmp_path_factory.mktemp("nginx")
    server = Server(
        folder / "data", trusted_proxies='["127.0.0.1"]', allowed_hosts=f'["{NAME}", "127.0.0.1"]', json_log=1
    ).start()
    secure, plain = free_port(), free_port()
    (folder / "nginx.conf").write_text(configuration(folder, server.port, secure, plain))
    process = subprocess.Popen([str(NGINX), "-p", str(folder), "-c", str(folder / "nginx.conf")])
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", secure)).close()
            break
        except OSError:
            assert process.poll() is None, (folder / "error.log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.05)
    yield server, secure
    process.terminate()
    process.wait(timeout=PATIENCE_SECONDS)
    server.stop()


def client(port: int, address: str) -> httpx.Client:
    """A browser at that address of this machine."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    transport = httpx.HTTPTransport(local_address=address, verify=context)
    headers = {"Host": NAME}
    return httpx.Client(transport=transport, base_url=f"https://127.0.0.1:{port}", headers=headers, timeout=60)


def wait_for_writes(server: Server, *addresses: str) -> None:
    """Until the log has these as its last writes: an answer may be here before the line that tells of it."""
    deadline = time.monotonic() + 30
    while (last := [line["address"] for line in told(server)[-len(addresses) :]]) != list(addresses):
        assert time.monotonic() < deadline, last
        time.sleep(0.05)


def told(server: Server) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in server.log.splitlines() if line.startswith("{")]
    return [line for line in lines if line["logger"] == "heddle.audit"]


def test_the_address_is_the_client_s_and_nobody_else_s(proxied: tuple[Server, int]) -> None:
    server, port = proxied
    forged = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "http"}
    with client(port, "127.0.0.2") as browser:
        answer = browser.post("/api/v1/runs", json=plan("silent"), headers=forged)
    assert answer.status_code == 202, answer.text
    assert "; Secure" in answer.headers["set-cookie"]
    assert answer.headers["strict-transport-security"] == "max-age=31536000"
    # Past the proxy, from an address that is none.
    with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.3"), base_url=server.url) as stranger:
        direct = stranger.post("/api/v1/runs", json=plan("silent"), headers=forged)
    assert direct.status_code == 202
    assert "; Secure" not in direct.headers["set-cookie"]
    wait_for_writes(server, "127.0.0.2", "127.0.0.3")


def test_events_come_one_by_one(proxied: tuple[Server, int]) -> None:
    server, port = proxied
    run = server.run(plan("hang"))
    with client(port, "127.0.0.2") as browser, browser.stream("GET", f"/api/v1/runs/{run}/events") as answer:
        for line in answer.iter_lines():
            if "hanging" in line:
                break  # It came while the run goes on, although the stream has not ended.
        else:
            pytest.fail("the stream ended without the event")
    server.client.delete(f"/api/v1/runs/{run}")


@pytest.mark.parametrize(
    ("method", "path", "sent", "statuses"),
    [
        ("GET", "/metrics", {}, (404,)),
        ("GET", "/api/v1/formats", {"headers": {"X-Long": "a" * 70_000}}, (400, 431)),
        ("POST", "/api/v1/compile", {"content": b" " * (2 << 20)}, (413,)),
        ("GET", "/api/v1/formats", {"headers": {"Host": "elsewhere.example.org"}}, (421,)),
    ],
    ids=["metrics", "headers", "body", "name"],
)
def test_what_does_not_belong_here_is_refused(
    proxied: tuple[Server, int], method: str, path: str, sent: dict[str, Any], statuses: tuple[int, ...]
) -> None:
    with client(proxied[1], "127.0.0.2") as browser:
        assert browser.request(method, path, **sent).status_code in statuses
