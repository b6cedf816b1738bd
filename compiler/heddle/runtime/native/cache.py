"""Content-addressed cache of compiled kernels.

One file per kernel: ``kernels/<k>/<key>.<seal>.so``. The key names everything that decides the machine code; the seal
is a keyed hash of it and of the file's bytes, with a secret of this user, so that a file that is damaged, renamed or
somebody else's is noticed, deleted and rebuilt before anything loads it. Files appear by renaming, so any number of
processes may share one folder. The size of all that lies in the cache folder is bounded: what was used longest ago
goes first (:mod:`heddle.runtime.native.cache_room`). The length of the file ``kernels/tally`` says how large it is, a
byte for each KiB: so that the files are looked at only when there may be too many of them.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
from functools import lru_cache
from pathlib import Path

from heddle.logs import LOGGER
from heddle.runtime.native import c_files, cpu, toolchain
from heddle.runtime.native.cache_folder import cache_root, refuse_folder, write_atomically
from heddle.runtime.native.cache_room import TALLY, evict, remove
from heddle.runtime.native.secret_file import is_of_this_user, secret, user_number

CACHE_VERSION = 1
# Raise it when the code generators change: it is shown to people and is part of every key.
GENERATOR_VERSION = "1"
_DEFAULT_LIMIT_BYTES = 256 << 20
_TALLY_UNIT = 1024


def key_of(text: str, generator_version: str, compiler: toolchain.Toolchain) -> str:
    """The cache key of a kernel: changes whenever the machine code could."""
    parts = (str(CACHE_VERSION), generator_version, compiler.identity(), cpu.fingerprint(), text)
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:40]


def shared_library(text: str, generator_version: str, compiler: toolchain.Toolchain | None = None) -> Path:
    """The compiled library of C ``text``, from the cache or built now.

    Raises
    ------
    InternalError
        the generated C does not compile.
    CompileError
        no C compiler, or it took too long.
    """
    compiler = compiler or toolchain.discover()
    key = key_of(text, generator_version, compiler)
    library = lookup(key)
    if library is not None:
        LOGGER.info("kernel from the cache: %s", library)
        return library
    return store(key, toolchain.build(compiler, text, thread_pool(compiler)))


def thread_pool(compiler: toolchain.Toolchain) -> Path | None:
    """The library of the threads that kernels of ``compiler`` run on; None where its OpenMP brings them. Programs that
    look for runtimes of OpenMP by the names of files, as threadpoolctl does, see it as one."""
    if compiler.openmp != toolchain.POOL:
        return None
    text, tools = c_files.text_of("thread_pool.c"), compiler.for_pool()
    key = f"libgomp-heddle-{key_of(text, '1', tools)}"
    return lookup(key) or store(key, toolchain.build(tools, text))


def lookup(key: str) -> Path | None:
    """The intact file of ``key``, marked as just used; damaged files of ours are removed."""
    for path in sorted(_folder(key).glob(f"{key}.*.so")):
        try:
            content = path.read_bytes()
        except IsADirectoryError:
            remove(path)
            continue
        except OSError:
            continue  # Another process evicted it.
        if hmac.compare_digest(path.name, _file_name(key, content)):
            with contextlib.suppress(OSError):
                os.utime(path)
            return path
        with contextlib.suppress(OSError):
            if is_of_this_user(path.stat()):
                path.unlink()
    return None


def store(key: str, content: bytes) -> Path:
    """Adds one compiled library and keeps the folder within ``$HEDDLE_CACHE_BYTES`` (default 256 MiB)."""
    path = _folder(key) / _file_name(key, content)
    try:
        write_atomically(path, content)
    except OSError as error:
        raise refuse_folder(error) from None
    total = _add_to_tally(len(content))
    if total is None or total > limit_bytes():
        write_tally(cache_root(), _evict(path))
    return path


def _tally() -> Path:
    return cache_root().joinpath(*TALLY)


def _add_to_tally(size: int) -> int | None:
    """The bytes of all kernels with ``size`` more; None where earlier ones are in no tally, or it is another user's.
    Appending is atomic, so that no process loses what another one adds; what is counted twice or was removed meanwhile
    is put right by an eviction."""
    if not _tally().exists():
        return None
    try:
        with _tally().open("ab") as tally:
            tally.write(b"." * -(-size // _TALLY_UNIT))
            return tally.tell() * _TALLY_UNIT
    except OSError:
        return None


def write_tally(folder: Path, size: int) -> None:
    """Says how large that cache folder is."""
    with contextlib.suppress(OSError):
        write_atomically(folder.joinpath(*TALLY), b"." * -(-size // _TALLY_UNIT))


def limit_bytes() -> int:
    """The most bytes that the cache folder may take on disk."""
    configured = os.environ.get("HEDDLE_CACHE_BYTES", "")
    return int(configured) if configured.isdigit() else _DEFAULT_LIMIT_BYTES


def _folder(key: str) -> Path:
    return cache_root() / "kernels" / key[:1]


def _file_name(key: str, content: bytes) -> str:
    return sealed_name(cache_root(), key, content)


def sealed_name(folder: Path, key: str, content: bytes) -> str:
    """The name of a library in that cache folder, whose secret seals it."""
    return seal_name(_secret(folder), key, content)


def seal_name(mine: bytes, key: str, content: bytes) -> str:
    """The same with a secret that is known."""
    seal = hmac.new(mine, key.encode() + b"\0", hashlib.sha256)
    seal.update(content)
    return f"{key}.{seal.hexdigest()[:32]}.so"


def key_file(folder: Path) -> Path:
    """Where the secret of a cache folder lies."""
    return folder / f"seal-{user_number()}.key"


@lru_cache(maxsize=16)
def _secret(folder: Path) -> bytes:
    """Of this user in that folder, which users may share; the kernels of one are not loaded by another."""
    try:
        return secret(key_file(folder))
    except OSError as error:
        raise refuse_folder(error) from None


def _evict(keep: Path) -> int:
    return evict(cache_root(), limit_bytes(), keep)
