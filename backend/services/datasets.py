"""Tensors to run on: the built-in files, uploads, and files from public collections."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from backend.datasets.catalogue import BuiltinDataset, builtin_datasets
from backend.datasets.collections import Collection
from backend.engine.child_process import run_child
from backend.engine.delivery import DataFile
from backend.engine.limits import Limits
from backend.engine.outcome import Outcome
from backend.engine.sight import sight_of
from backend.problem import ProblemError, bad_plan
from backend.schema.dataset import DatasetView
from backend.services.archives import collection_opener
from backend.services.unknown_dataset import unknown_dataset
from backend.services.uploads import COMPRESSED, Arrived, UploadStore, kind_of
from backend.settings import Settings
from backend.store.database import Database, now
from backend.store.tables import Dataset
from compiler.diagnostics import CompileError
from compiler.plan import Plan

INSPECTOR = "backend.engine.inspect_child"


class DatasetService:
    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._database = database
        self._uploads = UploadStore(settings)
        self._builtins = {dataset.id: dataset for dataset in builtin_datasets()}
        # Reading a file can take much memory: one at a time.
        self._inspecting = asyncio.Lock()

    def prepare(self) -> None:
        self._uploads.prepare()

    async def everything(self) -> list[DatasetView]:
        async with self._database.read() as session:
            rows = (await session.execute(select(Dataset).order_by(Dataset.created.desc()))).scalars()
            return [builtin_view(entry) for entry in self._builtins.values()] + [kept_view(row) for row in rows]

    async def upload(self, name: str, chunks: AsyncIterator[bytes]) -> DatasetView:
        """Raises ProblemError for a bad name or file; nothing is kept then."""
        kind = kind_of(name)
        await self._require_room()
        arrived = await self._uploads.receive(chunks)
        try:
            if name.lower().endswith(COMPRESSED):
                arrived = await asyncio.to_thread(self._uploads.unpack, arrived)
            identity = f"sha256:{arrived.sha256}"
            return await self.find(identity) or await self._take_in(arrived, identity, name, kind)
        finally:
            arrived.path.unlink(missing_ok=True)

    async def add_from_collection(
        self, collection: Collection, name: str, pieces: AsyncGenerator[bytes, None], check: Callable[[Arrived], None]
    ) -> DatasetView:
        """Keep what a download brings. ``check`` sees the packed file when it is whole, before it is unpacked.

        Raises what ``pieces`` and ``check`` raise, and ProblemError for a bad file; nothing is kept then.
        """
        await self._require_room()
        async with aclosing(pieces):
            arrived = await self._uploads.receive(pieces)
        try:
            check(arrived)
            opened = collection_opener(collection, name, self._settings.unpacked_bytes)
            arrived = await asyncio.to_thread(self._uploads.unpack, arrived, opened)
            return await self._take_in(arrived, f"{collection.id}:{name}", name, collection.kind)
        finally:
            arrived.path.unlink(missing_ok=True)

    async def find(self, identity: str) -> DatasetView | None:
        """An upload or a download; None when it is not here."""
        async with self._database.read() as session:
            row = await session.get(Dataset, identity)
        return kept_view(row) if row is not None else None

    async def preview(self, identity: str) -> bytes | None:
        """The JSON of the PreviewView that was made when the file came; None where there is none."""
        path = self._uploads.preview_of(identity)
        return await asyncio.to_thread(path.read_bytes) if path is not None else None

    async def _require_room(self) -> None:
        async with self._database.read() as session:
            used = (await session.execute(select(func.coalesce(func.sum(Dataset.bytes), 0)))).scalar_one()
        if used >= self._settings.upload_total_bytes:
            detail = f"Uploads and downloads take {used:,} bytes already, which is the limit."
            raise ProblemError(507, "uploads-full", "No room for more data", detail)

    async def _take_in(self, arrived: Arrived, identity: str, name: str, kind: str) -> DatasetView:
        """Read a file that has arrived, and keep it when it is sound."""
        found = await self._inspect(arrived, kind, name)
        row = Dataset(
            id=identity,
            name=name,
            kind=kind,
            shape=found["shape"],
            nnz=found["nnz"],
            bytes=arrived.size,
            created=now(),
        )
        self._uploads.keep(arrived, identity, kind)
        self._uploads.keep_preview(identity, kind, json.dumps(found["preview"], separators=(",", ":")))
        async with self._database.write() as session:
            return kept_view(await session.merge(row))

    async def _inspect(self, arrived: Arrived, kind: str, name: str) -> dict[str, Any]:
        """Shape, nonzeros and preview, read in its own process: a hostile file can hurt only that."""
        settings = self._settings
        limits = Limits(
            seconds=settings.upload_check_seconds,
            memory_bytes=settings.upload_check_memory_bytes,
            output_bytes=1 << 20,
            processor_seconds=int(settings.upload_check_seconds) * 4,
        )
        job = {"path": str(arrived.path), "kind": kind, "source": name}
        cancel = threading.Event()
        async with self._inspecting:
            try:
                outcome = await asyncio.to_thread(
                    run_child, INSPECTOR, job, limits, lambda _: None, cancel, sight_of(settings)
                )
            finally:
                cancel.set()
        if outcome.result is None:
            raise unreadable(outcome)
        return outcome.result

    async def paths(self, plan: Plan) -> dict[str, str]:
        """The absolute path of every dataset and upload that the plan names. Raises ProblemError for an unknown one."""
        paths: dict[str, str] = {}
        for tensor, given in plan.inputs.items():
            identity = given.get("dataset", given.get("upload"))
            if isinstance(identity, str):
                paths[identity] = str(await self.path(tensor, identity))
        return paths

    async def digests(self, plan: Plan) -> dict[str, str]:
        """The SHA-256 of every dataset and upload that the plan names. Raises ProblemError for an unknown one."""
        digests: dict[str, str] = {}
        for identity, path in (await self.paths(plan)).items():
            _, of_upload, digest = identity.partition("sha256:")
            digests[identity] = digest if of_upload else await asyncio.to_thread(file_digest, Path(path))
        return digests

    async def files(self, plan: Plan) -> list[DataFile]:
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


def unreadable(outcome: Outcome) -> ProblemError:
    match outcome.ending:
        case "refused":
            problem = ProblemError(422, "unreadable-file", outcome.title, outcome.detail)
            problem.diagnostics = outcome.diagnostics  # type: ignore[assignment]
            return problem
        case "timeout" | "oom":
            return ProblemError(422, "file-too-large-to-read", outcome.title, outcome.detail)
        case _:
            return ProblemError(500, "internal-error", outcome.title, outcome.detail)


def builtin_view(entry: BuiltinDataset) -> DatasetView:
    return {
        "id": entry.id,
        "name": entry.name,
        "origin": "builtin",
        "shape": list(entry.shape),
        "nnz": entry.nnz,
        "summary": entry.summary,
        "bytes": entry.path.stat().st_size,
    }


def kept_view(row: Dataset) -> DatasetView:
    """Of a file that did not come with Heddle."""
    shape = " × ".join(f"{size:,}" for size in row.shape)
    collection = None if row.id.startswith("sha256:") else row.id.partition(":")[0]
    source = "Uploaded file" if collection is None else f"From {collection}"
    return {
        "id": row.id,
        "name": row.name,
        "origin": "upload" if collection is None else "collection",
        "shape": row.shape,
        "nnz": row.nnz,
        "summary": f"{source}, {shape}, {row.nnz:,} nonzeros",
        "bytes": row.bytes,
    }
