"""GET and POST /access: whether this server asks for a code, and entering one."""

from __future__ import annotations

from typing import Annotated

from fastapi import Request, Response
from pydantic import BaseModel, ConfigDict, StringConstraints
from typing_extensions import TypedDict

from heddle_server.api.part import part_of_api
from heddle_server.http.access import COOKIE, Access
from heddle_server.http.audit import wrote
from heddle_server.http.visitor_layer import set_cookie
from heddle_server.problem import ProblemError
from heddle_server.schema.problem import problems

router = part_of_api("access")


class AccessView(TypedDict):
    """Whether runs, uploads and links need a code here, and whose code this browser has shown."""

    needed: bool
    granted: str | None


class CodeEntry(BaseModel):
    model_config = ConfigDict(extra="forbid")

    code: Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]


@router.get("/access", response_model=AccessView)
async def get_access(request: Request) -> AccessView:
    """Whether what is kept needs a code here, and whether this browser has entered one."""
    access: Access = request.app.state.access
    return {"needed": access.needed, "granted": access.grant(request.headers)}


@router.post("/access", response_model=AccessView, responses=problems(400, 403, 413, 415, 422, 429))
async def enter_code(entry: CodeEntry, request: Request, response: Response) -> AccessView:
    """Enter the code of a class, or the access token: this browser may then run, upload and share for 30 days, or
    until it is closed."""
    access: Access = request.app.state.access
    name = access.holder(entry.code)
    if access.needed and name is None:
        detail = "This is not a code of this server. Check it for typing mistakes, or ask whoever gave it to you."
        raise ProblemError(403, "wrong-code", "The code is not right", detail)
    if name is not None:
        cookie = set_cookie(COOKIE, access.cookie(name), secure=request.url.scheme == "https")
        response.headers.append("set-cookie", cookie)
        wrote(name)
    return {"needed": access.needed, "granted": name}
