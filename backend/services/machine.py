"""What this service's machine is, as its last timed run found it."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import cast

from backend.schema.run import MachineFacts
from backend.worker.machine import machine_facts


class MachineService:
    def __init__(self, data_directory: Path) -> None:
        self._file = data_directory.resolve() / "machine.json"

    def remember(self, facts: MachineFacts) -> None:
        temporary = self._file.with_suffix(".new")
        temporary.write_text(json.dumps(facts))
        os.replace(temporary, self._file)

    async def facts(self) -> MachineFacts:
        """Before the first run: this process's own machine, with what has not been measured left out."""
        try:
            return cast(MachineFacts, json.loads(self._file.read_text()))
        except FileNotFoundError:
            return await asyncio.to_thread(machine_facts)
