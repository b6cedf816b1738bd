"""How files that have arrived are read: in turns in which nobody waits for another's file, and again where the process
was killed."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heddle.explorer.views.data.preview import preview_view
from heddle.runtime.data_files.readers import read_data
from heddle_server.engine.children.outcome import Outcome, decode_exit
from heddle_server.http.asker import Asker
from heddle_server.problem import ProblemError
from heddle_server.services.data import readings
from heddle_server.services.data.readings import SMALL_BYTES, Packing, Readings
from heddle_server.services.data.uploads import Arrived, UploadStore
from heddle_server.settings import Settings
from tests.backend.datasets.test_datasets import MTX

KILLED = decode_exit(-signal.SIGKILL, "")


class Reader(Readings):
    """Its processes end as the test says: ``answers`` are what they tell, the last one for ever."""

    def __init__(self, folder: Path, *answers: Outcome) -> None:
        settings = Settings(data_directory=folder)
        self.uploads = UploadStore(settings)
        self.uploads.prepare()
        super().__init__(settings, self.uploads, lambda _: 0.0)
        self.file = folder / "file.mtx"
        self.file.write_bytes(MTX)
        self.answers = list(answers) or [self.done()]
        self.seconds: list[float] = []
        self.sources: list[str] = []
        self.go_on: Callable[[], Any] | None = None

    def done(self, **changes: Any) -> Outcome:
        result = {"shape": [3, 4], "nnz": 2, "preview": preview_view(read_data(self.file), "file.mtx")}
        return Outcome("done", result={**result, **changes})

    async def _run(self, job: dict[str, Any], limits: Any) -> Outcome:
        self.seconds.append(limits.seconds)
        self.sources.append(job["source"])
        if self.go_on is not None:
            await self.go_on()
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    async def of(self, visitor: str, size: int = 100, packing: Packing | None = None) -> Any:
        return await self.read(Arrived(self.file, "0", size), "mtx", f"{visitor}.mtx", Asker("", visitor), packing)


async def test_a_process_that_was_killed_is_begun_once_more(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    reader.answers = [KILLED, reader.done()]
    assert (await reader.of("me")).shape == [3, 4]


@pytest.mark.parametrize("packing", [None, Packing(1000)])
async def test_one_that_is_killed_twice_is_busy_and_no_defect(tmp_path: Path, packing: Packing | None) -> None:
    reader = Reader(tmp_path, KILLED)
    with pytest.raises(ProblemError, match="ended from outside, twice") as told:
        await reader.of("me", packing=packing)
    assert (told.value.status, told.value.headers["Retry-After"], len(reader.seconds)) == (503, "5", 2)
    assert "defect" not in told.value.detail
    assert list((tmp_path / "uploads" / "incoming").iterdir()) == []


async def test_a_small_file_that_takes_long_starts_again_as_a_large_one(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    reader.answers = [Outcome("timeout"), reader.done()]
    await reader.of("me")
    assert reader.seconds == [readings.SMALL_SECONDS, 60]
    reader.answers = [Outcome("timeout")]
    with pytest.raises(ProblemError, match="took longer than 60 s"):
        await reader.of("me", size=SMALL_BYTES + 1)


async def test_whoever_sends_much_keeps_nobody_waiting(tmp_path: Path) -> None:
    reader, ended = Reader(tmp_path), asyncio.Event()
    reader.go_on = ended.wait
    asked = [("me", 1 << 29), ("me", 1 << 29), ("you", 1 << 29), ("she", 100)]
    reading = [asyncio.create_task(reader.of(who, size)) for who, size in asked]
    for _ in range(5):
        await asyncio.sleep(0)
    # One of mine, and both of the others.
    assert reader.seconds == [60, 60, readings.SMALL_SECONDS]
    assert reader.sources == ["me.mtx", "you.mtx", "she.mtx"]
    ended.set()
    await asyncio.gather(*reading)


@pytest.mark.parametrize(
    "changes", [{"shape": "3"}, {"preview": {"ok": 5}}, {"refused": {"reason": "because"}}, {"nnz": None}]
)
async def test_what_is_no_answer_is_not_believed(tmp_path: Path, changes: dict[str, Any]) -> None:
    reader = Reader(tmp_path)
    reader.answers = [reader.done(**changes)]
    with pytest.raises(ProblemError, match="told something that is no answer"):
        await reader.of("me")
