"""What a command reads: a file or, for ``-``, the standard input. Whatever is wrong with it is told in one way."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path


class SourceError(ValueError):
    """A file that cannot be read, or holds something else; the text is a sentence that names it."""


def name_of(source: str | Path) -> str:
    return "standard input" if str(source) == "-" else str(source)


def require_existing(source: str | Path) -> None:
    """Looks for a file before anything is imported that reads it, which takes seconds. Raises SourceError."""
    if str(source) == "-" or "://" in str(source):
        return
    try:
        os.stat(source)
    except FileNotFoundError:
        raise SourceError(f"{name_of(source)} does not exist") from None
    except (OSError, ValueError):  # who reads it says what is wrong
        return


def read_text(source: str | Path, most: int, what: str) -> str:
    """At most so many characters, which is the limit of ``what`` ("a plan"). Raises SourceError."""
    name = name_of(source)
    try:
        if str(source) == "-":
            text = sys.stdin.read(most + 1).removeprefix("\ufeff")
        else:
            with Path(source).open(encoding="utf-8-sig") as file:
                text = file.read(most + 1)
    except FileNotFoundError:
        raise SourceError(f"{name} does not exist") from None
    except IsADirectoryError:
        raise SourceError(f"{name} is a folder, expected a file") from None
    except OSError as error:
        raise SourceError(f"{name} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{name} is not text in UTF-8: byte {error.start} is {error.object[error.start]:#x}"
        ) from None
    if len(text) > most:
        raise SourceError(f"{name} has more than {most:,} characters, the most that {what} may have")
    return text


def read_json(source: str | Path, most: int, what: str) -> object:
    """Raises SourceError."""
    return parse_json(read_text(source, most, what), source)


def parse_json(text: str, source: str | Path) -> object:
    """What ``text`` from ``source`` holds. Raises SourceError."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        what_is_wrong = "it is empty" if not text.strip() else f"line {error.lineno}, column {error.colno}: {error.msg}"
        raise SourceError(f"{name_of(source)} is not JSON: {what_is_wrong}") from None
    except RecursionError:
        raise SourceError(f"{name_of(source)} is not JSON that can be read: it is nested too deeply") from None
    except ValueError:  # Python reads no integers of thousands of digits
        raise SourceError(f"{name_of(source)} is not JSON that can be read: it has a number that is too long") from None
