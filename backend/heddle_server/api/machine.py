"""GET /machine, GET /machines, GET /version."""

from __future__ import annotations

from heddle_server.api.dependencies import FromServices
from heddle_server.api.part import part_of_api
from heddle_server.engine.cluster.resources import targets_of
from heddle_server.schema.catalogue import VersionView, WorkerView
from heddle_server.schema.run import MachineFacts
from heddle_server.services.catalogue import version_view
from heddle_server.services.runs.worker_pool import WorkerPool

router = part_of_api("machine")


@router.get("/machine", response_model=MachineFacts)
async def get_machine(services: FromServices) -> MachineFacts:
    """The machine that timed the last run; before the first one, the server's own."""
    return await services.running.machine.facts()


@router.get("/machines", response_model=list[WorkerView])
async def list_machines(services: FromServices) -> list[WorkerView]:
    """The workers that are connected, with what each offers: `cpu`, `opencl`, `gpu`."""
    return worker_views(services.running.dispatcher.pool)


@router.get("/version", response_model=VersionView)
async def get_version() -> VersionView:
    """The versions of Heddle and of its code generator."""
    return version_view()


def worker_views(pool: WorkerPool) -> list[WorkerView]:
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
