"""What a worker says of itself when it joins: its machine, what that offers, and the version that it runs."""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heddle.runtime.native.cache import GENERATOR_VERSION
from heddle_server.engine.machine import machine_facts
from heddle_server.engine.probes import probe_machine
from heddle_server.schema.run import MachineFacts
from heddle_server.settings import Settings
from heddle_server.version import VERSION

if TYPE_CHECKING:
    from distributed import Worker

# The key of the declaration in what a Dask worker tells its scheduler.
HEDDLE = "heddle"
OPTIONAL = ("failed_probes",)
"""What workers of earlier commits of the same version do not say."""
BOOT = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Declaration:
    """``machine`` is the same for all workers that share processors, in whatever container or namespace. A capability
    in ``failed_probes`` is not offered, because its library ended instead of answering.

    A Dask worker calls it for the start-up information that it sends.
    """

    machine: str
    resources: frozenset[str]
    facts: MachineFacts
    sandbox: dict[str, Any]
    versions: tuple[str, str] = (VERSION, GENERATOR_VERSION)
    failed_probes: dict[str, str] = field(default_factory=dict)

    def __call__(self, _: Worker) -> dict[str, Any]:
        return {**asdict(self), "resources": sorted(self.resources), "versions": list(self.versions)}

    @property
    def dask_resources(self) -> dict[str, float]:
        return dict.fromkeys(sorted(self.resources), 1.0)


def parse_declaration(document: dict[str, Any]) -> Declaration:
    """What a later version says beyond it is left out. Raises LookupError, TypeError or ValueError for a document that
    is none."""
    heddle, generator = document["versions"]
    values = {part.name: document[part.name] for part in fields(Declaration) if part.name not in OPTIONAL}
    values |= {name: document[name] for name in OPTIONAL if name in document}
    return Declaration(**{**values, "resources": frozenset(document["resources"]), "versions": (heddle, generator)})


def declare(settings: Settings) -> Declaration:
    """Asks this machine, in child processes under a run's own limits. Blocks for about a second."""
    findings = probe_machine(settings)
    facts = machine_facts(findings.mkl, findings.gpu)
    return Declaration(machine_identity(), findings.resources, facts, findings.sandbox, failed_probes=findings.failures)


def machine_identity() -> str:
    """Containers have host names of their own; the boot of the kernel is common to all on one machine."""
    try:
        return BOOT.read_text(encoding="utf-8").strip()
    except OSError:
        return platform.node()
