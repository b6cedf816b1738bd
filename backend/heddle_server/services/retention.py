"""Enforces how long runs, uploads and classes are kept, once an hour."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from heddle_server.services.data.uploads import UploadStore
from heddle_server.services.decompositions.models import Models
from heddle_server.settings import Settings
from heddle_server.store.classrooms import forget_classes
from heddle_server.store.database import Database, now
from heddle_server.store.retention import forget_runs, forget_runs_beyond, forget_uploads

logger = logging.getLogger("heddle.retention")

SWEEP_SECONDS = 3600.0


class Retention:
    def __init__(self, settings: Settings, database: Database, models: Models) -> None:
        self._settings = settings
        self._database = database
        self._uploads = UploadStore(settings)
        self._models = models
        self._sweeping: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._sweeping = asyncio.create_task(self._sweep_forever(), name="retention")

    async def stop(self) -> None:
        if self._sweeping is not None:
            self._sweeping.cancel()
            await asyncio.gather(self._sweeping, return_exceptions=True)

    async def sweep(self) -> None:
        """Zero days keep forever."""
        run_days, upload_days = self._settings.run_days, self._settings.upload_days
        runs, uploads = 0, list[tuple[str, str]]()
        async with self._database.write() as session:
            if run_days:
                runs = await forget_runs(session, now() - timedelta(days=run_days))
            beyond = await forget_runs_beyond(session, self._settings.run_rows) if self._settings.run_rows else 0
            if upload_days:
                uploads = await forget_uploads(session, now() - timedelta(days=upload_days))
            if self._settings.class_days:
                await forget_classes(session, now() - timedelta(days=self._settings.class_days))
        # After the rows: a file without a row is waste, a row without a file an error.
        for identity, kind in uploads:
            try:
                self._uploads.remove(identity, kind)
            except OSError as error:
                logger.error("the file of %s is left behind: %s", identity, error)
        await self._models.forget_unnamed()
        if beyond:
            logger.info("deleted the %d oldest runs: %d are kept", beyond, self._settings.run_rows)
        if runs or uploads:
            logger.info("deleted %d runs older than %g days, %d uploads older than %g days",
                        runs, run_days, len(uploads), upload_days)  # fmt: skip

    async def _sweep_forever(self) -> None:
        while True:
            try:
                await self.sweep()
            except Exception:
                logger.exception("old runs and uploads could not be deleted")
            await asyncio.sleep(SWEEP_SECONDS)
