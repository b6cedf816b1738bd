"""What this service's machine is, as its last timed run found it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import cast

from backend.schema.run import MachineFacts


class MachineService:
    def __init__(self, data_directory: Path) -> None:
        self._file = data_directory.resolve() / "machine.json"

    def remember(self, facts: MachineFacts) -> None:
        temporary = self._file.with_suffix(".new")
        temporary.write_text(json.dumps(facts))
        os.replace(temporary, self._file)

    def facts(self) -> MachineFacts | None:
        try:
            return cast(MachineFacts, json.loads(self._file.read_text()))
        except FileNotFoundError:
            return None
