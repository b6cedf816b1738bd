"""What Heddle does, for whoever asks: the logger ``heddle`` of Python's logging, silent by default.

A program configures it like any other logger. From a shell, ``HEDDLE_LOG=info`` prints to the error stream: compiles,
C compilers with their times, kernels from the cache, the rules that chose a schedule.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping

LOGGER = logging.getLogger("heddle")
LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def configure(environment: Mapping[str, str]) -> None:
    """Prints what ``HEDDLE_LOG`` asks for. Another value is named once, as whoever set it waits for lines."""
    LOGGER.addHandler(logging.NullHandler())
    level_name = environment.get("HEDDLE_LOG", "").strip().lower()
    if not level_name:
        return
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("heddle: %(message)s"))
    # A program that configured logging prints it already.
    handler.addFilter(lambda record: not logging.getLogger().handlers)
    LOGGER.addHandler(handler)
    LOGGER.setLevel(LEVELS.get(level_name, logging.WARNING))
    if level_name not in LEVELS:
        LOGGER.warning("HEDDLE_LOG is %r; expected one of %s", level_name, ", ".join(LEVELS))


configure(os.environ)
