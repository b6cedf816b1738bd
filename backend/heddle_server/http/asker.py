"""Whom the work of a request is done for, known wherever it waits for its turn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from fastapi import Request

from heddle_server.http.networks import owner_of
from heddle_server.http.visitor import SCOPE, Visitor, is_shared


@dataclass(frozen=True, slots=True)
class Asker:
    """``visitor`` is None for a browser that has no id of ours yet: it counts with its address."""

    address: str
    visitor: str | None = None


NOBODY = Asker("")
_asker: ContextVar[Asker] = ContextVar("asker", default=NOBODY)


def asker_of(visitor: Visitor) -> Asker:
    """As whom a visitor counts: one without an id, and one with a whole network of addresses, with what is theirs."""
    return Asker(owner_of(visitor.address), None if is_shared(visitor.id) else visitor.id)


def asker() -> Asker:
    """Of the request under way; NOBODY for what the service does by itself."""
    return _asker.get()


@contextmanager
def asked_by(who: Asker) -> Iterator[None]:
    token = _asker.set(who)
    try:
        yield
    finally:
        _asker.reset(token)


async def note_asker(request: Request) -> None:
    """A dependency of every route: what it calls knows who asks."""
    visitor = request.scope.get(SCOPE)
    if isinstance(visitor, Visitor):
        _asker.set(asker_of(visitor))
