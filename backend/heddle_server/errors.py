"""Every error of the HTTP API is a problem document (RFC 9457); this module makes and registers them."""

from __future__ import annotations

import errno
import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from sqlalchemy.exc import DBAPIError, OperationalError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match

from heddle.diagnostics import CompileError
from heddle_server.http.security import SECURITY_HEADERS
from heddle_server.problem import MEDIA_TYPE, ProblemError, bad_plan, clip
from heddle_server.schema.problem import TITLES
from heddle_server.site.not_found_page import render_missing_page, wants_page
from heddle_server.store.database import is_of_the_values

logger = logging.getLogger("heddle")

DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")


def respond(request: Request, problem: ProblemError) -> JSONResponse:
    return JSONResponse(
        problem.document(request.url.path),
        status_code=problem.status,
        media_type=MEDIA_TYPE,
        headers={"Cache-Control": "no-store", **problem.headers},
    )


async def on_problem(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ProblemError)
    return respond(request, error)


async def on_compile_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, CompileError)
    return respond(request, bad_plan(error))


def allowed_methods(request: Request) -> list[str]:
    """Of all routes at this address; the framework names those of the first one only."""
    asked = ({**request.scope, "method": method} for method in METHODS)
    return [
        each["method"] for each in asked if any(route.matches(each)[0] is Match.FULL for route in request.app.routes)
    ]


async def on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and wants_page(request):
        return render_missing_page(request)
    phrase = TITLES.get(error.status_code, "Error")
    headers = dict(error.headers or {})
    match error.status_code:
        case 404:
            detail = f"Nothing is served at {clip(request.url.path)}. The API is described in /api/v1/openapi.json."
        case 405:
            headers["Allow"] = ", ".join(allowed_methods(request))
            detail = f"{request.method} is not possible here; this address accepts {headers['Allow']}."
        case _:
            detail = str(error.detail)
    slug = phrase.lower().replace(" ", "-")
    problem = ProblemError(error.status_code, slug, phrase, detail, headers=headers)
    return respond(request, problem)


async def on_invalid_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    lines = []
    for item in error.errors():
        place = ".".join(str(part) for part in item["loc"])
        reason = item.get("ctx", {}).get("error", "") if item["type"] == "json_invalid" else ""
        actual = "" if item["type"] in ("json_invalid", "missing") else f", found {clip(repr(item.get('input')))}"
        lines.append(f"{place}: {item['msg']}{f' ({reason})' if reason else ''}{actual}")
    return respond(request, ProblemError(422, "invalid-request", "The request is not valid", "; ".join(lines)))


async def on_database_error(request: Request, error: Exception) -> JSONResponse:
    """Of a full disk, a damaged database, or a database server that is gone: nothing was changed."""
    if is_of_the_values(error):
        return await on_defect(request, error)
    logger.error("%s %s: the database does not answer: %s", request.method, request.url.path, error)
    detail = (
        "The server's database accepts no changes at the moment, perhaps because the disk is full. Try again later."
    )
    if isinstance(error, DBAPIError) and not isinstance(error, OperationalError):
        detail = "The server's database is damaged or cannot be read. The server's operator has to repair it."
    problem = ProblemError(503, "database-unavailable", "The database does not answer", detail)
    problem.headers["Retry-After"] = "30"
    return respond(request, problem)


async def on_full_disk(request: Request, error: Exception) -> JSONResponse:
    """Raised wherever something is written; what is no full disk is a defect."""
    if not isinstance(error, OSError) or error.errno not in DISK_FULL:
        return await on_defect(request, error)
    logger.error("%s %s: the disk is full: %s", request.method, request.url.path, error)
    detail = "The server's disk is full. Nothing was saved; try again later."
    return respond(request, ProblemError(507, "no-space", "The disk is full", detail))


async def on_departure(request: Request, error: Exception) -> JSONResponse:
    """A client that goes away while it sends: nobody reads the answer, and nothing is wrong with the server."""
    logger.info("%s %s: the client went away", request.method, request.url.path)
    detail = "The connection ended before the request was complete."
    return respond(request, ProblemError(400, "incomplete-request", "Incomplete request", detail))


async def on_defect(request: Request, error: Exception) -> JSONResponse:
    logger.error("%s %s failed", request.method, request.url.path, exc_info=error)
    detail = "This is a defect in Heddle; please report it with what you did. The server's log has the details."
    response = respond(request, ProblemError(500, "internal-error", "Internal error", detail))
    response.headers.update(SECURITY_HEADERS)
    return response


def install(app: FastAPI) -> None:
    app.add_exception_handler(ProblemError, on_problem)
    app.add_exception_handler(CompileError, on_compile_error)
    app.add_exception_handler(DBAPIError, on_database_error)
    app.add_exception_handler(OSError, on_full_disk)
    app.add_exception_handler(ClientDisconnect, on_departure)
    app.add_exception_handler(HTTPException, on_http_exception)
    app.add_exception_handler(RequestValidationError, on_invalid_request)
    app.add_exception_handler(Exception, on_defect)
