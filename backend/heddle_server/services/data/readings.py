"""Reads files that have arrived: each in a confined process of its own, which unpacks it first where it is packed.

They take turns. A visitor has one large file read at a time, so that there is a place for another's; large ones leave
one to small ones, and one that seemed small and is not, starts again as a large one.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, NotRequired

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from heddle.explorer.views.data.preview_schema import PreviewView
from heddle_server.engine.children.child_process import run_child
from heddle_server.engine.children.limits import Limits
from heddle_server.engine.children.outcome import Outcome
from heddle_server.engine.children.sight import sight_of
from heddle_server.engine.children.unpacking import Bounds, Reason
from heddle_server.engine.turns import Displaced, Turns
from heddle_server.http.asker import Asker
from heddle_server.problem import ProblemError, busy, too_many
from heddle_server.services.data.free_disk import full_disk
from heddle_server.services.data.uploads import Arrived, UploadStore, arrive, no_room
from heddle_server.settings import Settings

INSPECTOR = "heddle_server.engine.children.inspect_child"
# Files that wait to be read.
MOST_WAITING = 64
PLACES = 3
SMALL_BYTES = 1 << 20
# A second of a processor for the start, on a busy machine as much again for waiting.
SMALL_PROCESSOR_SECONDS, SMALL_SECONDS = 2, 4.0
ATTEMPTS = 2


class RefusedPacking(TypedDict):
    reason: Reason
    bound: int
    what: str


class Inspection(TypedDict):
    """What a reading process tells, which has read what a stranger sent: of one that could be read all but
    ``refused``."""

    shape: NotRequired[list[int]]
    nnz: NotRequired[int]
    preview: NotRequired[PreviewView]
    refused: NotRequired[RefusedPacking]


INSPECTION = TypeAdapter(Inspection)


@dataclass(frozen=True, slots=True)
class Packing:
    """How a file is packed: as a tar file with that ``member``, or by gzip alone. There are ``room`` bytes for what
    it unpacks to."""

    room: int
    member: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A file that can be read, plain."""

    plain: Arrived
    shape: list[int]
    nnz: int
    preview: PreviewView


class Readings:
    def __init__(
        self, settings: Settings, uploads: UploadStore, used: Callable[[Asker], float], inspector: str = INSPECTOR
    ) -> None:
        self._settings, self._uploads, self._used, self._inspector = settings, uploads, used, inspector
        self._turns = Turns(PLACES, MOST_WAITING, large_of_each=1)

    async def read(self, arrived: Arrived, kind: str, name: str, who: Asker, packing: Packing | None = None) -> Reading:
        """Raises ProblemError for a file that cannot be read, of which nothing is kept but ``arrived``."""
        job: dict[str, Any] = {"path": str(arrived.path), "kind": kind, "source": name}
        if packing is None:
            inspection = await self._inspect(job, arrived.size, who)
            return _reading(arrived, inspection)
        place = self._uploads.place()
        try:
            bounds = Bounds(self._settings.unpacked_bytes, packing.room, self._settings.free_disk_bytes)
            job["packing"] = {"into": str(place), "member": packing.member, "bounds": asdict(bounds)}
            inspection = await self._inspect(job, arrived.size, who)
            if (refused := inspection.get("refused")) is not None:
                raise not_unpacked(arrived.size, refused)
            return _reading(await asyncio.to_thread(arrive, place), inspection)
        except BaseException:
            place.unlink(missing_ok=True)
            raise

    async def _inspect(self, job: dict[str, Any], size: int, who: Asker) -> Inspection:
        if size <= SMALL_BYTES:
            # What takes longer has to wait behind others, as what is large does.
            with suppress(TimeoutError):
                async with self._turn(who, small=True):
                    return await self._read(job, SMALL_SECONDS, SMALL_PROCESSOR_SECONDS)
        seconds = self._settings.upload_check_seconds
        try:
            async with self._turn(who, small=False):
                return await self._read(job, seconds, max(1, int(seconds)))
        except TimeoutError:
            detail = f"Unpacking and reading the file took longer than {seconds:g} s. Use a smaller file."
            raise ProblemError(422, "file-too-large-to-read", "The file takes too long to read", detail) from None

    @asynccontextmanager
    async def _turn(self, who: Asker, *, small: bool) -> AsyncIterator[None]:
        try:
            async with self._turns.turn(who.visitor or who.address, small, partial(self._used, who), who.address):
                yield
        except Displaced:
            detail = "More files wait to be read than this server lets wait. Try again in a moment."
            raise too_many("too-many-uploads", "Too many files are waiting", detail, 5) from None

    async def _read(self, job: dict[str, Any], seconds: float, processor_seconds: int) -> Inspection:
        """Once more where the process was killed from outside. Raises TimeoutError and ProblemError."""
        limits = Limits(
            seconds=seconds,
            memory_bytes=self._settings.upload_check_memory_bytes,
            output_bytes=1 << 20,
            processor_seconds=processor_seconds,
            file_bytes=self._settings.unpacked_bytes,
        )
        for _ in range(ATTEMPTS):
            outcome = await self._run(job, limits)
            if not outcome.was_killed:
                return _inspection(outcome)
            if "packing" in job:
                Path(job["packing"]["into"]).write_bytes(b"")
        raise busy("The file was not read", "The process that read it was ended from outside, twice.")

    async def _run(self, job: dict[str, Any], limits: Limits) -> Outcome:
        cancel, sight = threading.Event(), sight_of(self._settings)
        try:
            return await asyncio.to_thread(run_child, self._inspector, job, limits, lambda _: None, cancel, sight)
        finally:
            cancel.set()


def _reading(plain: Arrived, inspection: Inspection) -> Reading:
    return Reading(plain, inspection["shape"], inspection["nnz"], inspection["preview"])


def _inspection(outcome: Outcome) -> Inspection:
    """What the process told, whatever the file has made of it. Raises TimeoutError and ProblemError."""
    match outcome.ending:
        case "done":
            try:
                inspection = INSPECTION.validate_python(outcome.result)
                if "refused" in inspection or inspection.keys() >= {"shape", "nnz", "preview"}:
                    return inspection
                what = f"only {', '.join(sorted(inspection))}"
            except ValidationError as error:
                what = f"{error.error_count()} errors"
            detail = f"The process that read the file told something that is no answer ({what}). Please report it."
            raise ProblemError(500, "internal-error", "The file was not read", detail)
        case "refused":
            problem = ProblemError(422, "unreadable-file", outcome.title, outcome.detail)
            problem.diagnostics = outcome.diagnostics  # type: ignore[assignment]
            raise problem
        case "timeout":
            raise TimeoutError
        case "oom":
            detail = "Reading the file takes more memory than this server gives it. Use a smaller file."
            raise ProblemError(422, "file-too-large-to-read", "The file takes too much memory", detail)
        case "cancelled":
            raise asyncio.CancelledError
        case "crashed" | "failed":
            told = "The process that read the file ended without an answer"
            detail = f"{told} ({outcome.signal or outcome.title}). This is a defect in Heddle; please report it."
            raise ProblemError(500, "internal-error", "The file was not read", detail)
        case _:
            raise AssertionError(outcome.ending)


def not_unpacked(size: int, refused: RefusedPacking) -> ProblemError:
    """Of a packed file of ``size`` bytes."""
    bound, what = refused["bound"], refused["what"][:200]
    match refused["reason"]:
        case Reason.LIMIT:
            detail = f"The file unpacks to more than {bound:,} bytes, which is the limit."
            return ProblemError(413, "unpacks-too-large", "The unpacked file is too large", detail)
        case Reason.RATIO:
            detail = (
                f"The file has {size:,} bytes and unpacks to more than {bound:,}, which no data file does. "
                "Upload it without gzip."
            )
            return ProblemError(413, "unpacks-too-large", "The unpacked file is too large", detail)
        case Reason.MEMBERS:
            detail = f"The file consists of more than {bound:,} parts, each packed by itself. Pack it in one piece."
            return ProblemError(422, "unreadable-file", "The file cannot be unpacked", detail)
        case Reason.ROOM:
            return no_room(bound)
        case Reason.DISK:
            return full_disk()
        case Reason.DAMAGED:
            detail = f"It should be packed with gzip, but it is not a complete gzip file: {what}."
            return ProblemError(422, "unreadable-file", "The file cannot be unpacked", detail)
        case Reason.MISSING:
            detail = f"There is no {what} in the download."
            return ProblemError(422, "unreadable-file", "The file cannot be unpacked", detail)
        case _:
            raise AssertionError(refused["reason"])
