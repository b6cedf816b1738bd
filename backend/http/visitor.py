"""Who a request is from: a random id in a cookie that ends with the browser, and the address of the connection.

The id is made when somebody first asks for work (a run, an upload, a study); reading leaves no cookie. It serves
fairness and quotas alone.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from fastapi import Request, Response

COOKIE = "heddle_visitor"
IDENTITY = re.compile(r"[A-Za-z0-9_-]{16,64}")


@dataclass(frozen=True, slots=True)
class Visitor:
    id: str
    address: str


def visitor(request: Request, response: Response) -> Visitor:
    """A dependency: the visitor of a request that asks for work."""
    known = request.cookies.get(COOKIE, "")
    if IDENTITY.fullmatch(known) is None:
        known = secrets.token_urlsafe(18)
        response.set_cookie(
            COOKIE, known, httponly=True, samesite="strict", secure=request.url.scheme == "https", path="/api"
        )
    return Visitor(known, address_of(request))


def address_of(request: Request) -> str:
    return request.client.host if request.client is not None else "unknown"
