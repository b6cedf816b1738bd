"""A folder as ``heddle static`` writes it, around a page of one file, and its Python under Node.js."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heddle_server.static import build
from heddle_server.static.pyodide_package import pyodide_folder
from tools.frontend import ensure_modules

PROGRAM = Path(__file__).with_name("browser_python.mjs")
PAGE = """<!doctype html>
<html>
  <head>
    <meta charset="utf-8" />
    <link rel="icon" href="/heddle.svg" />
    <script type="module" crossorigin src="/assets/index-1.js"></script>
  </head>
</html>
"""


class BrowserPython:
    """Answers requests as the worker of a page does."""

    def __init__(self, node: str, folder: Path) -> None:
        command = [node, str(PROGRAM), str(pyodide_folder()), str(folder)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answer(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        text = None if body is None else json.dumps(body)
        self.process.stdin.write(json.dumps({"method": method, "path": path, "body": text}) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        return reply["status"], json.loads(reply["text"])


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built by the first of the suite's processes that needs it; nobody writes there."""
    ensure_modules()
    common = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        common = common.parent
    out, complete = common / "served" / "below" / "heddle", common / "served" / "complete"
    with (common / "served.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not complete.exists():
            shutil.rmtree(common / "served", ignore_errors=True)
            build_around_a_page(tmp_path_factory.mktemp("page"), out)
            complete.touch()
    return out


def build_around_a_page(page: Path, out: Path) -> None:
    (page / "index.html").write_text(PAGE)
    (page / "heddle.svg").write_text("<svg/>")
    (page / "third-party-notices.txt").write_text("Notices\n")
    (page / "assets").mkdir()
    (page / "assets" / "index-1.js").write_text("export {};\n")
    (page / "assets" / "index-1.js.map").write_text("{}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "PAGE", page)
        build.build(out)


@pytest.fixture(scope="session")
def browser_python(folder: Path) -> Iterator[BrowserPython]:
    python = BrowserPython(ensure_modules().executable, folder)
    yield python
    python.process.kill()
    python.process.wait()
