"""Which of the server's own files a child process sees."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle_server.engine.quiet_time import locks_of
from heddle_server.places import COMPILER, PACKAGE
from heddle_server.settings import Settings


@dataclass(frozen=True, slots=True)
class Sight:
    """Folders that are empty for the child, but for the files that its job names."""

    hidden: tuple[Path, ...] = ()

    def to_document(self, job: dict[str, Any]) -> dict[str, list[str]]:
        """What the sandbox is told: absolute paths. A folder that the child's own program lies in stays visible."""
        program = (COMPILER, PACKAGE, Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve())
        hidden = [folder.resolve() for folder in self.hidden if folder.is_dir()]
        hidden = [folder for folder in hidden if not any(each.is_relative_to(folder) for each in program)]
        return {
            "hidden": [str(folder) for folder in hidden],
            "readable": [str(path) for path in files_of(job)],
            "writable": [str(Path(job["packing"]["into"]).resolve())] if "packing" in job else [],
        }


def files_of(job: dict[str, Any]) -> list[Path]:
    named = [*job.get("datasets", {}).values(), *([job["path"]] if "path" in job else [])]
    locks = locks_of(Path(job["timing_lock"])) if job.get("timing_lock") is not None else ()
    return [Path(each).resolve() for each in (*named, *locks)]


def sight_of(settings: Settings) -> Sight:
    """Without the database, the data of others, and the keys by which this machine is known to others."""
    return Sight(tuple(path for path in (settings.data_directory, settings.certificates) if path is not None))
