"""Downloads from public collections: one at a time, each known by the dataset that it will become."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from heddle_server.datasets.collections import Collection, CollectionFile
from heddle_server.problem import ProblemError, clip, missing_error, too_many
from heddle_server.schema.dataset import DatasetView
from heddle_server.schema.download import CollectionView, DownloadView
from heddle_server.schema.problem import Problem
from heddle_server.services.data.datasets import DatasetService
from heddle_server.services.data.fetch import failure, fetch
from heddle_server.services.data.uploads import Arrived
from heddle_server.services.ownership import NOBODY, Canceller, not_yours_to_cancel
from heddle_server.settings import Settings

logger = logging.getLogger("heddle.downloads")

# Downloads that may wait or be under way; and ended ones that are still told of.
MOST_WAITING = 8
MOST_REMEMBERED = 200


@dataclass(eq=False)
class Download:
    view: DownloadView
    collection: Collection
    file: CollectionFile
    task: asyncio.Task[None] | None = field(default=None)
    # Ids of browsers, NOBODY for all without one, who cannot be asked whether they still wait.
    waiting: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)

    @property
    def dataset_id(self) -> str:
        return f"{self.collection.id}:{self.view['name']}"

    @property
    def ended(self) -> bool:
        return self.view["state"] in ("done", "failed", "cancelled")

    def join(self, browser: str | None) -> None:
        self.waiting.add(browser or NOBODY)
        self.left.discard(browser or NOBODY)

    def view_of(self, browser: str | None) -> DownloadView:
        """As somebody sees it: for those who left it has ended, whoever still waits."""
        return {**self.view, "state": "cancelled"} if browser in self.left and not self.ended else self.view

    def settle(self) -> None:
        """Its task has ended: by the download's end, or because it or what it waited for was cancelled."""
        if not self.ended:
            self.view["state"] = "cancelled"


class DownloadService:
    def __init__(self, settings: Settings, datasets: DatasetService, collections: Mapping[str, Collection]) -> None:
        self._settings = settings
        self._datasets = datasets
        self._collections = collections
        self._downloads: OrderedDict[str, Download] = OrderedDict()
        self._line = asyncio.Lock()

    def collections(self) -> list[CollectionView]:
        return [
            {
                "id": collection.id,
                "title": collection.title,
                "home": collection.home,
                "kind": collection.kind,
                "naming": collection.naming,
                "examples": list(collection.examples),
                "complete": collection.name_pattern is None,
                "licence": collection.licence,
            }
            for collection in self._collections.values()
        ]

    async def start(self, collection_id: str, name: str, browser: str | None) -> DownloadView:
        """The download for which ``browser`` waits from now on.

        Raises ProblemError: 404 for an unknown collection, 422 for a name that it cannot have, 429.
        """
        collection = self._collections.get(collection_id)
        if collection is None:
            raise missing_error("collection", collection_id, f"There are {', '.join(self._collections)}.")
        file = collection.file(name)
        if file is None:
            detail = f"Names in the {collection.title} are {collection.naming}; found {clip(name)!r}."
            raise ProblemError(422, "no-such-name", "This is not a name in that collection", detail)
        dataset_id = f"{collection.id}:{name}"
        known = await self._datasets.find(dataset_id)
        under_way = {download.dataset_id: download for download in self._downloads.values() if not download.ended}
        if dataset_id in under_way:
            under_way[dataset_id].join(browser)
            return under_way[dataset_id].view
        if len(under_way) >= MOST_WAITING:
            raise too_many("too-many-downloads", "Too many downloads", f"{MOST_WAITING} are running or waiting.", 20)
        download = Download(_first_view(collection, name, known), collection, file)
        download.join(browser)
        self._remember(download)
        if known is None:
            download.task = asyncio.create_task(self._run(download), name=f"download-{dataset_id}")
            download.task.add_done_callback(lambda _: download.settle())
        return download.view

    def view(self, identity: str, browser: str | None) -> DownloadView:
        """Raises ProblemError 404."""
        return self._find(identity).view_of(browser)

    async def cancel(self, identity: str, canceller: Canceller) -> DownloadView:
        """Raises ProblemError: 404, and 403 for whoever did not ask for it."""
        download = self._find(identity)
        browser = canceller.browser
        if not canceller.is_operator:
            if browser is None or browser not in download.waiting | download.left:
                raise not_yours_to_cancel("download")
            download.waiting.discard(browser)
            download.left.add(browser)
        if canceller.is_operator or not download.waiting:
            await self._end(download)
        return download.view_of(browser)

    async def stop(self) -> None:
        for download in list(self._downloads.values()):
            await self._end(download)

    async def _end(self, download: Download) -> None:
        if download.task is not None and not download.ended:
            download.task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await download.task

    async def _run(self, download: Download) -> None:
        view = download.view
        try:
            async with self._line, asyncio.timeout(self._settings.download_seconds):
                view["dataset"] = await self._fetch(download)
            view["state"] = "done"
        except TimeoutError:
            _fail(view, failure(download.collection, too_slow(self._settings.download_seconds)))
        except ProblemError as error:
            _fail(view, error)
        except Exception as error:
            logger.exception("the download of %s failed", download.dataset_id)
            _fail(view, ProblemError(500, "internal-error", "Internal error", f"{type(error).__name__}: {error}"))

    async def _fetch(self, download: Download) -> DatasetView:
        view, collection, file = download.view, download.collection, download.file

        def progress(received: int, total: int | None) -> None:
            view["received"], view["total"] = received, total

        def check(arrived: Arrived) -> None:
            view["state"] = "checking"
            if file.sha256 not in (None, arrived.sha256):
                what = f"Its SHA-256 is {arrived.sha256}, but {file.sha256} is known for it."
                raise failure(collection, what)

        view["state"] = "receiving"
        pieces = fetch(collection, collection.address(file), self._settings.unpacked_bytes, progress)
        return await self._datasets.add_from_collection(collection, view["name"], pieces, check)

    def _find(self, identity: str) -> Download:
        if identity not in self._downloads:
            raise missing_error("download", identity, "Downloads are made with POST /api/v1/downloads.")
        return self._downloads[identity]

    def _remember(self, download: Download) -> None:
        self._downloads[download.view["id"]] = download
        ended = [identity for identity, download in self._downloads.items() if download.ended]
        for identity in ended[: max(0, len(self._downloads) - MOST_REMEMBERED)]:
            del self._downloads[identity]


def too_slow(seconds: float) -> str:
    return f"It took longer than {seconds:g} s, for which others have to wait who want something else."


def _fail(view: DownloadView, error: ProblemError) -> None:
    view["problem"] = cast(Problem, error.document())
    view["state"] = "failed"


def _first_view(collection: Collection, name: str, known: DatasetView | None) -> DownloadView:
    return {
        "id": secrets.token_urlsafe(12),
        "collection": collection.id,
        "name": name,
        "state": "waiting" if known is None else "done",
        "received": 0,
        "total": None,
        "dataset": known,
        "problem": None,
    }
