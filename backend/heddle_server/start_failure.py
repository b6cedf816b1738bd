"""Why a server cannot start, in a sentence for its operator; what has none is a defect and keeps its traceback."""

from __future__ import annotations

import os
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from heddle.runtime.checkout import PROGRAM
from heddle_server.settings import Settings


class CannotStartError(RuntimeError):
    """Something outside of Heddle keeps the server from starting; the text says what, and what to do about it."""


def start_failure(error: BaseException, settings: Settings) -> str | None:
    """None for a defect."""
    match error:
        case CannotStartError():
            return str(error)
        case DBAPIError():
            if settings.database_url is not None:
                return f"The database of HEDDLE_DATABASE_URL cannot be used: {error.orig}."
            return (
                f"The database in {settings.data_directory.resolve()} cannot be used: {error.orig}. Restore a backup "
                f"('{PROGRAM} restore'), or give another data directory with --data-directory."
            )
        case OSError() if error.filename is not None:
            place, data = Path(str(error.filename)).absolute(), settings.data_directory
            ways = (data.absolute(), Path(os.path.realpath(data)))
            if any(place == way or way in place.parents or place in way.parents for way in ways):
                return (
                    f"The data directory {data.absolute()} cannot be used: {error.strerror} ({place}). It must be a "
                    "directory that this user may write to; --data-directory gives another."
                )
            return None
        case _:
            return None
