"""The file of a saved kernel: a zip archive of its plan, where it was compiled, and its libraries."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from heddle.diagnostics import Diagnostic, OperandError
from heddle.plan import Plan, parse_plan, to_document
from heddle.runtime.data_files.data_file import input_error, obstacle_at
from heddle.runtime.native import cache, toolchain
from heddle.runtime.native.cache_folder import write_atomically
from heddle.runtime.saved.libraries import SavedLibraries, text_digest
from heddle.runtime.saved.origin import describe_origin, require_origin, require_trust, seal

_PLAN, _ORIGIN, _SEAL, _POOL = "plan.json", "origin.json", "seal", "threads.so"
_EARLIEST = (1980, 1, 1, 0, 0, 0)
_MOST_BYTES = 1 << 28
_FROM_INSIDE = (ValueError, KeyError, OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError)
"""What Python raises of an archive that is none."""


@dataclass(frozen=True, slots=True)
class SavedKernel:
    """What a file holds: a ``plan``, and the ``libraries`` of its kernel."""

    plan: Plan
    libraries: SavedLibraries


def write_kernel(path: Path, plan: Plan, texts: Collection[str]) -> None:
    """Writes the compiled libraries of C ``texts`` with the ``plan`` that they are made of."""
    compiler = toolchain.discover()
    pool = cache.thread_pool(compiler)
    origin = {
        **describe_origin(),
        "compiler": compiler.describe(),
        "pool": "" if pool is None else toolchain.pool_name(),
    }
    entries = {
        _PLAN: json.dumps(to_document(plan), indent=1, ensure_ascii=False).encode(),
        _ORIGIN: json.dumps(origin, indent=1).encode(),
        **{
            f"{text_digest(text)}.so": cache.shared_library(text, cache.GENERATOR_VERSION, compiler).read_bytes()
            for text in texts
        },
    }
    if pool is not None:
        entries[_POOL] = pool.read_bytes()
    entries[_SEAL] = seal(_content(entries)).encode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(name, _EARLIEST), content, zipfile.ZIP_DEFLATED)
    _write(path, lambda: write_atomically(path, file.getvalue()))


def _write(path: Path, write: Callable[[], None]) -> None:
    obstacle = obstacle_at(path)
    if obstacle is not None:
        raise input_error(
            "no-folder",
            f"{path.name} cannot be written: {obstacle}.",
            expected="the path of a file in a folder that exists",
            actual=str(path),
            hint=f"Paths are relative to {Path.cwd()}.",
        )
    try:
        write()
    except OSError as error:
        raise input_error(
            "not-written",
            f"{path.name} cannot be written: {error.strerror or error}.",
            expected="a file that this user may write",
            actual=str(path),
            hint="Choose a folder of your own with room on its disk.",
        ) from None


def read_kernel(path: Path, trust: bool) -> SavedKernel:
    """What :func:`write_kernel` wrote.

    Raises
    ------
    CompileError
        ``runtime/saved-version``, ``runtime/saved-elsewhere``, ``runtime/saved-by-others``, or ``input/not-saved`` for
        what is no such file.
    """
    entries = _entries(path)
    try:
        origin = json.loads(entries[_ORIGIN])
        document = json.loads(entries[_PLAN])
        pool_name = str(origin["pool"])
    except (*_FROM_INSIDE, RecursionError, TypeError, AttributeError):
        raise _refuse_file(path, "something else") from None
    require_origin(origin, path.name)
    if not trust:
        require_trust(entries.pop(_SEAL, b"").decode("ascii", "replace"), _content(entries), path.name)
    kernels = {
        name.removesuffix(".so"): content
        for name, content in entries.items()
        if name.endswith(".so") and name != _POOL and "/" not in name
    }
    return SavedKernel(parse_plan(document), SavedLibraries(kernels, entries.get(_POOL), os.path.basename(pool_name)))


def _entries(path: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(info.file_size for info in archive.infolist()) > _MOST_BYTES:
                raise _refuse_file(path, "a larger archive")
            return {info.filename: archive.read(info) for info in archive.infolist()}
    except FileNotFoundError:
        raise input_error(
            "missing-file",
            f"{path} does not exist.",
            expected="a file that kernel.save wrote",
            actual="no file",
            hint=f"Paths are relative to {Path.cwd()}.",
        ) from None
    except _FROM_INSIDE as error:
        raise _refuse_file(path, f"a file that is none ({error})") from None


def _refuse_file(path: Path, actual: str) -> OperandError:
    return OperandError(
        Diagnostic(
            code="input/not-saved",
            message=f"{path.name} is not a kernel that kernel.save wrote.",
            expected="a zip archive with plan.json, origin.json and libraries",
            actual=actual,
            hint="hd.read reads data files; a plan in JSON goes to hd.compile.",
        )
    )


def _content(entries: dict[str, bytes]) -> bytes:
    """What is sealed: all entries, in an order of their own, each with its length."""
    parts = [part for name in sorted(entries) for part in (name.encode(), entries[name])]
    return b"".join(len(part).to_bytes(8, "little") + part for part in parts)
