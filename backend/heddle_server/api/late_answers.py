"""Routes that build what checks their answers when they are first asked, not when the server starts."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import cached_property, partial
from typing import Any

from fastapi import Request, Response
from fastapi.datastructures import DefaultPlaceholder
from fastapi.routing import APIRoute

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class LateAnswerRoute(APIRoute):
    """A route whose ``response_model`` is built by its first request, or by the description of the API.

    Of the views of runs, links and searches that takes as long as to import half of the compiler, and of many routes
    nobody asks before the next restart. All else of a route is there from the beginning. Where no model is named,
    FastAPI reads it from what the endpoint returns, at once.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], *, response_model: Any = None, **options: Any) -> None:
        self._late = response_model is not None and not isinstance(response_model, DefaultPlaceholder)
        self._build = partial(APIRoute, path, endpoint, response_model=response_model, **options)
        super().__init__(path, endpoint, response_model=None if self._late else response_model, **options)
        if self._late:
            self.response_model = response_model
            del self.response_field  # which is None, and hides the property

    @cached_property
    def _whole(self) -> APIRoute:
        """The same route with what checks its answers."""
        return self._build()

    @cached_property
    def response_field(self) -> Any:  # type: ignore[override]
        return self._whole.response_field

    def get_route_handler(self) -> Handler:
        return self._handle_late if self._late else super().get_route_handler()

    async def _handle_late(self, request: Request) -> Response:
        return await self._handler(request)

    @cached_property
    def _handler(self) -> Handler:
        return self._whole.get_route_handler()
