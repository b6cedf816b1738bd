"""``hd.share`` and ``hd.embed_html``: addresses of plans, and what is said where no explorer takes them."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote

import pytest

import heddle as hd
from heddle.library.sharing import PANES
from heddle.plan import parse_plan

SPMV = "y(i) = A(i,j) * x(j)"
ROOT = Path(__file__).resolve().parents[3]


class Explorer(BaseHTTPRequestHandler):
    """Answers every request with ``answer`` and keeps what was asked."""

    answer: ClassVar[tuple[int, bytes]] = (201, b'{"id": "AbC123", "url": "/s/AbC123", "own": true}')
    asked: ClassVar[list[tuple[str, Any, str | None]]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, body, self.headers.get("Authorization")))
        status, text = self.answer
        self.send_response(status)
        if status == 307:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def explorer(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(Explorer, "asked", [])
    server = HTTPServer(("127.0.0.1", 0), Explorer)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_plan_goes_to_the_server_and_has_its_address(explorer: str) -> None:
    kernel = hd.compile(SPMV, formats={"A": "csr"}, target="interpreter")
    assert hd.share(kernel, server=f"{explorer}/", access_code="open") == f"{explorer}/s/AbC123"
    ((path, body, authorization),) = Explorer.asked
    assert path == "/api/v1/links"
    assert parse_plan(body["plan"]) == kernel.result.plan
    assert authorization == "Bearer open"


@pytest.mark.parametrize("plan", [SPMV, {"expression": SPMV}, parse_plan({"expression": SPMV}), hd.lower(SPMV)])
def test_everything_that_has_a_plan_is_shared(explorer: str, plan: object) -> None:
    hd.share(plan, server=explorer)
    assert Explorer.asked[0][1]["plan"]["expression"] == SPMV


def test_a_folder_gets_the_plan_in_the_address() -> None:
    address = hd.share(SPMV, folder="https://example.org/heddle/")
    before, _, fragment = address.partition("#j1.")
    assert before == "https://example.org/heddle/"
    assert json.loads(unquote(fragment))["expression"] == SPMV


def test_a_frame_has_its_panes(explorer: str) -> None:
    frame = hd.embed_html(SPMV, panes=["code", "iteration"], server=explorer, edit=True, theme="dark")
    assert f'src="{explorer}/embed/AbC123?panes=code,iteration&amp;edit=1&amp;theme=dark"' in frame
    assert frame.startswith("<iframe ")
    assert "<script" not in hd.embed_html("y(i) = min(x(i), 2)", server=explorer)
    folder = hd.embed_html(SPMV, panes=["code"], folder="https://example.org/heddle")
    assert 'src="https://example.org/heddle/embed.html?panes=code#j1.' in folder


def test_the_panes_are_those_of_the_page() -> None:
    text = (ROOT / "frontend/src/state/address/embed-address.ts").read_text(encoding="utf-8")
    (listed,) = re.findall(r"EMBED_PANES = \[([^\]]*)\]", text)
    assert tuple(re.findall(r"'(\w+)'", listed)) == PANES


@pytest.mark.parametrize(
    ("answer", "code", "part"),
    [
        ((403, b'{"detail": "This server asks for a code."}'), "share/refused", "access_code"),
        ((413, b'{"detail": "The plan is too large."}'), "share/refused", "too large"),
        ((404, b"<h1>not here</h1>"), "share/answer", "no explorer"),
        ((200, b"[]"), "share/answer", "no explorer"),
        ((200, b'{"url": "http://elsewhere/"}'), "share/answer", "no explorer"),
        ((307, b""), "share/answer", "no explorer"),
    ],
)
def test_what_the_server_says_is_told(
    explorer: str, monkeypatch: pytest.MonkeyPatch, answer: tuple[int, bytes], code: str, part: str
) -> None:
    monkeypatch.setattr(Explorer, "answer", answer)
    with pytest.raises(hd.OperandError, match=part) as refused:
        hd.share(SPMV, server=explorer)
    assert refused.value.diagnostics[0].code == code
    assert len(Explorer.asked) == 1


def test_a_server_that_is_not_there_is_told() -> None:
    with pytest.raises(hd.OperandError, match="heddle serve"):
        hd.share(SPMV, server="http://127.0.0.1:9")


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: hd.share(SPMV, server="heddle.example"), "is not the address"),
        (lambda: hd.share(SPMV, server="file:///etc/passwd"), "is not the address"),
        (lambda: hd.share(SPMV, server="http://a b/"), "is not the address"),
        (lambda: hd.share(SPMV, server="http://h:99999"), "is not the address"),
        (lambda: hd.share(SPMV, server="http://h", folder="http://h"), "None where a server"),
        (lambda: hd.share(5), "a plan, its document"),
        (lambda: hd.share({"expresion": SPMV}), "expresion"),
        (lambda: hd.embed_html(SPMV, panes=["graph"]), "There is no pane graph; the panes are schedule, iteration,"),
        (lambda: hd.embed_html(SPMV, panes="code"), "a list of"),
        (lambda: hd.embed_html(SPMV, height=5), "pixels"),
        (lambda: hd.embed_html(SPMV, theme="blue"), "the theme"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_sent(call: Any, part: str) -> None:
    with pytest.raises(hd.CompileError, match=part):
        call()
