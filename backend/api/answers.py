"""Answers of the compile processes, as the client takes them: packed where they are large."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request, Response

from backend.api.dependencies import FromServices
from backend.services.packed_answers import LEAST_BYTES, PackedAnswers


class JsonAnswer:
    """Called with JSON bytes that were made before and may be asked for again."""

    def __init__(self, packed: PackedAnswers, accepted: str) -> None:
        self._packed, self._accepted = packed, accepted

    async def __call__(self, body: bytes) -> Response:
        # As the layer asks that packs all other answers, and lets those pass that are packed.
        if "gzip" not in self._accepted or len(body) < LEAST_BYTES:
            return Response(body, media_type="application/json")
        headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(await self._packed.packed(body), headers=headers, media_type="application/json")


def json_answer(request: Request, services: FromServices) -> JsonAnswer:
    return JsonAnswer(services.packed, request.headers.get("accept-encoding", ""))


FromJsonAnswer = Annotated[JsonAnswer, Depends(json_answer)]
