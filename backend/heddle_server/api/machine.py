"""GET /machine, GET /machines, GET /version."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from heddle.runtime.native.cache import GENERATOR_VERSION
from heddle_server.api.dependencies import FromServices
from heddle_server.api.part import part_of_api
from heddle_server.engine.cluster.resources import targets_of
from heddle_server.schema.run import MachineFacts
from heddle_server.version import VERSION

router = part_of_api("machine")


class VersionView(TypedDict):
    """``generator`` is the version of the generated code: kernels of another one are built again."""

    heddle: str
    generator: str


@router.get("/machine", response_model=MachineFacts)
async def get_machine(services: FromServices) -> MachineFacts:
    """The machine that timed the last run; before the first one, the server's own."""
    return await services.running.machine.facts()


class WorkerView(TypedDict):
    """A worker that runs can be timed on. Workers with the same ``machine`` share its processors, so that only one of
    them times a run at a time. ``name`` is its operator's, or its address. ``targets`` are those that its ``resources``
    can run. ``obstacle`` says why a worker gets no runs; null for one that does. ``failed_probes`` says by capability
    (`opencl`, `gpu`, `mkl`) how the library ended that was asked for it: such a capability is not offered."""

    name: str
    machine: str
    resources: list[str]
    targets: list[str]
    busy: bool
    obstacle: str | None
    facts: MachineFacts
    sandbox: dict[str, Any]
    failed_probes: dict[str, str]


@router.get("/machines", response_model=list[WorkerView])
async def list_machines(services: FromServices) -> list[WorkerView]:
    """The workers that are connected, with what each offers: `cpu`, `opencl`, `gpu`."""
    pool = services.running.dispatcher.pool
    return [
        {
            "name": worker.name,
            "machine": worker.declaration.machine,
            "resources": sorted(worker.declaration.resources),
            "targets": list(targets_of(worker.declaration.resources)),
            "busy": pool.is_busy(worker),
            "obstacle": pool.obstacle(worker),
            "facts": pool.facts_of(worker),
            "sandbox": worker.declaration.sandbox,
            "failed_probes": worker.declaration.failed_probes,
        }
        for worker in pool.workers
    ]


@router.get("/version", response_model=VersionView)
async def get_version() -> VersionView:
    return {"heddle": VERSION, "generator": GENERATOR_VERSION}
