"""Python's search for garbage, kept away from where all stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def nothing_collected() -> Iterator[None]:
    """For imports: what they make stays, and is neither looked through while more of it comes, which takes a tenth of
    a start, nor ever again."""
    gc.disable()
    try:
        yield
        gc.collect()
        gc.freeze()
    finally:
        gc.enable()
