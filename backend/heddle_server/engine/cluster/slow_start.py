"""A warning of Dask that takes a busy machine for a slow disk."""

from __future__ import annotations

import warnings

SLOW_START = "Creating scratch directories"
"""How it begins."""


def ignore_slow_start() -> None:
    """In this process, and its forks; ``configuration`` does so for other workers."""
    warnings.filterwarnings("ignore", SLOW_START, UserWarning)
