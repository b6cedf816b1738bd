"""Answers of the compile processes, as the client takes them: packed where they are large."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Depends, Request, Response

from heddle_server.http.packed_answers import Answer


class JsonAnswer:
    """Called with an answer that was made before and may be asked for again."""

    def __init__(self, accepted: str) -> None:
        self._accepted = accepted

    async def __call__(self, answer: Answer) -> Response:
        # As the layer asks that packs all other answers, and lets those pass that are packed.
        if not answer.packed:
            return Response(answer.content, media_type="application/json")
        if "gzip" not in self._accepted:
            # Threads would take turns with the loop that everybody waits for: only for what takes longer than that.
            plain = answer.plain() if answer.quick else await asyncio.to_thread(answer.plain)
            return Response(plain, media_type="application/json")
        headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(answer.content, headers=headers, media_type="application/json")


async def json_answer(request: Request) -> JsonAnswer:
    return JsonAnswer(request.headers.get("accept-encoding", ""))


FromJsonAnswer = Annotated[JsonAnswer, Depends(json_answer)]
