"""What a worker says of itself when it joins: its machine, what that offers, and the version that it runs."""

from __future__ import annotations

import logging
import platform
import threading
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from distributed import Worker

from backend.engine.child_process import run_child
from backend.engine.limits import run_limits
from backend.engine.resources import CPU
from backend.engine.sight import sight_of
from backend.schema.run import MachineFacts
from backend.settings import Settings
from backend.version import VERSION
from backend.worker.machine import machine_facts
from compiler.runtime.native.cache import GENERATOR_VERSION
from compiler.targets import CUDA

logger = logging.getLogger("heddle.worker")

# The key of the declaration in what a Dask worker tells its scheduler.
HEDDLE = "heddle"
BOOT = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Declaration:
    """``machine`` is the same for all workers that share processors, in whatever container or namespace.

    A Dask worker calls it for the start-up information that it sends.
    """

    machine: str
    resources: frozenset[str]
    facts: MachineFacts
    sandbox: dict[str, Any]
    versions: tuple[str, str] = (VERSION, GENERATOR_VERSION)

    def __call__(self, _: Worker) -> dict[str, Any]:
        return {**asdict(self), "resources": sorted(self.resources), "versions": list(self.versions)}

    @property
    def dask_resources(self) -> dict[str, float]:
        return dict.fromkeys(sorted(self.resources), 1.0)


def parse_declaration(document: dict[str, Any]) -> Declaration:
    """What a later version says beyond it is left out. Raises LookupError, TypeError or ValueError for a document that
    is none."""
    heddle, generator = document["versions"]
    given = {one.name: document[one.name] for one in fields(Declaration)}
    return Declaration(**{**given, "resources": frozenset(document["resources"]), "versions": (heddle, generator)})


def declare(settings: Settings) -> Declaration:
    """Asks this machine, in a child process under a run's own limits. Blocks for about a second."""
    # Those of a GPU: its driver reserves more addresses than it uses.
    outcome = run_child(
        "backend.engine.probe_child",
        {},
        run_limits(settings, CUDA.name),
        lambda _: None,
        threading.Event(),
        sight_of(settings),
    )
    if outcome.result is None:
        logger.warning("what this machine offers could not be found out: %s %s", outcome.title, outcome.detail)
    resources = frozenset(outcome.result["resources"]) if outcome.result is not None else frozenset({CPU})
    return Declaration(machine_identity(), resources, machine_facts(), outcome.sandbox)


def machine_identity() -> str:
    """Containers have host names of their own; the boot of the kernel is common to all on one machine."""
    try:
        return BOOT.read_text().strip()
    except OSError:
        return platform.node()
