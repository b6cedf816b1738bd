"""What one service raises when it is stopped keeps no other one from being stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backend.services.compile import CompileService
from backend.services.dispatch import Dispatcher
from backend.services.downloads import DownloadService
from backend.services.machine import MachineService
from backend.services.retention import Retention
from backend.services.services import running_services
from backend.settings import Settings
from backend.store.database import Database


async def test_every_service_is_stopped_although_others_fail_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[str] = []

    def failing(name: str) -> Any:
        async def stop(*_: object) -> None:
            stopped.append(name)
            raise OSError(name)

        return stop

    async def nothing(*_: object) -> None:
        pass

    for service in (CompileService, Dispatcher):
        monkeypatch.setattr(service, "start", nothing)
    for service in (DownloadService, Retention, Dispatcher, CompileService):
        monkeypatch.setattr(service, "stop", failing(service.__name__))
    close = Database.close

    async def closed(database: Database) -> None:
        stopped.append("Database")
        await close(database)

    monkeypatch.setattr(Database, "close", closed)
    with pytest.raises(OSError, match="CompileService"):
        async with running_services(Settings(data_directory=tmp_path, scheduler="tcp://127.0.0.1:1")) as services:
            pass
    assert services.notices.stopping
    assert stopped == ["DownloadService", "Retention", "Dispatcher", "CompileService", "Database"]


async def test_half_a_file_about_the_machine_is_as_none(tmp_path: Path) -> None:
    (tmp_path / "machine.json").write_text('{"cpu": "In')
    assert (await MachineService(tmp_path, elsewhere=True).facts())["cores"] >= 1
