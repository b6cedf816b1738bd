"""A small web server of the tests, which plays a public collection."""

from __future__ import annotations

import io
import json
import tarfile
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from heddle_server.datasets.collections import read_collections

Answer = Callable[[BaseHTTPRequestHandler], None]


class Site:
    """``files`` by path; ``answers`` for what is more than a file. ``asked`` lists the paths that were asked for."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:  # the name that http.server asks for
                site.asked.append(self.path)
                if self.path in site.answers:
                    site.answers[self.path](self)
                    return
                content = site.files.get(self.path)
                self.send_response(200 if content is not None else 404)
                self.send_header("Content-Length", str(len(content or b"")))
                self.end_headers()
                self.wfile.write(content or b"")

            def log_message(self, *_: object) -> None: ...

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()


def packed(name: str, content: bytes) -> bytes:
    """As SuiteSparse packs a matrix: in a folder of its name, with a companion that is not wanted."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for member, text in ((f"{name}/{name}_b.mtx", b"not this"), (f"{name}/{name}.mtx", content)):
            info = tarfile.TarInfo(member)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text))
    return made.getvalue()


def catalogue(site: Site, file: Path, **tensors: Any) -> Path:
    """Writes collections.json as it comes with Heddle, except for the addresses, which are of the site; ``tensors`` are
    the files of the second one. A third one cannot be reached."""
    matrices, of_tensors = (json.loads(one.model_dump_json()) for one in read_collections().values())
    matrices |= {"url": site.url + "/MM/{path}.tar.gz", "origins": [site.url]}
    of_tensors |= {"url": site.url + "/tensors/{path}.tns.gz", "origins": [site.url], "files": tensors}
    away = {**matrices, "id": "away", "url": "http://127.0.0.1:1/{path}", "origins": ["http://127.0.0.1:1"]}
    away |= {"title": "Collection that is away"}
    file.write_text(json.dumps([matrices, of_tensors, away]))
    return file
