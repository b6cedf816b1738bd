"""Tensors to run on: the built-in files, uploads, and files from public collections."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from functools import cache
from pathlib import Path

from sqlalchemy import select

from heddle.diagnostics import CompileError
from heddle_server.datasets.catalogue import BuiltinDataset, builtin_datasets
from heddle_server.datasets.collections import Collection
from heddle_server.engine.cluster.delivery import DataFile
from heddle_server.http.asker import asker, asker_of
from heddle_server.http.visitor import Visitor
from heddle_server.problem import ProblemError, bad_plan, missing_error, too_many
from heddle_server.schema.dataset import DatasetView
from heddle_server.services.allowance import Allowance
from heddle_server.services.data.free_disk import require_disk
from heddle_server.services.data.readings import Packing, Reading, Readings
from heddle_server.services.data.unknown_dataset import unknown_dataset
from heddle_server.services.data.uploads import COMPRESSED, Arrived, UploadStore, kind_of
from heddle_server.services.ownership import NOBODY, owns, require_owner, share
from heddle_server.services.runs.documents import Document
from heddle_server.settings import Settings
from heddle_server.store.database import Database, now
from heddle_server.store.datasets import bytes_of, downloaded_bytes, named_by_others
from heddle_server.store.retention import UPLOADED
from heddle_server.store.tables import Dataset

DAY_SECONDS = 86_400
# A class uploads what two visitors may; whoever takes a new id for each file, no more.
VISITORS_OF_ADDRESS = 2


class DatasetService:
    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._database = database
        self._uploads = UploadStore(settings)
        self._builtins = {dataset.id: dataset for dataset in builtin_datasets()}
        self._allowance = Allowance(
            settings.visitor_upload_bytes,
            settings.visitor_upload_bytes / DAY_SECONDS,
            settings.quota_factor,
            of_address=VISITORS_OF_ADDRESS,
        )
        self._readings = Readings(settings, self._uploads, self._allowance.used)

    def prepare(self) -> None:
        self._uploads.prepare()

    async def everything(self) -> list[DatasetView]:
        async with self._database.read() as session:
            rows = (await session.execute(select(Dataset).order_by(Dataset.created.desc()))).scalars()
            return [builtin_view(entry) for entry in self._builtins.values()] + [
                self._view(row, asker().visitor) for row in rows
            ]

    async def upload(self, name: str, chunks: AsyncIterator[bytes], visitor: Visitor) -> DatasetView:
        """Raises ProblemError for a bad name or file, and where there is no room for it; nothing is kept then."""
        kind = kind_of(name)
        room = await self._room(visitor)
        arrived = await self._uploads.receive(chunks, room)
        who, packed = asker_of(visitor), name.lower().endswith(COMPRESSED)
        self._allowance.use(who, arrived.size)
        plain = arrived
        try:
            if not packed and (view := await self._known(arrived, visitor.id)) is not None:
                return view
            reading = await self._readings.read(arrived, kind, name, who, Packing(room) if packed else None)
            plain = reading.plain
            if packed:
                self._allowance.use(who, plain.size)
                if (view := await self._known(plain, visitor.id)) is not None:
                    return view
            return await self._take_in(reading, upload_identity(plain), name, kind, visitor.id)
        finally:
            for file in (arrived, plain):
                file.path.unlink(missing_ok=True)

    async def _known(self, arrived: Arrived, visitor: str) -> DatasetView | None:
        """Where the same bytes are here already, they are this visitor's too."""
        async with self._database.write() as session:
            known = await session.get(Dataset, upload_identity(arrived))
            if known is None:
                return None
            share(known, visitor)
            return self._view(known, visitor)

    async def add_from_collection(
        self, collection: Collection, name: str, pieces: AsyncGenerator[bytes, None], check: Callable[[Arrived], None]
    ) -> DatasetView:
        """Keep what a download brings. ``check`` sees the packed file when it is whole, before it is unpacked.

        Raises what ``pieces`` and ``check`` raise, and ProblemError for a bad file; nothing is kept then.
        """
        room = await self._room(None)
        async with aclosing(pieces):
            arrived = plain = await self._uploads.receive(pieces, room)
        try:
            check(arrived)
            packing = Packing(room, collection.member_name(name))
            reading = await self._readings.read(arrived, collection.kind, name, asker(), packing)
            plain = reading.plain
            return await self._take_in(reading, f"{collection.id}:{name}", name, collection.kind, NOBODY)
        finally:
            for file in (arrived, plain):
                file.path.unlink(missing_ok=True)

    def _view(self, row: Dataset, visitor: str | None) -> DatasetView:
        return kept_view(row, visitor, self._settings.upload_days)

    async def delete(self, identity: str, visitor: Visitor) -> DatasetView:
        """What it was. Raises ProblemError for an upload that is not there, is not this visitor's, or is in use."""
        async with self._database.write() as session:
            row = await session.get(Dataset, identity)
            if row is None or collection_of(row) is not None:
                raise missing_error("upload", identity, "GET /api/v1/datasets lists what is here.")
            require_owner(row, visitor, "upload")
            if await named_by_others(session, identity, visitor.id):
                detail = "A link, or a run that waits or is somebody else's, uses these data. Delete your links first."
                raise ProblemError(409, "in-use", "The upload is in use", detail)
            kind, view = row.kind, self._view(row, visitor.id)
            await session.delete(row)
        # After the row: a file without a row is waste, a row without a file an error.
        await asyncio.to_thread(self._uploads.remove, identity, kind)
        return view

    async def find(self, identity: str) -> DatasetView | None:
        """An upload or a download; None when it is not here."""
        async with self._database.read() as session:
            row = await session.get(Dataset, identity)
        return self._view(row, asker().visitor) if row is not None else None

    async def preview(self, identity: str) -> bytes | None:
        """The JSON of the PreviewView that was made when the file came; None where there is none."""
        path = self._uploads.preview_of(identity)
        return await asyncio.to_thread(path.read_bytes) if path is not None else None

    async def _room(self, visitor: Visitor | None) -> int:
        """The bytes that a visitor may still bring, and for a download the service. Raises ProblemError for none."""
        require_disk(self._settings)
        async with self._database.read() as session:
            used = await bytes_of(session)
            owner_bytes = (
                await bytes_of(session, visitor.id) if visitor is not None else await downloaded_bytes(session)
            )
        room = self._settings.upload_total_bytes - used - self._uploads.arriving
        if room <= 0:
            detail = f"Uploads and downloads take {used:,} bytes already, which is the limit."
            raise ProblemError(507, "uploads-full", "No room for more data", detail)
        if visitor is None:
            # They belong to nobody, and anybody may ask for them: they leave the other half to uploads.
            half = self._settings.upload_total_bytes // 2
            if owner_bytes >= half:
                detail = (
                    f"Downloads take {owner_bytes:,} bytes already, and {half:,} are for them. Upload the file instead."
                )
                raise ProblemError(507, "downloads-full", "No room for more downloads", detail)
            return min(room, half - owner_bytes)
        left = self._settings.visitor_upload_bytes - owner_bytes
        if left <= 0:
            detail = (
                f"Your uploads take {owner_bytes:,} bytes already, which is the limit for a visitor. "
                f"Delete some of them."
            )
            raise ProblemError(507, "own-uploads-full", "No room for more of your data", detail)
        seconds = self._allowance.wait(asker_of(visitor))
        if seconds > 0:
            detail = "From where you are, as much has been uploaded lately as this server takes in a day."
            raise too_many("too-much-uploaded", "Too much has been uploaded", detail, seconds)
        return min(room, left)

    async def _take_in(self, reading: Reading, identity: str, name: str, kind: str, owner: str) -> DatasetView:
        """Keep a file that is sound."""
        require_disk(self._settings)
        row = Dataset(
            id=identity,
            name=name,
            kind=kind,
            shape=reading.shape,
            nnz=reading.nnz,
            bytes=reading.plain.size,
            visitor=owner,
            created=now(),
        )
        self._uploads.keep(reading.plain, identity, kind)
        self._uploads.keep_preview(identity, kind, json.dumps(reading.preview, separators=(",", ":")))
        async with self._database.write() as session:
            return self._view(await session.merge(row), owner)

    async def paths(self, plan: Document) -> dict[str, str]:
        """The absolute path of every dataset and upload that the plan names. Raises ProblemError for an unknown one."""
        paths: dict[str, str] = {}
        for tensor, source in plan.inputs.items():
            identity = source.get("dataset", source.get("upload"))
            if isinstance(identity, str):
                paths[identity] = str(await self.path(tensor, identity))
        return paths

    async def digests(self, plan: Document) -> dict[str, str]:
        """The SHA-256 of every dataset and upload that the plan names. Raises ProblemError for an unknown one."""
        digests: dict[str, str] = {}
        for identity, path in (await self.paths(plan)).items():
            _, of_upload, digest = identity.partition("sha256:")
            digests[identity] = digest if of_upload else await asyncio.to_thread(file_digest, Path(path))
        return digests

    async def files(self, plan: Document) -> list[DataFile]:
        """Every dataset and upload that the plan names, as it can be brought to another machine. Raises ProblemError
        for an unknown one."""
        paths, digests = await self.paths(plan), await self.digests(plan)
        return [DataFile(identity, Path(path), digests[identity]) for identity, path in paths.items()]

    async def path(self, tensor: str, identity: str) -> Path:
        """The file of one dataset or upload. Raises ProblemError for an unknown one."""
        if identity in self._builtins:
            return self._builtins[identity].path
        async with self._database.read() as session:
            row = await session.get(Dataset, identity)
        if row is None:
            raise unknown(tensor, identity, tuple(self._builtins))
        return self._uploads.path(row.id, row.kind)


@cache
def file_digest(path: Path) -> str:
    """Of a built-in file or one from a collection, which do not change."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unknown(tensor: str, identity: str, known: tuple[str, ...]) -> ProblemError:
    return bad_plan(CompileError(unknown_dataset(tensor, identity, known)), "Unknown dataset")


def upload_identity(arrived: Arrived) -> str:
    return f"sha256:{arrived.sha256}"


def builtin_view(entry: BuiltinDataset) -> DatasetView:
    return {
        "id": entry.id,
        "name": entry.name,
        "origin": "builtin",
        "shape": list(entry.shape),
        "nnz": entry.nnz,
        "summary": entry.summary,
        "bytes": entry.path.stat().st_size,
        "own": False,
        "kept_days": None,
    }


def kept_view(row: Dataset, visitor: str | None, upload_days: float) -> DatasetView:
    """Of a file that did not come with Heddle, for who asks."""
    shape = " × ".join(f"{size:,}" for size in row.shape)
    collection = collection_of(row)
    source = "Uploaded file" if collection is None else f"From {collection}"
    return {
        "id": row.id,
        "name": row.name,
        "origin": "upload" if collection is None else "collection",
        "shape": row.shape,
        "nnz": row.nnz,
        "summary": f"{source}, {shape}, {row.nnz:,} nonzeros",
        "bytes": row.bytes,
        "own": owns(row, visitor),
        "kept_days": upload_days or None if collection is None else None,
    }


def collection_of(row: Dataset) -> str | None:
    """None for an upload."""
    return None if row.id.startswith(UPLOADED) else row.id.partition(":")[0]
