"""The program's output on a terminal whose encoding lacks some letters."""

from __future__ import annotations

import codecs
import json
import sys
from io import TextIOWrapper

ESCAPES = "heddle.escapes"
"""The error handler, among those of Python."""


def escape_what_has_no_letter() -> None:
    """Let both streams print every text: what their encoding lacks (``µ`` and ``…`` under ``LC_ALL=C``) becomes
    ``\\u00b5``, which keeps JSON what it is. Without it a command loses all that it measured."""
    codecs.register_error(ESCAPES, _escape)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # not what a test or an editor put in its place
            stream.reconfigure(errors=ESCAPES)


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end
