"""The explorer as a folder, below a path of a plain host of files: what journeys use in place of a server."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Protocol
from urllib.parse import quote

from playwright.sync_api import BrowserContext, Page

from e2e.server import Server
from heddle_server.static.answers import answer

PLACE = "a course/heddle"
"""The folder below the root of its host. A space, as people have them in names."""

READY = "() => navigator.serviceWorker.ready.then(worker => worker.active !== null)"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


class FolderHost:
    """Serves what lies below ``root``; ``asked`` are the paths of all requests so far."""

    def __init__(self, root: Path) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(Quiet):
            def do_GET(self) -> None:
                asked.append(self.path)
                super().do_GET()

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(root)))
        self.address = f"http://127.0.0.1:{self.http.server_port}/{quote(PLACE)}/"
        Thread(target=self.http.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.http.shutdown()
        self.http.server_close()


def serve_folder(root: Path) -> Iterator[FolderHost]:
    host = FolderHost(root)
    yield host
    host.stop()


def visit_and_cut_off(context: BrowserContext) -> None:
    """Opens the folder once, as a person does with a network, and takes the network away."""
    page = context.new_page()
    page.goto("./")
    page.evaluate(READY)
    page.close()
    context.set_offline(True)
    context.on("page", _refuse_routes)


def _refuse_routes(page: Page) -> None:
    """What the browser keeps it answers before any route does: a journey that wants routes asks for a first visit."""

    def refuse(url: object, *_: object, **options: object) -> None:
        raise AssertionError(f"no request of a kept folder comes to the route {url}: use a context of a first visit")

    setattr(page, "route", refuse)  # noqa: B010  (a method, of which mypy knows that nobody assigns it)


def relocate(page: Page) -> Page:
    """Addresses that begin with a slash are those of the page: in a folder they lie below its path."""
    goto = page.goto
    setattr(  # noqa: B010  (a method, of which mypy knows that nobody assigns it)
        page, "goto", lambda url, **options: goto(f".{url}" if url.startswith("/") else url, **options)
    )
    return page


class Api(Protocol):
    """What a journey asks beside the page, to compare it with what the page shows."""

    def post(self, path: str, data: Mapping[str, Any]) -> Any:
        """The document that answers; ``path`` stands behind ``/api/v1``."""

    def get(self, path: str) -> Any: ...


class ServerApi:
    def __init__(self, page: Page, server: Server) -> None:
        self._page, self._base = page, f"{server.url}/api/v1"

    def post(self, path: str, data: Mapping[str, Any]) -> Any:
        reply = self._page.request.post(self._base + path, data=data)
        assert reply.ok, reply.text()
        return reply.json()

    def get(self, path: str) -> Any:
        reply = self._page.request.get(self._base + path)
        assert reply.ok, reply.text()
        return reply.json()


class FolderApi:
    """Stored answers, else those of the functions that the folder's Python has."""

    def __init__(self, folder: Path) -> None:
        self._answers = folder / "answers"

    def post(self, path: str, data: Mapping[str, Any]) -> Any:
        status, text = answer("POST", path, json.dumps(data))
        assert status == 200, text
        return json.loads(text)

    def get(self, path: str) -> Any:
        index = json.loads((self._answers / "index.json").read_text(encoding="utf-8"))
        file = next(entry["file"] for entry in index if (entry["method"], entry["path"]) == ("GET", path))
        return json.loads((self._answers / file).read_text(encoding="utf-8"))
