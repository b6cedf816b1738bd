"""The kinds of data files, by the ending of their names, and what reads each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from heddle.runtime.data_files.data_file import CoordinateSink, ReadLimits
from heddle.runtime.data_files.matrix_market import read_mtx, scan_mtx
from heddle.runtime.data_files.smtx import read_smtx, scan_smtx
from heddle.runtime.data_files.tns import read_tns, scan_tns
from heddle.runtime.tensors.coordinates import Entries

READERS: Mapping[str, Callable[[Path, ReadLimits | None], Entries]] = {
    "mtx": read_mtx,
    "tns": read_tns,
    "smtx": read_smtx,
}


SCANS: Mapping[str, Callable[[Path, ReadLimits | None, CoordinateSink], None]] = {
    "mtx": scan_mtx,
    "tns": scan_tns,
    "smtx": scan_smtx,
}
"""Coordinates alone, a block at a time."""


def read_data(path: Path, limits: ReadLimits | None = None) -> Entries:
    """The entries of a file whose name ends in one of ``READERS``. Raises CompileError ``input/…``."""
    return READERS[path.suffix.removeprefix(".")](path, limits)
