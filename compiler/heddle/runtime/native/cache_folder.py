"""Where the runtime keeps files: the cache folder, and writes that other processes never see half done."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from heddle.diagnostics import CompileError, Diagnostic
from heddle.runtime.checkout import REPOSITORY, is_checkout


def cache_root() -> Path:
    """``$HEDDLE_CACHE``, else ``kernels_cache/objects`` of this checkout, else the folder ``heddle`` of the user's
    caches: an installation keeps nothing beside its code. All of it can be deleted at any time."""
    configured = os.environ.get("HEDDLE_CACHE")
    if configured:
        return Path(configured)
    if is_checkout(REPOSITORY):
        return REPOSITORY / "kernels_cache" / "objects"
    return user_caches(sys.platform, os.environ, Path.home) / "heddle"


def user_caches(platform: str, environment: Mapping[str, str], home: Callable[[], Path]) -> Path:
    """Where the programs of a user keep what can be made again: by the XDG rules, on macOS and Windows by theirs.

    Raises
    ------
    CompileError
        ``runtime/cache-folder`` where the user has no home.
    """
    xdg = environment.get("XDG_CACHE_HOME", "")
    if Path(xdg).is_absolute():  # others are to be ignored, the rules say
        return Path(xdg)
    try:
        match platform:
            case "win32":
                return Path(environment.get("LOCALAPPDATA") or home() / "AppData" / "Local")
            case "darwin":
                return home() / "Library" / "Caches"
            case _:
                return home() / ".cache"
    except RuntimeError as error:
        raise CompileError(
            Diagnostic(
                "runtime/cache-folder",
                f"There is no folder in which compiled kernels could be kept: {error}",
                expected="a user with a home, or HEDDLE_CACHE",
                actual="neither",
                hint="Set HEDDLE_CACHE to a folder that this user can write to.",
            )
        ) from None


def cache_of_runs() -> Path:
    """Where confined processes have their cache: nothing of it is loaded into others, which only read its numbers."""
    return cache_root() / "runs"


def make_folder(name: str) -> Path:
    """The folder of this name in the cache folder, for a program that writes there itself.

    Raises
    ------
    CompileError
        ``runtime/cache-folder`` where it cannot be made or written to.
    """
    folder = cache_root() / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refuse_folder(error) from None
    if not os.access(folder, os.W_OK):
        raise refuse_folder(PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    return folder


def refuse_folder(error: OSError) -> CompileError:
    """What a person reads when nothing can be written to the cache folder."""
    reason = error.strerror or str(error)
    return CompileError(
        Diagnostic(
            "runtime/cache-folder",
            f"Compiled kernels cannot be kept in {cache_root()}: {reason}.",
            expected="a folder that this user can write to",
            actual=reason,
            hint="Set HEDDLE_CACHE to a folder that this user can write to.",
        )
    )


def write_atomically(path: Path, content: bytes) -> None:
    """Writes a temporary file next to ``path`` and renames it: readers see the old content or the new, nothing else."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".tmp-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
