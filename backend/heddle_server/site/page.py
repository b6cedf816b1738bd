"""Serves the built front end: the page at /, /s/{id} and /embed/{id}, its assets and those of the builds of the last
day, and a word when it is not built."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import quote

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import NotModifiedResponse

from heddle_server.site.earlier_assets import EarlierAssets

router = APIRouter(include_in_schema=False)
logger = logging.getLogger(__name__)

PACKED = ".br"
"""Ends the names of files that the build has packed with Brotli, beside those that they are packed from."""

IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"

NOT_BUILT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Heddle</title></head>
<body>
<h1>The page is not built yet</h1>
<p>The service runs, and its API answers under <a href="/api/v1/openapi.json">/api/v1</a>. To build the page, run
<code>npm ci</code> and <code>npm run build</code> in <code>frontend/</code>, or start with <code>./heddle serve</code>,
which does so automatically. Then load this address again.</p>
</body>
</html>
"""


@router.api_route("/s/{id}", methods=["GET", "HEAD"])
async def page_of_link(id: str, request: Request) -> Response:
    """The page, with the address where other programs learn how to show the link in theirs."""
    response = await page(request)
    asked = quote(f"{request.base_url}s/{id}", safe="")
    where = f"{request.base_url}api/v1/oembed?url={asked}"
    response.headers["Link"] = f'<{where}>; rel="alternate"; type="application/json+oembed"'
    return response


@router.api_route("/", methods=["GET", "HEAD"])
@router.api_route("/embed/{id}", methods=["GET", "HEAD"])
async def page(request: Request) -> Response:
    index = frontend(request) / "index.html"
    if not index.is_file():
        return HTMLResponse(NOT_BUILT, status_code=503, headers={"Cache-Control": "no-store"})
    # The build may be a newer one than when the service started; who gets this page can load all of it for a day.
    await asyncio.to_thread(remember_assets, request)
    return unless_known(request, index, REVALIDATE)


@router.api_route("/assets/{name}", methods=["GET", "HEAD"])
async def asset(name: str, request: Request) -> Response:
    try:
        return static_file(request, frontend(request) / "assets", name, IMMUTABLE)
    except HTTPException:
        if name.startswith("."):
            raise
        return static_file(request, earlier_assets(request).folder, name, IMMUTABLE)


@router.api_route("/{name}", methods=["GET", "HEAD"])
async def top_level_file(name: str, request: Request) -> Response:
    return static_file(request, frontend(request), name, REVALIDATE)


def frontend(request: Request) -> Path:
    directory = request.app.state.settings.frontend_directory
    assert isinstance(directory, Path)
    return directory


def earlier_assets(request: Request) -> EarlierAssets:
    earlier = request.app.state.earlier_assets
    assert isinstance(earlier, EarlierAssets)
    return earlier


def remember_assets(request: Request) -> None:
    """Keeps the files of the page that is served now. Where the disk is full the page comes all the same."""
    try:
        earlier_assets(request).remember(frontend(request), time.time())
    except OSError as error:
        logger.warning("The files of the page are not kept for the time after an upgrade: %s", error)


def static_file(request: Request, directory: Path, name: str, caching: str) -> Response:
    """The file of that name in the directory. Names are compared with what lies there, never joined to a path."""
    if directory.is_dir():
        for file in directory.iterdir():
            if file.name == name and file.is_file() and not file.is_symlink():
                return unless_known(request, file, caching)
    raise HTTPException(404)


def takes_brotli(accepted: str) -> bool:
    """Whether an ``Accept-Encoding`` names it, and not to refuse it."""
    for choice in accepted.split(","):
        coding, _, weight = choice.partition(";")
        if coding.strip().lower() == "br":
            return not re.fullmatch(r"\s*q\s*=\s*0(\.0*)?\s*", weight)
    return False


def unless_known(request: Request, file: Path, caching: str) -> Response:
    """The file, packed where the build has packed it and the browser takes that, or only the word that it has not
    changed since the browser got it."""
    packed = file.with_name(f"{file.name}{PACKED}")
    if packed.is_file() and not packed.is_symlink():
        headers = {"Cache-Control": caching, "Vary": "Accept-Encoding"}
        if takes_brotli(request.headers.get("accept-encoding", "")):
            kind = guess_type(file.name)[0] or "application/octet-stream"
            file, headers = packed, headers | {"Content-Encoding": "br", "Content-Type": kind}
    else:
        headers = {"Cache-Control": caching}
    response = FileResponse(file, stat_result=file.stat(), headers=headers)
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    return NotModifiedResponse(response.headers) if response.headers["etag"] in known else response
