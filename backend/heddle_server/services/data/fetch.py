"""One download from a collection: where it may lead, and what a person is told when it fails."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from heddle_server.datasets.collections import Collection
from heddle_server.problem import ProblemError

if TYPE_CHECKING:
    import httpx

MOST_REDIRECTS = 5
TIMEOUT_SECONDS = 20.0

Progress = Callable[[int, int | None], None]


async def fetch(collection: Collection, address: str, most: int, progress: Progress) -> AsyncGenerator[bytes, None]:
    """The bytes at ``address``, at most ``most`` of them; ``progress(received, total)`` follows them, the total being
    None where the other side does not tell it.

    Raises ProblemError: 404 where the collection has no such file, 413, 502 for an answer that cannot be right or a
    redirect elsewhere, 503 when the collection cannot be reached.
    """
    import httpx  # It brings a whole command line along: a start without it is quicker.

    host = urlsplit(address).hostname
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS, headers={"Accept-Encoding": "identity"}) as client:
            for _ in range(MOST_REDIRECTS + 1):
                if not collection.allows(address):
                    raise led_elsewhere(collection, address)
                async with client.stream("GET", address) as answer:
                    if answer.has_redirect_location:
                        address = urljoin(address, answer.headers["location"])
                        continue
                    _check(collection, answer, most)
                    async for piece in _pieces(answer, most, progress):
                        yield piece
                    return
            raise failure(collection, f"It redirects more than {MOST_REDIRECTS} times.")
    except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError) as error:
        raise ProblemError(
            503,
            "offline",
            "The collection cannot be reached",
            f"This machine has no connection to {host}, the {collection.title} ({_reason(error)}). "
            f"Download the file elsewhere, from {collection.home}, and upload it here.",
        ) from None
    except httpx.HTTPError as error:
        raise failure(collection, f"The connection was lost: {str(error) or type(error).__name__}.") from None


def _check(collection: Collection, answer: httpx.Response, most: int) -> None:
    if answer.status_code == 404:
        detail = f"The {collection.title} has no such file. Names are {collection.naming}; look them up at "
        raise ProblemError(404, "not-in-collection", "There is no such file", f"{detail}{collection.home}.")
    if answer.status_code != 200:
        raise failure(collection, f"It answered with status {answer.status_code}.")
    if (announced := _announce(answer)) is not None and announced > most:
        raise _too_large(most)


async def _pieces(answer: httpx.Response, most: int, progress: Progress) -> AsyncGenerator[bytes, None]:
    total, received = _announce(answer), 0
    progress(0, total)
    async for piece in answer.aiter_raw():
        received += len(piece)
        if received > most:
            raise _too_large(most)
        progress(received, total)
        yield piece
        await asyncio.sleep(0)  # A fast source must not keep the others waiting.


def _reason(error: Exception) -> str:
    """What the system says, without its number."""
    return re.sub(r"^\[Errno -?\d+\] ", "", str(error)) or "time-out"


def _announce(answer: httpx.Response) -> int | None:
    length = answer.headers.get("content-length", "")
    return int(length) if length.isdigit() else None


def _too_large(most: int) -> ProblemError:
    return ProblemError(413, "download-too-large", "The file is too large", f"It has more than {most:,} bytes.")


def led_elsewhere(collection: Collection, address: str) -> ProblemError:
    """For a redirect that does not lead to the collection: it could name a machine inside the operator's network."""
    allowed = ", ".join(collection.origins)
    parts = urlsplit(address)
    where = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"[:100]
    return failure(collection, f"It redirects to {where}, but only {allowed} are allowed.")


def failure(collection: Collection, what: str) -> ProblemError:
    detail = f"The {collection.title} did not deliver the file. {what}"
    return ProblemError(502, "download-failed", "The download failed", detail)
