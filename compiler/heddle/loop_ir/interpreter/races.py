"""Data races between iterations of parallel loops, found while the iterations run one after the other.

Fork-join determinacy after Feng and Leiserson (SPAA 1997): per location one writer, one reader and one atomic updater
suffice, because of two readers that run in parallel with each other one is enough to find every later conflict.
"""

from __future__ import annotations

from heddle.loop_ir.interpreter.site import Access, Site, Worker


def in_parallel(first: Worker, second: Worker) -> bool:
    """Whether nothing orders the two: they part at different iterations of one instance of a parallel loop."""
    for level in range(0, min(len(first), len(second)), 2):
        if first[level] != second[level]:
            return False  # two loops that run one after the other
        if first[level + 1] != second[level + 1]:
            return True
    return False


class Shadow:
    """The accesses so far to each element of one array, or to one scalar (element 0)."""

    __slots__ = ("_atomics", "_readers", "_writers")

    def __init__(self) -> None:
        self._writers: dict[int, Access] = {}
        self._readers: dict[int, Access] = {}
        self._atomics: dict[int, Access] = {}

    def clear(self) -> None:
        """The location is new: a workspace or a scalar was declared again."""
        if self._writers or self._readers or self._atomics:
            self._writers.clear()
            self._readers.clear()
            self._atomics.clear()

    def read(self, index: int, worker: Worker, site: Site) -> Access | None:
        """Records a read; returns the access that races with it, if any."""
        conflict = _parallel(self._writers, index, worker) or _parallel(self._atomics, index, worker)
        _record(self._readers, index, worker, site)
        return conflict

    def write(self, index: int, worker: Worker, site: Site) -> Access | None:
        """Records a write; returns the access that races with it, if any."""
        conflict = (
            _parallel(self._writers, index, worker)
            or _parallel(self._readers, index, worker)
            or _parallel(self._atomics, index, worker)
        )
        self._writers[index] = Access(worker, site)
        return conflict

    def update(self, index: int, worker: Worker, site: Site) -> Access | None:
        """Records an atomic update; returns the access that races with it, if any."""
        conflict = _parallel(self._writers, index, worker) or _parallel(self._readers, index, worker)
        _record(self._atomics, index, worker, site)
        return conflict


def _parallel(accesses: dict[int, Access], index: int, worker: Worker) -> Access | None:
    access = accesses.get(index)
    return access if access is not None and in_parallel(access.worker, worker) else None


def _record(accesses: dict[int, Access], index: int, worker: Worker, site: Site) -> None:
    """Keeps the older access when the two run in parallel: it conflicts with everything that the new one would."""
    if _parallel(accesses, index, worker) is None:
        accesses[index] = Access(worker, site)
