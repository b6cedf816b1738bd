"""GET /openapi.json: what the API is, in its own words."""

from __future__ import annotations

import json
from dataclasses import dataclass

from fastapi import APIRouter, FastAPI, Request, Response

from heddle_server.api.answers import FromJsonAnswer
from heddle_server.http.packed_answers import Answer, pack

router = APIRouter()


@router.get("/api/v1/openapi.json", include_in_schema=False)
async def describe(request: Request, answer: FromJsonAnswer) -> Response:
    return await answer(description_of(request.app))


def description_of(app: FastAPI) -> Answer:
    """Written down and packed once: it is the largest answer that there is for nothing, and whoever asks for it again
    and again would keep everybody waiting."""
    if not hasattr(app.state, "description"):
        whole = json.dumps(app.openapi(), ensure_ascii=False, separators=(",", ":")).encode()
        app.state.description = KeptPlain(pack(whole), True, whole=whole)
    known: Answer = app.state.description
    return known


@dataclass(frozen=True, slots=True)
class KeptPlain(Answer):
    """``whole`` is the JSON, for those who take it unpacked."""

    whole: bytes = b""

    def plain(self) -> bytes:
        return self.whole
