"""Dask's scheduler and workers without the web pages that each of them serves on a port of its own.

Those ports ask nobody for a key. What runs need goes over the other ports, which do.
"""

from __future__ import annotations

from typing import Any

from distributed import LocalCluster, Nanny, Scheduler, Worker


class PagelessScheduler(Scheduler):
    def start_http_server(self, *_: object, **__: object) -> None:
        """None."""


class PagelessWorker(Worker):
    def start_http_server(self, *_: object, **__: object) -> None:
        """None."""


class PagelessNanny(Nanny):
    """Starts such a worker in the process that it watches over."""

    def __init__(self, scheduler: Any = None, **options: Any) -> None:
        super().__init__(scheduler, worker_class=PagelessWorker, **options)


class PagelessCluster(LocalCluster):
    """A scheduler here, and such workers beside it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(worker_class=PagelessNanny, **options)  # type: ignore[no-untyped-call]
        self.scheduler_spec["cls"] = PagelessScheduler
