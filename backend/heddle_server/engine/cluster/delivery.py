"""Brings the data of a run to a worker on another machine, over the connection that there is: in pieces, and once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from heddle_server.engine.cluster.data_copies import DataCopies

if TYPE_CHECKING:
    from distributed import Client, Worker

PIECE_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class DataFile:
    """A dataset or upload of a plan, by its ``identity`` there, on the server's disk."""

    identity: str
    path: Path
    sha256: str

    @property
    def name(self) -> str:
        """Of its copies."""
        return f"{self.sha256}{self.path.suffix}"


async def deliver(client: Client, address: str, files: Sequence[DataFile], alive: Callable[[], None]) -> dict[str, str]:
    """The path of every file at the worker of that address, by identity; ``alive`` is called while pieces travel.

    Raises OSError when the worker cannot be reached or has no room.
    """
    paths: dict[str, str] = {}
    for file in files:
        remote_path = await call(client, address, find_copy, file.name)
        paths[file.identity] = remote_path if remote_path is not None else await send(client, address, file, alive)
    return paths


async def send(client: Client, address: str, file: DataFile, alive: Callable[[], None]) -> str:
    offset = 0
    with file.path.open("rb") as source:
        while piece := await asyncio.to_thread(source.read, PIECE_BYTES):
            await call(client, address, write_piece, file.name, offset, piece)
            offset += len(piece)
            alive()
    path = await call(client, address, complete_copy, file.name)
    assert path is not None
    return path


async def call(client: Client, address: str, function: Callable[..., object], *arguments: object) -> str | None:
    """Calls ``function(*arguments, dask_worker=…)`` in the event loop of one worker."""
    answers = await client.run(function, *arguments, workers=[address])
    answer: str | None = answers[address]
    return answer


def find_copy(name: str, dask_worker: Worker) -> str | None:
    path = copies_of(dask_worker).find(name)
    return str(path) if path is not None else None


async def write_piece(name: str, offset: int, piece: bytes, dask_worker: Worker) -> None:
    await asyncio.to_thread(copies_of(dask_worker).write, name, offset, piece)


async def complete_copy(name: str, dask_worker: Worker) -> str:
    return str(await asyncio.to_thread(copies_of(dask_worker).complete, name))


def copies_of(worker: Worker) -> DataCopies:
    from heddle_server.engine.cluster.worker_state import worker_state

    copies = worker_state(worker).copies
    assert copies is not None, "an embedded worker reads the server's own files"
    return copies
