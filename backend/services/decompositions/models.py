"""The results of decompositions as files: ``.npz``, named by their hash, kept as long as a run names them."""

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
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import select

from backend.engine.outcome import Outcome
from backend.problem import ProblemError, not_found
from backend.services.decompositions.records import require_decomposition
from backend.settings import Settings
from backend.store.database import Database
from backend.store.runs import find
from backend.store.tables import Run

ARTIFACT = re.compile(r"sha256:([0-9a-f]{64})")
YOUNG_SECONDS = 3600.0
"""How long a file stays that no run names: the run that made it is recorded after it."""


class Models:
    """One for a server: it keeps and forgets the same files, in turns."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings, self._database = settings, database
        self._folder = settings.models_directory
        self._changing = threading.Lock()

    def taken(self, outcome: Outcome) -> Outcome:
        """The outcome with the name of its model in place of the bytes, which are in a file then. Blocks."""
        model = (outcome.result or {}).get("model")
        if outcome.result is None or not isinstance(model, dict) or "data" not in model:
            return outcome
        try:
            content = base64.b64decode(model["data"], validate=True)
        except (binascii.Error, TypeError, ValueError):
            return outcome  # What it is instead of a result is told when it is checked.
        with self._changing:
            return replace(outcome, result={**outcome.result, "model": self._kept(content)})

    def _kept(self, content: bytes) -> dict[str, Any]:
        name = hashlib.sha256(content).hexdigest()
        path = self._folder / f"{name}.npz"
        self._folder.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            os.utime(path)  # as young as the run that names it next
        else:
            used = sum(one.stat().st_size for one in self._folder.iterdir())
            if used + len(content) > self._settings.model_total_bytes:
                reason = f"Results of decompositions take {used:,} bytes already, which is the limit of this server."
                return {"artifact": None, "bytes": len(content), "reason": reason}
            if shutil.disk_usage(self._folder).free < self._settings.free_disk_bytes + len(content):
                return {"artifact": None, "bytes": len(content), "reason": "The server's disk is full."}
            written = path.with_suffix(".new")
            written.write_bytes(content)
            os.replace(written, path)
        return {"artifact": f"sha256:{name}", "bytes": len(content)}

    async def file(self, run_id: str) -> Path:
        """Raises ProblemError 404 where the run is not there or has no model, 409 for a run of a plan."""
        async with self._database.read() as session:
            run = await find(session, run_id)
        if run is None:
            raise not_found("run", run_id, "Runs are made with POST /api/v1/runs.")
        require_decomposition(run)
        model = (run.result or {}).get("model", {})
        named = ARTIFACT.fullmatch(str(model.get("artifact")))
        path = self._folder / f"{named[1]}.npz" if named else None
        if path is None or not path.is_file():
            detail = model.get("reason") or f"The run is {run.state}; a model is there once it is done."
            raise ProblemError(404, "not-found", "There is no model", detail)
        return path

    async def forget_unnamed(self) -> None:
        """Of the files that no run names any more. Young ones stay: their runs may be recorded in a moment."""
        async with self._database.read() as session:
            named = set((await session.execute(select(Run.result["model"]["artifact"].as_string()))).scalars())
        await asyncio.to_thread(self._forget, named)

    def _forget(self, named: set[str]) -> None:
        with self._changing:
            for path in self._folder.iterdir() if self._folder.is_dir() else ():
                old = time.time() - path.stat().st_mtime > YOUNG_SECONDS
                if old and f"sha256:{path.stem}" not in named:
                    path.unlink(missing_ok=True)
