"""The results of decompositions as files: models as ``.npz``, and states from which they go on, as ``.state``; named by
their hash, kept as long as a run names them."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import os
import re
import shutil
import threading
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import select

from heddle.algorithms.kruskal import Kruskal
from heddle_server.engine.children.outcome import Outcome
from heddle_server.problem import ProblemError, missing_error
from heddle_server.schema.decomposition import ScoreView
from heddle_server.services.decompositions.records import require_decomposition
from heddle_server.services.decompositions.report import report
from heddle_server.settings import Settings
from heddle_server.store.database import Database
from heddle_server.store.runs import find
from heddle_server.store.tables import Run

ARTIFACT = re.compile(r"sha256:([0-9a-f]{64})")
SUFFIXES = {"model": ".npz", "state": ".state"}
"""By the field of a result."""
LARGEST_SCORED = 512
"""Components; each is matched among all that are left."""
YOUNG_SECONDS = 3600.0
"""How long a file stays that no run names: the run that made it is recorded after it."""


class Models:
    """One for a server: it keeps and forgets the same files, in turns."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings, self._database = settings, database
        self._folder = settings.models_directory
        self._changing = threading.Lock()

    def taken(self, outcome: Outcome) -> Outcome:
        """The outcome with the names of its model and state in place of the bytes, which are in files then. Blocks."""
        if outcome.result is None:
            return outcome
        with self._changing:
            artifacts = {name: self._keep_lanes(content, suffix) for name, suffix in SUFFIXES.items()
                    if (content := _bytes_of(outcome.result.get(name))) is not None}  # fmt: skip
        return replace(outcome, result={**outcome.result, **artifacts})

    def _keep_lanes(self, content: bytes, suffix: str) -> dict[str, Any]:
        name = hashlib.sha256(content).hexdigest()
        path = self._folder / f"{name}{suffix}"
        self._folder.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            os.utime(path)  # as young as the run that names it next
        else:
            used = sum(file.stat().st_size for file in self._folder.iterdir())
            if used + len(content) > self._settings.model_total_bytes:
                reason = f"Results of decompositions take {used:,} bytes already, which is the limit of this server."
                return {"artifact": None, "bytes": len(content), "reason": reason}
            if shutil.disk_usage(self._folder).free < self._settings.free_disk_bytes + len(content):
                return {"artifact": None, "bytes": len(content), "reason": "The server's disk is full."}
            written = path.with_suffix(".new")
            written.write_bytes(content)
            os.replace(written, path)
        return {"artifact": f"sha256:{name}", "bytes": len(content)}

    def state_of(self, result: dict[str, Any]) -> bytes:
        """Where the decomposition of that result ended. Blocks for a file of some megabytes at most.

        Raises
        ------
        ProblemError
            409 where no state is kept of it, or another than its name says.
        """
        state = result.get("state") or {"reason": "It was made before states were kept."}
        named = ARTIFACT.fullmatch(str(state.get("artifact")))
        path = self._folder / f"{named[1]}.state" if named else None
        if named is None or path is None or not path.is_file():
            detail = f"{state.get('reason') or 'Its state is no longer kept.'} Run it from the beginning."
            raise ProblemError(409, "no-state", "There is nothing to go on from", detail)
        content = path.read_bytes()
        if (digest := hashlib.sha256(content).hexdigest()) != named[1]:
            detail = (
                f"The file of the state sha256:{named[1]} has the hash sha256:{digest}: it was damaged, and nothing of "
                "it is used. Run the decomposition from the beginning."
            )
            raise ProblemError(409, "damaged-state", "The stored state is damaged", detail)
        return content

    async def file(self, run_id: str) -> Path:
        """Raises ProblemError 404 where the run is not there or has no model, 409 for a run of a plan."""
        return (await self._find(run_id))[1]

    async def report(self, run_id: str) -> Iterator[str]:
        """The pieces of a JSON text: the result with its factors. Raises ProblemError as :meth:`file`, and 409 where
        the file is damaged."""
        result, path = await self._find(run_id)
        return report(result, await asyncio.to_thread(_read, path))

    async def _find(self, run_id: str) -> tuple[dict[str, Any], Path]:
        """The result of a run, and the file of its model. Raises ProblemError as :meth:`file`."""
        async with self._database.read() as session:
            run = await find(session, run_id)
        if run is None:
            raise missing_error("run", run_id, "Runs are made with POST /api/v1/runs.")
        require_decomposition(run)
        result = run.result or {}
        model = result.get("model", {})
        named = ARTIFACT.fullmatch(str(model.get("artifact")))
        path = self._folder / f"{named[1]}.npz" if named else None
        if path is None or not path.is_file():
            detail = model.get("reason") or f"The run is {run.state}; a model is there once it is done."
            raise ProblemError(404, "not-found", "There is no model", detail)
        return result, path

    async def score(self, run_id: str, other: str) -> ScoreView:
        """How alike the models of two runs are. Raises ProblemError as :meth:`file`, and 409 where their shapes differ
        or their ranks are too large to match."""
        return await asyncio.to_thread(_score, await self.file(run_id), await self.file(other))

    async def forget_unnamed(self) -> None:
        """Of the files that no run names any more. Young ones stay: their runs may be recorded in a moment."""
        async with self._database.read() as session:
            columns = [Run.result[name]["artifact"].as_string() for name in SUFFIXES]
            named = {name for row in await session.execute(select(*columns)) for name in row}
        await asyncio.to_thread(self._forget, named)

    def _forget(self, named: set[str]) -> None:
        with self._changing:
            for path in self._folder.iterdir() if self._folder.is_dir() else ():
                old = time.time() - path.stat().st_mtime > YOUNG_SECONDS
                if old and f"sha256:{path.stem}" not in named:
                    path.unlink(missing_ok=True)


def _score(path: Path, other: Path) -> ScoreView:
    mine, theirs = _read(path), _read(other)
    if mine.shape != theirs.shape:
        detail = (
            f"One is of shape {mine.shape}, the other of {theirs.shape}. Choose a run of a tensor of the same shape."
        )
        raise ProblemError(409, "other-shape", "The models are of unlike tensors", detail)
    if max(mine.rank, theirs.rank) > LARGEST_SCORED:
        detail = f"They have {mine.rank} and {theirs.rank} components; up to {LARGEST_SCORED} are matched here."
        raise ProblemError(409, "too-many-components", "The models have too many components", detail)
    return {"score": mine.score(theirs), "components": min(mine.rank, theirs.rank)}


def _read(path: Path) -> Kruskal:
    """Raises ProblemError 409 for a file that is not what was written."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return Kruskal(arrays["weights"], [arrays[f"factor_{mode}"] for mode in range(len(arrays.files) - 1)])
    except (zipfile.BadZipFile, EOFError, KeyError, ValueError) as error:
        detail = f"The file of the model sha256:{path.stem} was damaged ({error}). Run the decomposition again."
        raise ProblemError(409, "damaged-model", "The stored model is damaged", detail) from None


def _bytes_of(field: object) -> bytes | None:
    """Those that a worker sent; None for what is no such thing, which is told when the result is checked."""
    if not isinstance(field, dict) or "data" not in field:
        return None
    try:
        return base64.b64decode(field["data"], validate=True)
    except (binascii.Error, TypeError, ValueError):
        return None
