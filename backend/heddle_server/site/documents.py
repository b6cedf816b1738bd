"""Serves the documents under /docs/, and a word how to build them where that was not done."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from heddle_server.site.page import REVALIDATE, static_file

router = APIRouter(include_in_schema=False)

NOT_BUILT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Heddle's documents</title></head>
<body>
<h1>The documents are not built here</h1>
<p>In a checkout, <code>./heddle docs</code> builds them, and <code>./heddle serve</code> does so as it starts. Then
load this address again. <a href="/">Open the explorer</a></p>
</body>
</html>
"""


@router.api_route("/docs", methods=["GET", "HEAD"])
async def documents_folder() -> Response:
    """To the address with a slash, from which the links of the pages lead on."""
    return RedirectResponse("/docs/", status_code=308)


@router.api_route("/docs/{path:path}", methods=["GET", "HEAD"])
async def document(path: str, request: Request) -> Response:
    folder = request.app.state.settings.documents_directory
    assert isinstance(folder, Path)
    if not (folder / "index.html").is_file():
        return HTMLResponse(NOT_BUILT, status_code=503, headers={"Cache-Control": "no-store"})
    *folders, name = path.split("/")
    for part in folders:
        folder = folder_inside(folder, part)
    return static_file(request, folder, name or "index.html", REVALIDATE)


def folder_inside(parent: Path, name: str) -> Path:
    """The folder of that name. Names are compared with what lies there, never joined to a path."""
    for entry in parent.iterdir():
        if entry.name == name and entry.is_dir() and not entry.is_symlink():
            return entry
    raise HTTPException(404)
