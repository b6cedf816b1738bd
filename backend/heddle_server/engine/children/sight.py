"""Which files a child process sees: programs, its own job, and nothing of the server, of its user, or of others."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle.runtime.native.cache_folder import cache_root
from heddle_server.engine.children.started_child import search_path
from heddle_server.engine.quiet_time import locks_of
from heddle_server.places import default_data_directory
from heddle_server.settings import Settings

SYSTEM = frozenset(
    {"bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr", "etc", "opt", "nix", "gnu", "snap", "proc", "sys", "dev"}
)
"""What programs and their settings lie in, of the folders of the root."""
TEXTS_OF_SYSTEM = Path("/etc")
BESIDE_PROGRAMS = ("lib", "lib32", "lib64", "libexec", "include")
READ_BY_ALL = 0o004


@dataclass(frozen=True, slots=True)
class Sight:
    """Folders of the server that are empty for the child, but for the files that its job names."""

    hidden: tuple[Path, ...] = ()

    def to_document(self, job: dict[str, Any]) -> dict[str, list[str]]:
        """What the sandbox is told: absolute paths, of which the longest decides."""
        hidden = [*self.hidden, *list_foreign()]
        readable = dict.fromkeys([*list_programs(), *map(str, files_of(job))])
        return {
            "hidden": list(dict.fromkeys(str(path.resolve()) for path in hidden if path.exists())),
            "readable": list(readable),
            "writable": [str(Path(job["packing"]["into"]).resolve())] if "packing" in job else [],
        }


def list_foreign() -> Iterator[Path]:
    """Whatever is not a program: the home, temporary files, the server's kernels with the key that seals them, data of
    other servers, sockets of services, and what the system keeps from all but its administrator."""
    for folder in Path("/").iterdir():
        if folder.name not in SYSTEM and folder.is_dir() and not folder.is_symlink():
            yield folder
    home = Path(os.path.expanduser("~"))
    if len(home.parts) > 1 and home.parts[1] not in SYSTEM:
        yield home
    yield Path(tempfile.gettempdir())
    yield cache_root()
    with suppress(OSError):
        yield default_data_directory().absolute()
    if os.geteuid() == 0:
        yield from list_unread(TEXTS_OF_SYSTEM)


def list_unread(folder: Path) -> Iterator[Path]:
    """What the root user alone may read."""
    for entry in os.scandir(folder):
        if entry.is_symlink():
            continue
        if not entry.stat().st_mode & READ_BY_ALL:
            yield Path(entry.path)
        elif entry.is_dir():
            yield from list_unread(Path(entry.path))


def list_programs() -> Iterator[str]:
    """Folders with the child's own program, its libraries, and the compilers that it calls, by the names under which
    they are looked for: a name on the way may be a link."""
    folders = [*search_path().split(os.pathsep), *sys.path[1:], sys.prefix, sys.base_prefix, sys.exec_prefix]
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        folders += [folder, *(os.path.join(os.path.dirname(folder), name) for name in BESIDE_PROGRAMS)]
    folders += os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    folders.append(os.path.dirname(os.environ.get("CC", "")))
    for folder in folders:
        if os.path.isabs(folder) and os.path.isdir(folder) and os.path.normpath(folder) != "/":
            yield os.path.normpath(folder)
            yield os.path.realpath(folder)


def files_of(job: dict[str, Any]) -> list[Path]:
    named = [*job.get("datasets", {}).values(), *([job["path"]] if "path" in job else [])]
    locks = locks_of(Path(job["timing_lock"])) if job.get("timing_lock") is not None else ()
    return [Path(each).resolve() for each in (*named, *locks)]


def sight_of(settings: Settings) -> Sight:
    """Without the database, the data of others, and the keys by which this machine is known to others."""
    return Sight(tuple(path for path in (settings.data_directory, settings.certificates) if path is not None))
