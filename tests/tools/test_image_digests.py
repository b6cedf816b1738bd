"""Images are pinned to what the registry sends, which is checked against what it says."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tools.image_digests import DOCKERFILE, IMAGE, digest_in_registry, pinned

INDEX = json.dumps({"manifests": [{"platform": {"architecture": "arm64"}}]}).encode()
DIGEST = f"sha256:{hashlib.sha256(INDEX).hexdigest()}"
ANSWERS = {
    "/v2/library/python/manifests/3.11": (INDEX, DIGEST),
    "/v2/some/tool/manifests/1": (INDEX, "sha256:" + "0" * 64),
    "/v2/library/single/manifests/1": (b"{}", f"sha256:{hashlib.sha256(b'{}').hexdigest()}"),
}


class Registry(BaseHTTPRequestHandler):
    """Asks for a token, as Docker's does, and gives one to whoever names the service and the scope."""

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        host = f"http://127.0.0.1:{self.server.server_address[1]}"
        if path == "/token":
            self.answer(200, json.dumps({"token": query}).encode())
        elif self.headers.get("Authorization") != "Bearer service=here&scope=repository%3Aall%3Apull":
            challenge = f'Bearer realm="{host}/token",service="here",scope="repository:all:pull"'
            self.answer(401, b"", {"WWW-Authenticate": challenge})
        elif path in ANSWERS:
            content, digest = ANSWERS[path]
            self.answer(200, content, {"Docker-Content-Digest": digest})
        else:
            self.answer(404, b"")

    def answer(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(content))} | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def registry() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Registry) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_a_digest_is_that_of_what_was_sent(registry: str) -> None:
    assert digest_in_registry("python", "3.11", registry) == DIGEST


@pytest.mark.parametrize(
    ("name", "reason"), [("some/tool", "calls it something else"), ("single", "of one architecture alone")]
)
def test_what_is_not_what_it_says_is_refused(registry: str, name: str, reason: str) -> None:
    with pytest.raises(LookupError, match=reason):
        digest_in_registry(name, "1", registry)


def test_an_unknown_image_is_an_error(registry: str) -> None:
    with pytest.raises(OSError, match="404"):
        digest_in_registry("python", "2.7", registry)


def test_each_image_keeps_its_tag_and_gets_its_digest() -> None:
    digests = iter(("sha256:" + "1" * 64, "sha256:" + "2" * 64, "sha256:" + "3" * 64))
    text = f"# syntax=docker/dockerfile:1\nFROM node:22 AS page\nFROM page\nFROM python:3.11@sha256:{'f' * 64}\nRUN x\n"
    once = pinned(text, lambda name, tag: next(digests))
    assert once == (
        f"# syntax=docker/dockerfile:1@sha256:{'1' * 64}\nFROM node:22@sha256:{'2' * 64} AS page\nFROM page\n"
        f"FROM python:3.11@sha256:{'3' * 64}\nRUN x\n"
    )


def test_every_image_of_ours_is_found() -> None:
    images = [image["name"] for image in IMAGE.finditer(DOCKERFILE.read_text())]
    assert images == ["docker/dockerfile", "node", "python", "python"]
