"""What a decomposition needs to go on in another process: its last checkpoint, and whether it was asked to stop.

Files of the server's machine, which its own workers write; on other machines a decomposition starts anew.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STATE, STOP = ".json", ".stop"


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """``floor`` is the free disk in bytes below which no checkpoint is written."""

    folder: Path
    floor: int

    def keep(self, run_id: str, checkpoint: dict[str, Any]) -> None:
        """All of it or nothing, in place of the one before; a full disk costs the checkpoint, not the run."""
        path = self.folder / f"{run_id}{STATE}"
        written = path.with_suffix(".new")
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if shutil.disk_usage(self.folder).free < self.floor:
                return
            written.write_text(json.dumps(checkpoint), encoding="utf-8")
            os.replace(written, path)
        except OSError:
            written.unlink(missing_ok=True)

    def has(self, run_id: str) -> bool:
        return (self.folder / f"{run_id}{STATE}").exists()

    def read(self, run_id: str) -> dict[str, Any] | None:
        """None where there is none, or half of one."""
        try:
            state = json.loads((self.folder / f"{run_id}{STATE}").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return state if isinstance(state, dict) and {"state", "records"} <= state.keys() else None

    def ask_to_stop(self, run_id: str) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self.folder / f"{run_id}{STOP}").touch()

    def stop_asked(self, run_id: str) -> bool:
        return (self.folder / f"{run_id}{STOP}").exists()

    def forget(self, run_id: str) -> None:
        """Of a run that has ended."""
        for suffix in (STATE, STOP):
            (self.folder / f"{run_id}{suffix}").unlink(missing_ok=True)

    def forget_others(self, run_ids: Collection[str]) -> None:
        """What a dead server left of runs that have ended."""
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if path.stem not in run_ids:
                    path.unlink(missing_ok=True)
