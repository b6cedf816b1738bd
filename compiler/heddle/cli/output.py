"""Where what a command prints goes: the standard output, or a file that is there only once it is complete."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import TextIO

from heddle.cli.source import SourceError

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_quiet: ContextVar[bool] = ContextVar("quiet", default=False)


def is_quiet() -> bool:
    """Whether progress is not wanted."""
    return _quiet.get()


def say_progress(text: str) -> None:
    """A line on the standard error for a person who waits or wonders."""
    if not is_quiet():
        print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def quiet(wanted: bool) -> Iterator[None]:
    """Without progress inside, where that is ``wanted``."""
    token = _quiet.set(wanted)
    try:
        yield
    finally:
        _quiet.reset(token)


@contextlib.contextmanager
def printed_into(path: str | None) -> Iterator[None]:
    """What is printed goes into the file ``path``; without one to the standard output. The file is opened before the
    work, under another name, and has its own once the work is done and has printed something.

    Raises
    ------
    SourceError
        Where the file cannot be written, and where the disk is full.
    """
    if path is None or path == "-":
        yield
        return
    target = Path(path)
    if not target.name or target.is_dir():
        what = f"{target} is a folder" if path else "there is none"
        raise SourceError(f"{what}, expected the name of a file to write")
    if target.exists() and not target.is_file():  # a device or a pipe: nothing may take its place
        with _open(target, target) as file, contextlib.redirect_stdout(file):
            yield
        return
    target = Path(os.path.realpath(target))
    new = target.with_name(f"{target.name}.new")
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(_open(target, new))
        stack.callback(_remove, new)
        try:
            with contextlib.redirect_stdout(file):
                yield
            written = file.tell() > 0
            file.flush()
            os.fsync(file.fileno())
            if written:
                new.replace(target)
        except OSError as error:
            if error.errno not in _FULL and not isinstance(error, PermissionError):
                raise
            raise _unwritable(path, error) from error


def _open(target: Path, new: Path) -> TextIO:
    try:
        return new.open("w", encoding="utf-8")
    except OSError as error:
        raise _unwritable(str(target), error) from error


def _remove(new: Path) -> None:
    with contextlib.suppress(OSError):
        new.unlink(missing_ok=True)


def _unwritable(name: str, error: OSError) -> SourceError:
    return SourceError(f"{name} cannot be written: {error.strerror or error}")
